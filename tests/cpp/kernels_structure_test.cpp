// Kernels of the families layout and indexing.

#include <gmock/gmock.h>

#include <cmath>

#include "tests/cpp/kernel_testing.h"

namespace oploom {
namespace {

using namespace test::kernel;
using testing::ElementsAre;
using testing::HasSubstr;

Tensor viewed(const Tensor& x, const ViewMap& map) {
  return alias(x, map.shape, map.strides, map.offset);
}

// --- Layout.

TEST(Reshape, OfStridedTensors) {
  const Tensor x = counting({2, 3, 4});
  EXPECT_THAT(values(viewed(x, *kernels::reshape(x, {4, 6}))),
              testing::ElementsAreArray(values(x)));
  const Tensor turned = viewed(x, kernels::transpose(x, {1, 0, 2}));  // [3, 2, 4]
  EXPECT_FALSE(kernels::reshape(turned, {6, 4}));
  EXPECT_FALSE(kernels::reshape(turned, {24}));
  for (const Dims& shape : {Dims{3, 2, 2, 2}, Dims{3, 1, 2, 4, 1}, Dims{1, 3, 2, 1, 4}}) {
    const std::optional<ViewMap> map = kernels::reshape(turned, shape);
    ASSERT_TRUE(map);
    EXPECT_EQ(map->shape, shape);
    EXPECT_EQ(values(viewed(turned, *map)), values(turned));
  }
  const Tensor column = alias(x, {2, 3}, {12, 4}, 1);  // x[:, :, 1]
  const std::optional<ViewMap> merged = kernels::reshape(column, {6});
  ASSERT_TRUE(merged);
  EXPECT_THAT(values(viewed(column, *merged)), ElementsAre(2, 6, 10, 14, 18, 22));
  EXPECT_TRUE(kernels::reshape(alias(x, {0, 3}, {1, 5}, 0), {3, 0}));
  EXPECT_TRUE(kernels::reshape(alias(x, {}, {}, 3), {1, 1}));
}

TEST(Views, Maps) {
  const Tensor x = counting({2, 1, 3});
  EXPECT_EQ(kernels::squeeze(x, {}).shape, (Dims{2, 3}));
  EXPECT_EQ(kernels::squeeze(x, {0}).shape, (Dims{2, 1, 3}));
  EXPECT_EQ(kernels::squeeze(x, {1}).strides, (Dims{3, 1}));
  EXPECT_EQ(kernels::unsqueeze(x, {-1, 0}).shape, (Dims{1, 2, 1, 3, 1}));
  EXPECT_THAT(values(viewed(x, kernels::transpose(x, {-1, 1, 0}))), ElementsAre(1, 4, 2, 5, 3, 6));
  EXPECT_THAT(values(viewed(x, kernels::expand(x, {2, -1, 2, 3}))),
              ElementsAre(1, 2, 3, 1, 2, 3, 4, 5, 6, 4, 5, 6, 1, 2, 3, 1, 2, 3, 4, 5, 6, 4, 5, 6));
  const Index index =
      Index{IndexItem::number(1), IndexItem::ellipsis(), IndexItem::slice(0, 3, 2)}.normalised(
          "slice", x.shape());
  EXPECT_THAT(values(viewed(x, kernels::slice(x, index))), ElementsAre(4, 6));
  // Of a view, offsets add up.
  const Tensor row =
      viewed(x, kernels::slice(x, Index{IndexItem::number(1)}.normalised("slice", x.shape())));
  EXPECT_EQ(kernels::squeeze(row, {}).offset, 3);
}

Index index_of(std::initializer_list<IndexItem> items, Ints shape) {
  return Index(items).normalised("set_item", shape);
}

TEST(SetItem, PlainAndOnItsOwnBytes) {
  const Tensor x = counting({2, 3});
  const Index column = index_of({IndexItem::slice(0, 2), IndexItem::number(1)}, x.shape());
  Tensor out = empty({2, 3}, DType::kFloat32);
  kernels::set_item(x, floats({1, 1, 2}, {8, 9}), column, out);
  EXPECT_THAT(values(out), ElementsAre(1, 8, 3, 4, 9, 6));
  EXPECT_THAT(values(x), ElementsAre(1, 2, 3, 4, 5, 6));
  kernels::set_item(out, floats({}, {0}), index_of({IndexItem::slice(0, 0)}, x.shape()), out);
  kernels::set_item(out, floats({}, {0}), index_of({IndexItem::number(-1)}, x.shape()), out);
  EXPECT_THAT(values(out), ElementsAre(1, 8, 3, 0, 0, 0));
  Tensor x_grad = empty({2, 3}, DType::kFloat32);
  kernels::slice_grad(floats({2}, {5, 6}), {2, 3}, column, x_grad);
  EXPECT_THAT(values(x_grad), ElementsAre(0, 5, 0, 0, 6, 0));
}

TEST(Concat, AlongEachAxis) {
  const std::vector<Tensor> xs{counting({2, 1}), counting({2, 0}), counting({2, 2})};
  Tensor out = empty({2, 3}, DType::kFloat32);
  kernels::concat(xs, 1, out);
  EXPECT_THAT(values(out), ElementsAre(1, 1, 2, 2, 3, 4));
  const std::vector<Tensor> rows{counting({1, 2}), counting({2, 2})};
  Tensor tall = empty({3, 2}, DType::kFloat32);
  kernels::concat(rows, 0, tall);
  EXPECT_THAT(values(tall), ElementsAre(1, 2, 1, 2, 3, 4));
}

TEST(Parts, AreReadEmbeddedWrittenAndCleared) {
  const Tensor root = counting({2, 3});
  Tensor column = empty({2}, DType::kFloat32);
  kernels::part(root, {2}, {3}, 1, column);
  EXPECT_THAT(values(column), ElementsAre(2, 5));
  Tensor embedded = empty({2, 3}, DType::kFloat32);
  kernels::embed(column, {2, 3}, {3}, 1, embedded);
  EXPECT_THAT(values(embedded), ElementsAre(0, 2, 0, 0, 5, 0));
  kernels::embed(floats({3}, {1, 2, 3}), {2, 3}, {0}, 4,
                 embedded);  // an expanded view: its gradients add up
  EXPECT_THAT(values(embedded), ElementsAre(0, 0, 0, 0, 6, 0));
  Tensor out = empty({2, 3}, DType::kFloat32);
  kernels::write_part(root, column, {1}, 0, out);
  EXPECT_THAT(values(out), ElementsAre(2, 5, 3, 4, 5, 6));
  kernels::clear_part(out, {3}, {1}, 3, out);
  EXPECT_THAT(values(out), ElementsAre(2, 5, 3, 0, 0, 0));
}

// --- Indexing.

TEST(Gather, AlongEachAxisAndBack) {
  const Tensor x = counting({2, 3});
  Tensor out = empty({2, 2}, DType::kFloat32);
  kernels::gather(x, ints({2}, {-1, 0}), 1, out);
  EXPECT_THAT(values(out), ElementsAre(3, 1, 6, 4));
  Tensor rows = empty({3, 3}, DType::kFloat32);
  kernels::gather(x, ints({3}, {1, 1, 0}), 0, rows);
  EXPECT_THAT(values(rows), ElementsAre(4, 5, 6, 4, 5, 6, 1, 2, 3));
  Tensor x_grad = empty({2, 3}, DType::kFloat32);
  kernels::gather_grad(rows, ints({3}, {1, 1, 0}), {2, 3}, 0, x_grad);
  EXPECT_THAT(values(x_grad), ElementsAre(1, 2, 3, 8, 10, 12));
}

TEST(Gather, PositionsAreTested) {
  const Tensor x = counting({2, 3});
  const Error error = error_of([&] {
    kernels::check_gather("gather", x, of<std::int32_t>({2, 1}, {2, 3}), 1);
  });
  EXPECT_EQ(error.kind(), ErrorKind::kIndex);
  EXPECT_THAT(
      error.what(),
      HasSubstr("[gather] index: expected indices from -3 to 2 on axis 1 of length 3, got 3 "
                "at position [1, 0]"));
  for (const std::int64_t bad : {std::int64_t{-4}, INT64_MAX, INT64_MIN}) {
    EXPECT_EQ(error_of([&] { kernels::check_gather("gather", x, ints({1}, {bad}), 1); }).kind(),
              ErrorKind::kIndex);
  }
  kernels::check_gather("gather", x, ints({2}, {-3, 2}), 1);
  EXPECT_THAT(error_of([] {
                kernels::check_gather("gather", empty({0}, DType::kFloat32), ints({1}, {0}), 0);
              }).what(),
              HasSubstr("expected no index on axis 0 of length 0"));
}

TEST(Scatter, LastUpdateWinsOrAllAreAdded) {
  const Tensor x = counting({3, 2});
  const Tensor index = ints({3}, {0, -1, 0});
  const Tensor updates = floats({3, 2}, {10, 20, 30, 40, 50, 60});
  Tensor out = empty({3, 2}, DType::kFloat32);
  kernels::scatter(x, index, updates, true, out);
  EXPECT_THAT(values(out), ElementsAre(50, 60, 3, 4, 30, 40));
  kernels::scatter(x, index, updates, false, out);
  EXPECT_THAT(values(out), ElementsAre(60, 80, 3, 4, 30, 40));
  kernels::scatter(out, ints({}, {1}), floats({2}, {7, 8}), true, out);  // in place, a 0-d index
  EXPECT_THAT(values(out), ElementsAre(60, 80, 7, 8, 30, 40));
  kernels::scatter_clear(x, index, out);
  EXPECT_THAT(values(out), ElementsAre(0, 0, 3, 4, 0, 0));
  Tensor last = empty({3, 2}, DType::kFloat32);
  kernels::scatter_last(x, index, last);
  EXPECT_THAT(values(last), ElementsAre(0, 0, 5, 6, 1, 2));
}

// Few rows of a large tensor are told apart in another way than many.
TEST(Scatter, LastUpdateOfFewRowsInALargeTensor) {
  const Tensor x = counting({100, 1});
  Tensor last = empty({4, 1}, DType::kFloat32);
  kernels::scatter_last(x, ints({4}, {7, 50, -93, 7}), last);
  EXPECT_THAT(values(last), ElementsAre(0, 51, 0, 8));
}

TEST(IndexTensors, ReadWriteAndGradients) {
  const Tensor x = counting({2, 2, 2});
  const std::vector<Tensor> indices{ints({2, 1}, {0, 1}), ints({2}, {1, -1})};
  Tensor out = empty({2, 2, 2}, DType::kFloat32);
  kernels::index(x, indices, out);  // x[[0, 0], [1, 1]] and x[[1, 1], [1, 1]]
  EXPECT_THAT(values(out), ElementsAre(3, 4, 3, 4, 7, 8, 7, 8));
  Tensor x_grad = empty({2, 2, 2}, DType::kFloat32);
  kernels::index_grad(counting({2, 2, 2}), indices, {2, 2, 2}, x_grad);
  EXPECT_THAT(values(x_grad), ElementsAre(0, 0, 4, 6, 0, 0, 12, 14));
  Tensor put = empty({2, 2, 2}, DType::kFloat32);
  kernels::index_put(x, indices, counting({2, 2, 2}), false, put);
  EXPECT_THAT(values(put), ElementsAre(1, 2, 3, 4, 5, 6, 7, 8));
  kernels::index_put(x, indices, floats({1, 2}, {10, 20}), true, put);
  EXPECT_THAT(values(put), ElementsAre(1, 2, 23, 44, 5, 6, 27, 48));
  kernels::index_put(x, indices, floats({1, 1, 1, 1}, {-1}), false, put);
  EXPECT_THAT(values(put), ElementsAre(1, 2, -1, -1, 5, 6, -1, -1));
  kernels::index_clear(x, indices, put);
  EXPECT_THAT(values(put), ElementsAre(1, 2, 0, 0, 5, 6, 0, 0));
  kernels::index_last(x, indices, put);
  EXPECT_THAT(values(put), ElementsAre(0, 0, 3, 4, 0, 0, 7, 8));
}

TEST(IndexTensors, PositionsAreTestedOnEachAxis) {
  const Tensor x = counting({2, 3});
  const std::vector<Tensor> indices{ints({1}, {1}), ints({1}, {3})};
  EXPECT_THAT(
      error_of([&] { kernels::check_index("index", x, indices); }).what(),
      HasSubstr("[index] indices: expected indices from -3 to 2 on axis 1 of length 3, got 3"));
}

TEST(Nonzero, GivesRowsOfPositions) {
  const Tensor out = kernels::nonzero(floats({2, 3}, {0, 1, 0, 2, 0, std::nanf("")}));
  EXPECT_EQ(out.shape(), (Ints{3, 2}));
  EXPECT_THAT(values<std::int64_t>(out), ElementsAre(0, 1, 1, 0, 1, 2));
  EXPECT_EQ(kernels::nonzero(floats({}, {5})).shape(), (Ints{1, 0}));
  EXPECT_EQ(kernels::nonzero(empty({0, 3}, DType::kFloat32)).shape(), (Ints{0, 2}));
}

}  // namespace
}  // namespace oploom
