#include "runtime/core/index.h"

#include <gmock/gmock.h>

#include <sstream>

#include "tests/cpp/errors.h"

namespace oploom {
namespace {

using test::error_of;
using testing::HasSubstr;

constexpr std::int64_t kNone = IndexItem::kNone;

std::string text_of(const Index& index) {
  std::ostringstream out;
  out << index;
  return out.str();
}

std::string normal(const Index& index, Ints shape) {
  return text_of(index.normalised("slice", shape));
}

TEST(Index, NegativeNumbersCountFromTheEnd) {
  EXPECT_EQ(normal({IndexItem::number(-1), IndexItem::number(2)}, {4, 3}), "[3, 2]");
}

TEST(Index, SlicesAreCutToTheAxis) {
  EXPECT_EQ(normal({IndexItem::slice(1, 100)}, {4}), "[1:4]");
  EXPECT_EQ(normal({IndexItem::slice(-2, kNone)}, {4}), "[2:4]");
  EXPECT_EQ(normal({IndexItem::slice(-100, -1)}, {4}), "[0:3]");
  EXPECT_EQ(normal({IndexItem::slice(3, 1)}, {4}), "[3:3]");
  EXPECT_EQ(normal({IndexItem::slice(9, 12)}, {4}), "[4:4]");
  EXPECT_EQ(normal({IndexItem::slice(kNone, kNone)}, {0}), "[0:0]");
}

TEST(Index, StopIsStartAndWholeSteps) {
  EXPECT_EQ(normal({IndexItem::slice(0, 5, 2)}, {5}), "[0:6:2]");
  EXPECT_EQ(normal({IndexItem::slice(1, 4, 2)}, {5}), "[1:5:2]");
  // One element: the step means nothing, and a huge one must not overflow.
  EXPECT_EQ(normal({IndexItem::slice(3, kNone, INT64_MAX)}, {5}), "[3:4]");
}

TEST(Index, RestAndEllipsisTakeWholeAxes) {
  EXPECT_EQ(normal({IndexItem::number(1)}, {2, 3, 4}), "[1, 0:3, 0:4]");
  EXPECT_EQ(normal({IndexItem::ellipsis(), IndexItem::number(1)}, {2, 3, 4}), "[0:2, 0:3, 1]");
  EXPECT_EQ(normal({IndexItem::new_axis(), IndexItem::ellipsis()}, {2}), "[None, 0:2]");
  EXPECT_EQ(normal({IndexItem::ellipsis()}, {}), "[]");
}

TEST(Index, NormalFormIsStable) {
  const Index index{IndexItem::slice(-4, kNone, 3), IndexItem::new_axis(), IndexItem::number(-2)};
  const Dims shape{5, 4, 2};
  const Index once = index.normalised("slice", shape);
  EXPECT_EQ(text_of(once.normalised("slice", shape)), text_of(once));
  EXPECT_EQ(once.part_shape(), (Dims{2, 1, 2}));
}

TEST(Index, MapGivesShapeStridesAndOffset) {
  // x[1, None, ::2] of a row-major [2, 3, 4]: two rows of 4, two rows apart, in the second block.
  const Index index =
      Index{IndexItem::number(1), IndexItem::new_axis(), IndexItem::slice(0, kNone, 2)}.normalised(
          "slice", {2, 3, 4});
  const Index::Map map = index.map({12, 4, 1});
  EXPECT_EQ(map.shape, (Dims{1, 2, 4}));
  EXPECT_EQ(map.strides[1], 8);
  EXPECT_EQ(map.strides[2], 1);
  EXPECT_EQ(map.offset, 12);
}

TEST(Index, EmptyPartStaysInside) {
  const Index index =
      Index{IndexItem::number(1), IndexItem::slice(3, 3)}.normalised("slice", {2, 3});
  EXPECT_EQ(index.map({3, 1}).offset, 0);
  EXPECT_EQ(index.part_shape(), Dims{0});
}

TEST(Index, UnknownLengthsStay) {
  const Index index{IndexItem::slice(-2, kNone), IndexItem::number(-1)};
  EXPECT_EQ(normal(index, {-1, -1}), "[-2:, -1]");
}

TEST(Index, NumbersOutOfRangeAreRefused) {
  const Error error = error_of([] {
    normal({IndexItem::number(0), IndexItem::number(3)}, {2, 3});
  });
  EXPECT_EQ(error.kind(), ErrorKind::kIndex);
  EXPECT_THAT(error.what(),
              HasSubstr("[slice] index: expected -3 to 2 on axis 1 of length 3, got 3"));
  EXPECT_THAT(error_of([] { normal({IndexItem::number(0)}, {0}); }).what(),
              HasSubstr("axis 0, which has length 0"));
}

TEST(Index, TooManyItemsAreRefused) {
  const Error error = error_of([] { normal({IndexItem::number(0), IndexItem::number(0)}, {2}); });
  EXPECT_EQ(error.kind(), ErrorKind::kIndex);
  EXPECT_THAT(error.what(), HasSubstr("at most 1 numbers and slices for shape [2], got [0, 0]"));
  EXPECT_EQ(error_of([] {
              normal({IndexItem::ellipsis(), IndexItem::ellipsis()}, {2});
            }).kind(),
            ErrorKind::kIndex);
}

TEST(Index, StepMustBePositive) {
  const Error error = error_of([] { normal({IndexItem::slice(kNone, kNone, -1)}, {3}); });
  EXPECT_EQ(error.kind(), ErrorKind::kArgument);
  EXPECT_THAT(error.what(), HasSubstr("expected a positive step on axis 0, got -1"));
  EXPECT_EQ(error_of([] { normal({IndexItem::slice(0, 2, 0)}, {3}); }).kind(),
            ErrorKind::kArgument);
}

TEST(Index, CopiesHoldTheItems) {
  Index index{IndexItem::number(1), IndexItem::slice(0, 2)};
  const Index copy = index;
  index.push_back(IndexItem::new_axis());
  EXPECT_EQ(text_of(copy), "[1, 0:2]");
  EXPECT_EQ(text_of(index), "[1, 0:2, None]");
}

}  // namespace
}  // namespace oploom
