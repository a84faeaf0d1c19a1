#include "runtime/core/infer.h"

#include <gmock/gmock.h>

#include <sstream>
#include <vector>

#include "tests/cpp/errors.h"

namespace oploom {
namespace {

using test::error_of;
using testing::HasSubstr;

// Borrows the shape: for one expression.
Meta meta(Ints shape, DType dtype = DType::kFloat32) { return Meta(shape, dtype); }

// Owns it.
struct Shaped {
  Dims shape;
  operator Meta() const { return Meta(shape, DType::kFloat32); }
};
using ShapedList = std::vector<Shaped>;

template <typename T>
std::string written(const T& value) {
  std::ostringstream out;
  out << value;
  return out.str();
}

// --- Dims, dtypes and scalars, which inference is made of.

TEST(Dims, CountsAndStrides) {
  EXPECT_EQ(count_elements({2, 3, 4}), 24);
  EXPECT_EQ(count_elements({}), 1);
  EXPECT_EQ(count_elements({INT64_MAX, INT64_MAX, 0}), 0);
  EXPECT_EQ(error_of([] { count_elements({INT64_MAX, 2}); }).kind(), ErrorKind::kMemory);
  EXPECT_EQ(contiguous_strides({2, 3, 4}), (Dims{12, 4, 1}));
  EXPECT_EQ(contiguous_strides({2, 0, 4}), (Dims{4, 4, 1}));
}

TEST(Dims, ContiguityIgnoresLengthsOfOneAndEmptyTensors) {
  EXPECT_TRUE(is_contiguous({2, 1, 3}, {3, 77, 1}));
  EXPECT_FALSE(is_contiguous({2, 3}, {4, 1}));
  EXPECT_FALSE(is_contiguous({2, 3}, {0, 1}));
  EXPECT_TRUE(is_contiguous({2, 0}, {9, 9}));
  EXPECT_TRUE(is_contiguous({}, {}));
}

TEST(Dims, MoreThanEightAreRefused) {
  EXPECT_EQ(error_of([] {
              Dims dims({1, 1, 1, 1, 1, 1, 1, 1, 1});
            }).kind(),
            ErrorKind::kUnimplemented);
  Dims dims = Dims::filled(kMaxRank, 1);
  EXPECT_EQ(error_of([&] { dims.push_back(1); }).kind(), ErrorKind::kUnimplemented);
}

TEST(DTypes, NamesReadBack) {
  for (int i = 0; i < kNumDTypes; ++i) {
    EXPECT_EQ(dtype_named(name_of(static_cast<DType>(i))), static_cast<DType>(i));
  }
  const Error error = error_of([] { dtype_named("float16"); });
  EXPECT_EQ(error.kind(), ErrorKind::kType);
  EXPECT_THAT(error.what(), HasSubstr("float64, got 'float16'"));
}

TEST(Scalars, AreWrittenAsTheyRead) {
  EXPECT_EQ(written(Scalar(true)), "true");
  EXPECT_EQ(written(Scalar(-3)), "-3");
  EXPECT_EQ(written(Scalar(1.0)), "1.0");
  EXPECT_EQ(written(Scalar(0.1)), "0.1");
  EXPECT_EQ(written(Scalar(1e300)), "1e+300");
}

TEST(Scalars, FloatsBecomeIntegersWithoutOverflow) {
  EXPECT_EQ(Scalar(-2.9).to_int(), -2);
  EXPECT_EQ(Scalar(1e30).to_int(), INT64_MAX);
  EXPECT_EQ(Scalar(-1e30).to_int(), INT64_MIN);
  EXPECT_EQ(Scalar(std::numeric_limits<double>::quiet_NaN()).to_int(), 0);
}

// --- Attributes in normal form.

TEST(InferAxis, CountsFromTheEnd) {
  EXPECT_EQ(infer::axis("softmax", -1, 3), 2);
  EXPECT_EQ(infer::axis("softmax", -1, 0), 0);  // a 0-d tensor counts as one axis
  const Error error = error_of([] { infer::axis("softmax", 3, 3); });
  EXPECT_EQ(error.kind(), ErrorKind::kArgument);
  EXPECT_THAT(error.what(),
              HasSubstr("[softmax] axis: expected -3 to 2 for a tensor of 3 dimensions, got 3"));
}

TEST(InferAxes, SortedAndOnce) {
  EXPECT_EQ(infer::axes("sum", {-1, 0}, 3), (Dims{0, 2}));
  EXPECT_EQ(infer::axes("sum", {}, 3), Dims());
  EXPECT_EQ(infer::axes("sum", {0}, 0), Dims());
  EXPECT_THAT(error_of([] {
                infer::axes("sum", {1, -2}, 3);
              }).what(),
              HasSubstr("expected each axis once"));
}

TEST(InferTargetShape, WorksOneLengthOut) {
  EXPECT_EQ(infer::target_shape("reshape", {-1, 4}, meta({2, 6})), (Dims{3, 4}));
  EXPECT_EQ(infer::target_shape("reshape", {-1}, meta({})), Dims{1});
  EXPECT_EQ(infer::target_shape("reshape", {-1, 2}, meta({0, 5})), (Dims{0, 2}));
  EXPECT_EQ(infer::target_shape("reshape", {-1, 2}, meta({-1, 5})), (Dims{-1, 2}));
  EXPECT_THAT(error_of([] {
                infer::target_shape("reshape", {-1, 5}, meta({2, 6}));
              }).what(),
              HasSubstr("divide the 12 elements of shape [2, 6], got [-1, 5]"));
  EXPECT_THAT(error_of([] {
                infer::target_shape("reshape", {-1, 0}, meta({0, 5}));
              }).what(),
              HasSubstr("no one meaning"));
  EXPECT_EQ(error_of([] {
              infer::target_shape("reshape", {-1, -1}, meta({4}));
            }).kind(),
            ErrorKind::kArgument);
  EXPECT_EQ(error_of([] { infer::target_shape("reshape", {-2}, meta({4})); }).kind(),
            ErrorKind::kArgument);
}

// --- Dtypes.

TEST(InferDType, NumbersAreWeak) {
  const Meta i32(Ints(), DType::kInt32);
  const Meta f64(Ints(), DType::kFloat64);
  const Meta u8(Ints(), DType::kUInt8);
  const Meta boolean(Ints(), DType::kBool);
  const Meta two(Ints(), DType::kInt64, true);
  const Meta half(Ints(), DType::kFloat64, true);
  EXPECT_EQ(infer::promoted(i32, two), DType::kInt32);
  EXPECT_EQ(infer::promoted(half, i32), DType::kFloat32);
  EXPECT_EQ(infer::promoted(f64, half), DType::kFloat64);
  EXPECT_EQ(infer::promoted(boolean, two), DType::kInt64);
  EXPECT_EQ(infer::promoted(two, half), DType::kFloat32);
  EXPECT_EQ(infer::promoted(u8, i32), DType::kInt32);
  EXPECT_EQ(infer::promoted(boolean, half, i32), DType::kFloat32);
  EXPECT_EQ(infer::promoted(i32, Meta()), DType::kInt32);  // absent
  EXPECT_EQ(infer::float_promoted(i32, two), DType::kFloat32);
  EXPECT_EQ(infer::summed(boolean), DType::kInt64);
  EXPECT_EQ(infer::summed(meta({}, DType::kFloat32)), DType::kFloat32);
}

// --- Shapes.

TEST(InferBroadcast, KnownLengthsWin) {
  EXPECT_EQ(infer::broadcast("add", meta({2, 1, 3}), meta({4, 1})), (Dims{2, 4, 3}));
  EXPECT_EQ(infer::broadcast("add", meta({3}), meta({})), Dims{3});
  EXPECT_EQ(infer::broadcast("add", meta({1}), meta({0})), Dims{0});
  EXPECT_EQ(infer::broadcast("add", meta({-1, 5}), meta({4, -1})), (Dims{4, 5}));
  EXPECT_EQ(infer::broadcast("add", meta({-1}), meta({1})), Dims{-1});
  const Error error = error_of([] { infer::broadcast("add", meta({2, 3}), meta({2})); });
  EXPECT_EQ(error.kind(), ErrorKind::kArgument);
  EXPECT_THAT(error.what(), HasSubstr("got [2, 3] and [2]: on axis -1 the lengths are 3 and 2"));
}

TEST(InferReduced, AllAxesWhereNoneIsNamed) {
  EXPECT_EQ(infer::reduced("sum", meta({2, 3, 4}), {1}, false), (Dims{2, 4}));
  EXPECT_EQ(infer::reduced("sum", meta({2, 3, 4}), {1}, true), (Dims{2, 1, 4}));
  EXPECT_EQ(infer::reduced("sum", meta({2, 3}), {}, false), Dims());
  EXPECT_EQ(infer::reduced("sum", meta({2, 3}), {}, true), (Dims{1, 1}));
}

TEST(InferReshaped, CountsMustAgree) {
  EXPECT_EQ(infer::reshaped("reshape", meta({2, 6}), {3, 4}), (Dims{3, 4}));
  EXPECT_EQ(infer::reshaped("reshape", meta({-1, 6}), {3, 4}), (Dims{3, 4}));
  EXPECT_THAT(error_of([] {
                infer::reshaped("reshape", meta({2, 6}), {5});
              }).what(),
              HasSubstr("expected 12 elements as in shape [2, 6], got [5], which has 5"));
}

TEST(InferSqueezed, LongerAxesStay) {
  EXPECT_EQ(infer::squeezed("squeeze", meta({5, 1, 10}), {1}), (Dims{5, 10}));
  EXPECT_EQ(infer::squeezed("squeeze", meta({5, 1, 10}), {0}), (Dims{5, 1, 10}));
  EXPECT_EQ(infer::squeezed("squeeze", meta({1, 5, 1}), {}), Dims{5});
  EXPECT_EQ(error_of([] {
              infer::squeezed("squeeze", meta({-1, 1}), {});
            }).kind(),
            ErrorKind::kArgument);
}

TEST(InferUnsqueezed, AxesCountInTheResult) {
  EXPECT_EQ(infer::unsqueezed("unsqueeze", meta({2, 3}), {1}), (Dims{2, 1, 3}));
  EXPECT_EQ(infer::unsqueezed("unsqueeze", meta({2, 3}), {-1, 0}), (Dims{1, 2, 3, 1}));
  EXPECT_EQ(infer::unsqueezed("unsqueeze", meta({}), {0, 1}), (Dims{1, 1}));
  EXPECT_EQ(infer::unsqueezed("unsqueeze", meta({}), {}), Dims());
  EXPECT_EQ(error_of([] { infer::unsqueezed("unsqueeze", meta({2}), {2}); }).kind(),
            ErrorKind::kArgument);
}

TEST(InferTransposed, EachAxisOnce) {
  EXPECT_EQ(infer::transposed("transpose", meta({2, 3, 4}), {2, 0, -2}), (Dims{4, 2, 3}));
  EXPECT_EQ(infer::transposed("transpose", meta({}), {}), Dims());
  for (const Dims& perm : {Dims{0}, Dims{0, 0}, Dims{0, 2}, Dims{0, -3}}) {
    EXPECT_EQ(error_of([&] {
                infer::transposed("transpose", meta({2, 3}), perm);
              }).kind(),
              ErrorKind::kArgument);
  }
}

TEST(InferExpanded, OnlyLengthsOfOneGrow) {
  EXPECT_EQ(infer::expanded("expand", meta({3, 1}), {2, -1, 4}), (Dims{2, 3, 4}));
  EXPECT_EQ(infer::expanded("expand", meta({}), {2}), Dims{2});
  EXPECT_EQ(infer::expanded("expand", meta({1}), {0}), Dims{0});
  for (const Dims& shape : {Dims{4}, Dims{2, 1}, Dims{-1, 3, 1}}) {
    EXPECT_EQ(error_of([&] {
                infer::expanded("expand", meta({3, 1}), shape);
              }).kind(),
              ErrorKind::kArgument);
  }
}

TEST(InferSliced, UnknownAxesStayUnknown) {
  const Index index{IndexItem::slice(1, 3), IndexItem::new_axis(), IndexItem::number(0)};
  EXPECT_EQ(infer::sliced("slice", meta({5, 2, 7}), index.normalised("slice", {5, 2, 7})),
            (Dims{2, 1, 7}));
  EXPECT_EQ(infer::sliced("slice", meta({-1, 2, 7}), index.normalised("slice", {-1, 2, 7})),
            (Dims{-1, 1, 7}));
}

TEST(InferAssigned, ValueFitsThePart) {
  const Index index = Index{IndexItem::slice(0, 2)}.normalised("set_item", {4, 3});
  EXPECT_EQ(infer::assigned("set_item", meta({4, 3}), meta({3}), index), (Dims{4, 3}));
  EXPECT_EQ(infer::assigned("set_item", meta({4, 3}), meta({1, 2, 1}), index), (Dims{4, 3}));
  EXPECT_THAT(error_of([&] {
                infer::assigned("set_item", meta({4, 3}), meta({4, 3}), index);
              }).what(),
              HasSubstr("broadcasts to [2, 3], the shape of the part written, got [4, 3]"));
  const Error error = error_of([&] {
    infer::assigned("set_item", meta({4, 3}, DType::kInt64), meta({3}), index);
  });
  EXPECT_EQ(error.kind(), ErrorKind::kType);
  EXPECT_THAT(error.what(), HasSubstr("fits dtype int64, got float32"));
}

TEST(InferMatmul, VectorsLeaveNoAxis) {
  const auto shape = [](Ints x, Ints y, bool tx = false, bool ty = false) {
    return infer::matmul_shape("matmul", meta(x), meta(y), tx, ty);
  };
  EXPECT_EQ(shape({2, 3}, {3, 4}), (Dims{2, 4}));
  EXPECT_EQ(shape({3, 2}, {4, 3}, true, true), (Dims{2, 4}));
  EXPECT_EQ(shape({3}, {3}), Dims());
  EXPECT_EQ(shape({3}, {5, 3, 4}), (Dims{5, 4}));
  EXPECT_EQ(shape({5, 2, 3}, {3}), (Dims{5, 2}));
  EXPECT_EQ(shape({3}, {4, 3}, true, true), Dims{4});
  EXPECT_EQ(shape({5, 1, 2, 3}, {6, 3, 4}), (Dims{5, 6, 2, 4}));
  EXPECT_EQ(shape({-1, 3}, {-1, 4}), (Dims{-1, 4}));
  EXPECT_THAT(
      error_of([&] {
        shape({2, 3}, {4, 5});
      }).what(),
      HasSubstr("[matmul] y: expected 3 rows to match x of shape [2, 3], got 4 in shape [4, 5]"));
  EXPECT_THAT(error_of([&] { shape({}, {3}); }).what(),
              HasSubstr("[matmul] x: expected at least one dimension"));
  EXPECT_EQ(error_of([&] { shape({2, 2, 3}, {3, 3, 4}); }).kind(), ErrorKind::kArgument);
}

TEST(InferConcat, OneAxisMayDiffer) {
  const ShapedList xs{{{2, 3}}, {{2, 1}}};
  EXPECT_EQ(infer::concat_shape("concat", xs, 1), (Dims{2, 4}));
  EXPECT_EQ(infer::concat_shape("concat", xs, -1), (Dims{2, 4}));
  EXPECT_THAT(error_of([&] { infer::concat_shape("concat", xs, 0); }).what(),
              HasSubstr("differ on axis 0 only, got [2, 3] and [2, 1] (number 1)"));
  EXPECT_EQ(error_of([] { infer::concat_shape("concat", ShapedList(), 0); }).kind(),
            ErrorKind::kArgument);
  EXPECT_EQ(error_of([] { infer::concat_shape("concat", ShapedList{{{}}}, 0); }).kind(),
            ErrorKind::kArgument);
}

TEST(InferIndexing, IndexTakesTheAxis) {
  const Shaped index{{2, 5}};
  EXPECT_EQ(infer::taken("gather", meta({3, 4}), index, 1), (Dims{3, 2, 5}));
  EXPECT_EQ(infer::taken("gather", meta({3, 4}), meta({}, DType::kInt64), 0), Dims{4});
  EXPECT_EQ(infer::selected("index_select", meta({3, 4}), meta({7}, DType::kInt64), 1),
            (Dims{3, 7}));
  EXPECT_EQ(error_of([&] { infer::selected("index_select", meta({3}), index, 0); }).kind(),
            ErrorKind::kArgument);
  const ShapedList two{{{2, 1}}, {{5}}};
  EXPECT_EQ(infer::indexed("index", meta({3, 4, 6}), two), (Dims{2, 5, 6}));
  EXPECT_EQ(infer::put("index_put", meta({3, 4, 6}), two, meta({6})), (Dims{3, 4, 6}));
  EXPECT_EQ(error_of([&] { infer::indexed("index", meta({3}), two); }).kind(), ErrorKind::kIndex);
}

TEST(InferScatter, UpdatesHaveARowForEachIndex) {
  EXPECT_EQ(infer::scattered("scatter", meta({5, 2}), meta({3}), meta({3, 2})), (Dims{5, 2}));
  EXPECT_EQ(infer::scattered("scatter", meta({5, 2}), meta({}), meta({2})), (Dims{5, 2}));
  EXPECT_THAT(error_of([] {
                infer::scattered("scatter", meta({5, 2}), meta({3}), meta({2, 2}));
              }).what(),
              HasSubstr("[scatter] updates: expected shape [3, 2]"));
}

TEST(InferCrossEntropy, LabelLacksTheAxis) {
  const auto shape = [](Ints x, Ints label, std::int64_t axis, std::string_view reduction) {
    return infer::cross_entropy_shape("cross_entropy", meta(x), meta(label), axis, reduction);
  };
  EXPECT_EQ(shape({4, 10}, {4}, -1, "none"), Dims{4});
  EXPECT_EQ(shape({4, 10, 3}, {4, 3}, 1, "none"), (Dims{4, 3}));
  EXPECT_EQ(shape({4, 10}, {4}, -1, "mean"), Dims());
  EXPECT_EQ(shape({-1, 10}, {4}, -1, "none"), Dims{4});
  EXPECT_THAT(error_of([&] {
                shape({4, 10}, {4, 1}, -1, "mean");
              }).what(),
              HasSubstr("[cross_entropy] label: expected shape [4] (x's shape [4, 10] without axis "
                        "1), got [4, 1]"));
}

}  // namespace
}  // namespace oploom
