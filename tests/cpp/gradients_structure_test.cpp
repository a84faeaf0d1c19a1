// First and second order of the families reduction, linalg, loss, layout and indexing against
// finite differences in float64, in the cases that the harness over the registry does not draw:
// ties, duplicates, 1-d operands, batches that broadcast, ignored labels.

#include <gmock/gmock.h>
#include <oploom/oploom.h>

#include <cmath>
#include <functional>
#include <vector>

#include "tests/cpp/tensors.h"

namespace oploom::test {
namespace {

using Tensors = std::vector<Tensor>;
using Function = std::function<Tensor(const Tensors&)>;

Tensor noise(Ints shape, std::int64_t seed) {
  Tensor x = empty(shape, DType::kFloat64);
  for (std::int64_t i = 0; i < x.numel(); ++i) {
    x.data<double>()[i] = static_cast<double>(((i + seed) * 7919 + 13) % 101) / 50.0 - 1.0;
  }
  return x;
}

Tensor ints(Ints shape, const std::vector<std::int64_t>& data) {
  Tensor x = empty(shape, DType::kInt64);
  std::copy(data.begin(), data.end(), x.data<std::int64_t>());
  return x;
}

Tensors leaves(const Tensors& xs) {
  Tensors copies;
  for (const Tensor& x : xs) {
    copies.push_back(imperative_clone(x));
    set_stop_gradient(copies.back(), false);
  }
  return copies;
}

// A number that depends on each element of y, and on each differently.
Tensor weighed(const Tensor& y, std::int64_t seed) {
  return imperative_sum(imperative_multiply(imperative_sin(y), noise(y.shape(), seed)));
}

Tensors gradients(const Tensor& loss, const Tensors& xs, bool create_graph) {
  const Tensors outputs{loss};
  Tensors found = grad(outputs, xs, {}, {}, {.retain_graph = {}, .create_graph = create_graph});
  for (std::size_t i = 0; i < xs.size(); ++i) {
    if (!found[i].defined()) found[i] = imperative_zeros(xs[i].shape(), DType::kFloat64);
  }
  return found;
}

// value(xs) and its gradients against differences.
void check_gradients(const char* order, const Tensors& xs,
                     const std::function<double(const Tensors&)>& value, const Tensors& found) {
  constexpr double kStep = 1e-6;
  for (std::size_t k = 0; k < xs.size(); ++k) {
    for (std::int64_t i = 0; i < xs[k].numel(); ++i) {
      Tensors up = leaves(xs);
      Tensors down = leaves(xs);
      up[k].data<double>()[i] += kStep;
      down[k].data<double>()[i] -= kStep;
      const double expected = (value(up) - value(down)) / (2 * kStep);
      ASSERT_EQ(found[k].shape(), xs[k].shape());
      EXPECT_NEAR(values(found[k])[static_cast<std::size_t>(i)], expected,
                  1e-6 * (1 + std::abs(expected)))
          << order << " order, input " << k << ", element " << i;
    }
  }
}

void check(const Function& f, const Tensors& xs) {
  const auto loss = [&](const Tensors& at) { return weighed(f(at), 3); };
  // The gradients, weighed once more: a function whose gradient is the second order.
  const auto slope = [&](const Tensors& at) {
    const Tensors first = gradients(loss(at), at, true);
    Tensor sum = imperative_zeros({}, DType::kFloat64);
    for (std::size_t i = 0; i < first.size(); ++i) {
      sum = imperative_add(sum, weighed(first[i], 11 + static_cast<std::int64_t>(i)));
    }
    return sum;
  };
  const auto number = [](const Tensor& x) { return *x.data<double>(); };
  const Tensors at = leaves(xs);
  check_gradients(
      "first", xs, [&](const Tensors& t) { return number(loss(t)); },
      gradients(loss(at), at, false));
  check_gradients(
      "second", xs, [&](const Tensors& t) { return number(slope(t)); },
      gradients(slope(at), at, false));
}

// --- Reductions.

TEST(Gradients, Reductions) {
  for (const bool keepdim : {false, true}) {
    for (const Dims& axis : {Dims{}, Dims{1}, Dims{0, 2}}) {
      check([&](const Tensors& x) { return imperative_sum(x[0], axis, keepdim); },
            {noise({2, 3, 2}, 1)});
      check([&](const Tensors& x) { return imperative_mean(x[0], axis, keepdim); },
            {noise({2, 3, 2}, 1)});
      check([&](const Tensors& x) { return imperative_max(x[0], axis, keepdim); },
            {noise({2, 3, 2}, 1)});
    }
  }
}

TEST(Gradients, MaxSharesAmongTies) {
  const Tensors x{leaf({2, 3}, {5, 5, 1, 2, 2, 2})};
  const Tensor out = imperative_max(x[0], {1});
  EXPECT_EQ(values(gradients(imperative_sum(imperative_multiply(out, 6)), x, false)[0]),
            (std::vector<double>{3, 3, 0, 2, 2, 2}));
}

TEST(Gradients, OfEmptyTensors) {
  const Tensors x{leaf({0, 3}, {})};
  EXPECT_EQ(gradients(imperative_sum(imperative_mean(x[0], {0})), x, false)[0].shape(),
            (Ints{0, 3}));
}

// --- Matrix products.

TEST(Gradients, MatmulOfMatrices) {
  for (const bool tx : {false, true}) {
    for (const bool ty : {false, true}) {
      check([&](const Tensors& x) { return imperative_matmul(x[0], x[1], tx, ty); },
            {noise(tx ? Ints{3, 2} : Ints{2, 3}, 1), noise(ty ? Ints{2, 3} : Ints{3, 2}, 2)});
    }
  }
}

TEST(Gradients, MatmulOfVectors) {
  const auto product = [](const Tensors& x) { return imperative_matmul(x[0], x[1]); };
  check(product, {noise({3}, 1), noise({3}, 2)});
  check(product, {noise({3}, 1), noise({3, 2}, 2)});
  check(product, {noise({2, 3}, 1), noise({3}, 2)});
  check(product, {noise({3}, 1), noise({2, 3, 2}, 2)});
  check(product, {noise({2, 2, 3}, 1), noise({3}, 2)});
  const auto turned = [](const Tensors& x) { return imperative_matmul(x[0], x[1], true, true); };
  check(turned, {noise({3}, 1), noise({2, 3}, 2)});
  check(turned, {noise({3, 2}, 1), noise({3}, 2)});
}

TEST(Gradients, MatmulOfBatches) {
  for (const bool turned : {false, true}) {
    const auto product = [turned](const Tensors& x) {
      return imperative_matmul(x[0], x[1], turned, turned);
    };
    check(product, {noise({2, 2, 2}, 1), noise({2, 2}, 2)});
    check(product, {noise({2, 2}, 1), noise({2, 2, 2}, 2)});
    check(product, {noise({2, 1, 2, 2}, 1), noise({1, 2, 2}, 2)});
    check(product, {noise({1, 2, 2}, 1), noise({2, 1, 2, 2}, 2)});
  }
}

// --- Cross entropy.

TEST(Gradients, CrossEntropy) {
  for (const std::string_view reduction : {"none", "sum", "mean"}) {
    check(
        [&](const Tensors& x) {
          return imperative_cross_entropy(x[0], ints({3}, {1, -100, 2}), -1, -100, reduction);
        },
        {noise({3, 3}, 1)});
    check(
        [&](const Tensors& x) {
          return imperative_cross_entropy(x[0], ints({2, 2}, {0, 1, 1, 2}), 1, 2, reduction);
        },
        {noise({2, 3, 2}, 5)});
  }
}

TEST(Gradients, CrossEntropyOfIgnoredLabelsAlone) {
  const Tensors x{leaf({2, 2}, {1, 2, 3, 4})};
  const Tensor loss = imperative_cross_entropy(x[0], ints({2}, {-100, -100}));
  EXPECT_TRUE(std::isnan(values(loss)[0]));
  EXPECT_EQ(values(gradients(loss, x, false)[0]), (std::vector<double>{0, 0, 0, 0}));
}

// --- Layout.

TEST(Gradients, Views) {
  const Tensors x{noise({2, 1, 3}, 1)};
  check([](const Tensors& t) { return imperative_reshape(t[0], {3, -1}); }, x);
  check([](const Tensors& t) { return imperative_squeeze(t[0]); }, x);
  check([](const Tensors& t) { return imperative_unsqueeze(t[0], {-1, 0}); }, x);
  check([](const Tensors& t) { return imperative_transpose(t[0], {2, 0, 1}); }, x);
  check(
      [](const Tensors& t) {
        return imperative_reshape(imperative_transpose(t[0], {2, 0, 1}), {6});
      },
      x);
  check([](const Tensors& t) { return imperative_expand(t[0], {2, 2, 2, 3}); }, x);
  const Index index{IndexItem::number(-1), IndexItem::new_axis(), IndexItem::ellipsis(),
                    IndexItem::slice(0, IndexItem::kNone, 2)};
  check([&](const Tensors& t) { return imperative_slice(t[0], index); }, x);
}

TEST(Gradients, SetItem) {
  const Index column{IndexItem::slice(0, 2), IndexItem::number(1)};
  for (const Dims& shape : {Dims{2}, Dims{}, Dims{1, 2}}) {
    const Tensors xs{noise({3, 2}, 1), noise(shape, 2)};
    check([&](const Tensors& x) { return imperative_set_item(x[0], x[1], column); }, xs);
    check(
        [&](const Tensors& x) {
          Tensor target = imperative_clone(x[0]);
          return imperative_set_item_(target, imperative_square(x[1]), column);
        },
        xs);
  }
}

TEST(Gradients, SplitAndConcat) {
  check(
      [](const Tensors& x) {
        const Tensors parts = imperative_split(x[0], {1, -1}, 1);
        return imperative_multiply(parts[0], parts[1]);
      },
      {noise({2, 3}, 1)});
  check([](const Tensors& x) { return imperative_concat(x, 1); },
        {noise({2, 1}, 1), noise({2, 2}, 2)});
  check([](const Tensors& x) { return imperative_concat(x, 0); }, {noise({2, 1}, 1)});
}

TEST(Gradients, Parts) {
  const Tensors x{noise({2, 3}, 1)};
  check([](const Tensors& t) { return imperative_part(t[0], {2}, {3}, 1); }, x);
  check([](const Tensors& t) { return imperative_part(t[0], {2, 2}, {0, 1}, 1); }, x);  // overlaps
  check([](const Tensors& t) { return imperative_embed(t[0], {7}, {3, 1}, 1); }, x);
  check([](const Tensors& t) { return imperative_embed(t[0], {7}, {1, 1}, 1); }, x);  // overlaps
  check([](const Tensors& t) { return imperative_clear_part(t[0], {2}, {3}, 1); }, x);
  check([](const Tensors& t) { return imperative_write_part(t[0], t[1], {3}, 1); },
        {noise({2, 3}, 1), noise({2}, 2)});
}

// --- Indexing.

TEST(Gradients, Gather) {
  check(
      [](const Tensors& x) {
        return imperative_gather(x[0], ints({2, 2}, {0, -1, 0, 0}), 1);
      },
      {noise({2, 3}, 1)});
  check(
      [](const Tensors& x) {
        return imperative_index_select(x[0], ints({3}, {1, 1, 0}));
      },
      {noise({2, 3}, 1)});
  check([](const Tensors& x) { return imperative_gather(x[0], ints({}, {1})); },
        {noise({2, 3}, 1)});
}

TEST(Gradients, ScatterWithDuplicates) {
  for (const bool overwrite : {false, true}) {
    check(
        [&](const Tensors& x) {
          return imperative_scatter(x[0], ints({3}, {0, -1, 0}), x[1], overwrite);
        },
        {noise({3, 2}, 1), noise({3, 2}, 2)});
    check(
        [&](const Tensors& x) {
          Tensor target = imperative_clone(x[0]);
          return imperative_scatter_(target, ints({2}, {1, 1}), x[1], overwrite);
        },
        {noise({3, 2}, 1), noise({2, 2}, 2)});
  }
}

TEST(Gradients, IndexTensorsWithDuplicates) {
  const Tensors indices{ints({2, 1}, {0, 1}), ints({2}, {1, -1})};
  check([&](const Tensors& x) { return imperative_index(x[0], indices); }, {noise({2, 2, 2}, 1)});
  for (const bool accumulate : {false, true}) {
    for (const Dims& shape : {Dims{2, 2, 2}, Dims{2, 1}, Dims{}, Dims{1, 1, 1, 2}}) {
      check([&](const Tensors& x) { return imperative_index_put(x[0], indices, x[1], accumulate); },
            {noise({2, 2, 2}, 1), noise(shape, 2)});
      check(
          [&](const Tensors& x) {
            Tensor target = imperative_clone(x[0]);
            return imperative_index_put_(target, indices, imperative_square(x[1]), accumulate);
          },
          {noise({2, 2, 2}, 1), noise(shape, 2)});
    }
  }
}

}  // namespace
}  // namespace oploom::test
