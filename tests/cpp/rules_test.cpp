// Rules of docs/inplace.md as a C++ caller meets them. tests/python has them all; here is what C++
// has of its own: references, kinds, the position "C++", threads of the interpreter that are not
// there.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <oploom/oploom.h>

#include <cmath>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "runtime/autograd/engine.h"
#include "runtime/tracer/tracer.h"
#include "tests/cpp/errors.h"
#include "tests/cpp/tensors.h"

namespace oploom::test {

namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;

// A leaf and a tensor of its values with a history.
std::pair<Tensor, Tensor> inner(const std::vector<double>& data) {
  Tensor w = leaf(data);
  Tensor x = imperative_clone(w);
  return {w, x};
}

TEST(Rules, ReadmeExample) {
  Tensor x = imperative_rand({5, 1, 10});
  Tensor& y = imperative_squeeze_(x, {1});
  EXPECT_EQ(&y, &x);
  EXPECT_EQ(y.shape(), Ints({5, 10}));
  EXPECT_EQ(y.inplace_version(), 1u);
}

TEST(Rules, C1LeafIsRefused) {
  Tensor w = leaf({1, -2});
  w.set_name("weight");
  const Error error = error_of([&] { imperative_relu_(w); });
  EXPECT_EQ(error.kind(), ErrorKind::kLeafInplace);
  EXPECT_THAT(error.what(), StartsWith("(InvalidArgument) Leaf Tensor (weight) that doesn't stop "
                                       "gradient can't use inplace strategy."));
  EXPECT_THAT(error.what(), HasSubstr("relu_"));
  EXPECT_THAT(error.what(), HasSubstr("[2]"));
  EXPECT_THAT(values(w), ElementsAre(1, -2));
  EXPECT_EQ(w.inplace_version(), 0u);
}

TEST(Rules, C2ViewOfLeafIsRefused) {
  Tensor w = leaf({2, 1}, {1, -2});
  Tensor view = imperative_squeeze(w, {1});
  EXPECT_EQ(error_of([&] { imperative_add_(view, 1); }).kind(), ErrorKind::kLeafInplace);
  Tensor detached = detach(w);
  imperative_add_(detached, 1);
  EXPECT_THAT(values(w), ElementsAre(2, -1));
  EXPECT_EQ(w.inplace_version(), 1u);
}

TEST(Rules, C3NoGradAllowsBoth) {
  Tensor w = leaf({2, 1}, {1, -2});
  Tensor view = imperative_squeeze(w, {1});
  const NoGrad scope;
  imperative_add_(view, 1);
  imperative_relu_(w);
  EXPECT_THAT(values(w), ElementsAre(2, 0));
  EXPECT_EQ(w.inplace_version(), 2u);
  EXPECT_TRUE(is_leaf(w));
  EXPECT_FALSE(stop_gradient(w));
}

TEST(Rules, C4ViewMadeUnderNoGrad) {
  auto [w, x] = inner({1, 2});
  Tensor view;
  {
    const NoGrad scope;
    view = imperative_unsqueeze(x, {0});
  }
  EXPECT_TRUE(stop_gradient(view));
  EXPECT_TRUE(is_leaf(view));
  const Error error = error_of([&] { imperative_add_(view, 1); });
  EXPECT_EQ(error.kind(), ErrorKind::kInplace);
  EXPECT_THAT(error.what(), HasSubstr("no_grad"));
  EXPECT_THAT(values(x), ElementsAre(1, 2));
}

TEST(Rules, C5AndC6Fit) {
  Tensor x = constant({1, 2, 3});
  const Error shape = error_of([&] { imperative_add_(x, constant({2, 3}, {1, 2, 3, 4, 5, 6})); });
  EXPECT_THAT(shape.what(), HasSubstr("[3]"));
  EXPECT_THAT(shape.what(), HasSubstr("[2, 3]"));
  Tensor n = imperative_full({2}, 1);
  const Error dtype = error_of([&] { imperative_add_(n, 1.5); });
  EXPECT_EQ(dtype.kind(), ErrorKind::kType);
  EXPECT_EQ(n.dtype(), DType::kInt64);
  EXPECT_EQ(n.inplace_version(), 0u);
}

TEST(Rules, C6NewStorageStartsAtTheNextVersion) {
  auto [w, x] = inner({1.5, 2.5});
  imperative_add_(x, 0);
  const Tensor y = imperative_square(x);
  imperative_cast_(x, DType::kFloat32);
  EXPECT_EQ(x.inplace_version(), 2u);
  EXPECT_EQ(x.dtype(), DType::kFloat32);
  backward(imperative_sum(y));
  EXPECT_THAT(gradient(w), ElementsAre(3, 5));
  Tensor base = constant({1, 2});
  const Tensor other = detach(base);
  EXPECT_EQ(error_of([&] { imperative_cast_(base, DType::kInt64); }).kind(), ErrorKind::kInplace);
}

TEST(Rules, C7OverlapIsRefused) {
  Tensor base = constant({2, 1}, {1, 2});
  Tensor wide = imperative_expand(base, {2, 3});
  const Error error = error_of([&] { imperative_add_(wide, 1); });
  EXPECT_THAT(error.what(), HasSubstr("expand"));
  EXPECT_THAT(error.what(), HasSubstr("clone()"));
  Tensor same = imperative_expand(base, {2, 1});
  imperative_add_(same, 1);
  EXPECT_THAT(values(base), ElementsAre(2, 3));
}

TEST(Rules, C8SharedInputsAreReadAsTheyWere) {
  auto [w, x] = inner({1, 2, 3, 4});
  Tensor to = imperative_slice(x, {IndexItem::slice(1, 4)});
  imperative_copy_(to, imperative_slice(x, {IndexItem::slice(0, 3)}));
  EXPECT_THAT(values(x), ElementsAre(1, 1, 2, 3));
  imperative_multiply_(x, x);
  backward(imperative_sum(x));
  EXPECT_THAT(gradient(w), ElementsAre(2 + 2, 4, 6, 0));
}

TEST(Rules, C9OverlappingTargetsAreRefused) {
  Tensor buffer = constant({1, 2, 3});
  Tensor param = imperative_slice(buffer, {IndexItem::slice(0, 2)});
  Tensor velocity = imperative_slice(buffer, {IndexItem::slice(1, 3)});
  const Tensor grad = constant({1, 1});
  Tensor absent;
  const Error error =
      error_of([&] { imperative_momentum_(param, grad, velocity, 0.1, absent, {.mu = 0.9}); });
  EXPECT_THAT(error.what(), HasSubstr("momentum_"));
  EXPECT_THAT(values(buffer), ElementsAre(1, 2, 3));
  EXPECT_EQ(buffer.inplace_version(), 0u);
}

TEST(Rules, C11UpdatesWriteLeaves) {
  Tensor w = leaf({1, 2});
  Tensor absent;
  imperative_sgd_(w, 0.5, constant({2, 2}), absent);
  EXPECT_THAT(values(w), ElementsAre(0, 1));
  EXPECT_EQ(w.inplace_version(), 1u);
  EXPECT_TRUE(is_leaf(w));
}

TEST(Rules, E1OneVersionForTheFamily) {
  Tensor base = constant({1, 2});
  Tensor view = imperative_unsqueeze(base, {0});
  Tensor detached = detach(base);
  imperative_add_(view, 1);
  imperative_add_(detached, 1);
  EXPECT_EQ(base.inplace_version(), 2u);
  EXPECT_EQ(imperative_clone(base).inplace_version(), 0u);
}

TEST(Rules, E1aOnlyTheMapOfTheTargetChanges) {
  auto [w, x] = inner({1, 2});
  Tensor view = imperative_unsqueeze(x, {0});
  {
    const NoGrad scope;
    imperative_squeeze_(view, {0});
  }
  EXPECT_EQ(view.shape(), Ints({2}));
  imperative_unsqueeze_(x, {1});
  EXPECT_EQ(view.shape(), Ints({2}));
  EXPECT_EQ(x.shape(), Ints({2, 1}));
  backward(imperative_sum(imperative_scale(view, 3.0)));
  EXPECT_THAT(gradient(w), ElementsAre(3, 3));
}

TEST(Rules, E3TheFamilyFollows) {
  Tensor base = constant({1, 2});
  Tensor view = imperative_slice(base, {IndexItem::slice(0, 1)});
  const Tensor w = leaf({3});
  imperative_multiply_(view, w);
  EXPECT_FALSE(stop_gradient(base));
  EXPECT_FALSE(is_leaf(base));
  backward(imperative_sum(base));
  EXPECT_THAT(gradient(w), ElementsAre(1));
}

TEST(Rules, E5ViewsOutliveTheirBaseAndZeroIsAssigned) {
  const Tensor w = leaf({1, 2});
  Tensor view;
  {
    Tensor base = imperative_scale(w, 2.0);
    view = imperative_slice(base, {IndexItem::slice(0, 1)});
  }
  imperative_square_(view);
  backward(imperative_sum(view));
  EXPECT_THAT(gradient(w), ElementsAre(8, 0));

  const Tensor v = leaf({1, 2});
  Tensor x = imperative_clone(v);
  imperative_set_item_(x, 5.0, {IndexItem::number(0)});
  const double inf = std::numeric_limits<double>::infinity();
  backward(x, constant({inf, 1}));
  EXPECT_THAT(gradient(v), ElementsAre(0, 1));
}

TEST(Rules, E7UnrecordedWritesShift) {
  const Tensor w = leaf({1, 2});
  Tensor x = imperative_scale(w, 3.0);
  Tensor outside = detach(x);
  imperative_fill_(outside, 5);
  backward(imperative_sum(imperative_square(x)));
  EXPECT_THAT(gradient(w), ElementsAre(30, 30));
}

struct Doubling : Hook {
  Tensor call(const Tensor& gradient) override { return imperative_scale(gradient, 2.0); }
};

TEST(Rules, E8HooksStayWithTheValue) {
  auto [w, x] = inner({1, 2});
  register_hook(x, std::make_unique<Doubling>());
  imperative_scale_(x, 3.0);
  const std::uint64_t id = register_hook(x, std::make_unique<Doubling>());
  EXPECT_TRUE(remove_hook(x, id));
  EXPECT_FALSE(remove_hook(x, id));
  backward(imperative_sum(x));
  EXPECT_THAT(gradient(w), ElementsAre(6, 6));
}

TEST(Rules, B1SaysCppWhereThereIsNoLine) {
  auto [w, x] = inner({1, 2});
  x.set_name("state");
  const Tensor y = imperative_square(x);
  imperative_add_(x, 1);
  const Error error = error_of([&] { backward(imperative_sum(y)); });
  EXPECT_EQ(error.kind(), ErrorKind::kVersion);
  EXPECT_THAT(
      error.what(),
      StartsWith("(PermissionDenied) Tensor 'state' used in gradient computation in grad op "
                 "'square_grad' has been modified by an inplace operation. Its version is 1 "
                 "but the expected version is 0."));
  EXPECT_THAT(error.what(), HasSubstr("add_"));
  EXPECT_THAT(error.what(), HasSubstr("C++"));
  EXPECT_FALSE(grad_of(w).defined());
}

TEST(Rules, B2BytesBesideTheSavedOnes) {
  const Tensor w = leaf({2, 2}, {1, 2, 3, 4});
  Tensor x = imperative_clone(w);
  const IndexItem all = IndexItem::slice(IndexItem::kNone, IndexItem::kNone);
  const Tensor y = imperative_square(imperative_slice(x, {all, IndexItem::number(0)}));
  Tensor right = imperative_slice(x, {all, IndexItem::number(1)});
  imperative_fill_(right, 0);
  backward(imperative_sum(y));
  EXPECT_THAT(gradient(w), ElementsAre(2, 0, 6, 0));
}

TEST(Rules, B4SecondOrderThroughACopy) {
  const Tensor w = leaf({0.5, 1.5});
  Tensor x = imperative_clone(w);
  imperative_multiply_(x, x);
  const Tensor loss = imperative_sum(x);
  const std::vector<Tensor> first =
      grad({&loss, 1}, {&w, 1}, {}, {}, {.retain_graph = {}, .create_graph = true});
  EXPECT_THAT(values(first[0]), ElementsAre(1, 3));
  const Tensor total = imperative_sum(first[0]);
  const std::vector<Tensor> second = grad({&total, 1}, {&w, 1});
  EXPECT_THAT(values(second[0]), ElementsAre(2, 2));
}

TEST(Rules, B6InPlaceResultAsLoss) {
  const Tensor w = leaf({0.5});
  Tensor y = imperative_scale(w, 2.0);
  backward(imperative_tanh_(y));
  EXPECT_NEAR(gradient(w)[0], 2 * (1 - std::tanh(1.0) * std::tanh(1.0)), 1e-12);
}

TEST(Rules, B8FreedGraph) {
  const Tensor w = leaf({1, 2});
  const Tensor loss = imperative_sum(imperative_square(w));
  backward(loss, {}, /*retain_graph=*/true);
  backward(loss);
  EXPECT_THAT(gradient(w), ElementsAre(4, 8));
  const Error error = error_of([&] { backward(loss); });
  EXPECT_EQ(error.kind(), ErrorKind::kRuntime);
  EXPECT_THAT(error.what(), HasSubstr("retain_graph"));
}

TEST(Rules, B11GradIsNobodyElses) {
  const Tensor w = leaf({1, 2});
  const Tensor v = leaf({3, 4});
  backward(imperative_sum(imperative_add(w, v)));
  Tensor grad_w = grad_of(w);
  imperative_fill_(grad_w, 9);
  EXPECT_THAT(gradient(v), ElementsAre(1, 1));
  backward(imperative_sum(w));
  EXPECT_TRUE(grad_of(w).is(grad_w));
  EXPECT_EQ(grad_w.inplace_version(), 2u);
}

TEST(Rules, NothingIsLeftBehind) {
  const auto step = [] {
    const Tensor w = leaf({1, 2, 3, 4});
    Tensor x = imperative_scale(w, 2.0);
    Tensor part = imperative_slice(x, {IndexItem::slice(0, 2)});
    imperative_multiply_(part, imperative_clone(imperative_slice(x, {IndexItem::slice(2, 4)})));
    imperative_sigmoid_(x);
    const Tensor loss = imperative_sum(x);
    const std::vector<Tensor> slopes =
        grad({&loss, 1}, {&w, 1}, {}, {}, {.retain_graph = {}, .create_graph = true});
    backward(imperative_sum(imperative_square(slopes[0])));
    Tensor y = imperative_square(x);
    error_of([&] { imperative_exp_(const_cast<Tensor&>(w)); });
  };
  step();
  const std::int64_t before = bytes_in_use();
  for (int i = 0; i < 20; ++i) step();
  EXPECT_EQ(bytes_in_use(), before);
}

TEST(Rules, LongChainsNeitherRecurseNorOverflow) {
  const Tensor w = leaf({1});
  const std::int64_t before = bytes_in_use();
  {
    Tensor x = imperative_scale(w, 1.0);
    for (int i = 0; i < 200000; ++i) x = imperative_add(x, 1);
    for (int i = 0; i < 100000; ++i) imperative_add_(x, 1);
  }
  EXPECT_LE(bytes_in_use(), before + 512);
  Tensor x = imperative_scale(w, 1.0);
  for (int i = 0; i < 100000; ++i) x = imperative_add(x, 1);
  backward(x);
  EXPECT_THAT(gradient(w), ElementsAre(1));
}

struct Calls : Tracer {
  std::vector<TracedCall> found;
  void call(TracedCall one) override { found.push_back(std::move(one)); }
};

TEST(Rules, OneTracedCallWithItsPair) {
  Tensor x = constant({1, 2});
  Calls calls;
  {
    const TraceScope scope(calls);
    imperative_relu_(x);
  }
  imperative_relu_(x);
  ASSERT_EQ(calls.found.size(), 1u);
  EXPECT_STREQ(calls.found[0].op, "relu_");
  EXPECT_EQ(calls.found[0].inplace, "x -> out");
}

}  // namespace

}  // namespace oploom::test
