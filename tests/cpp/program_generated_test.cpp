// The ops that are generated for programs against those that run at once: for every differentiable
// op of the registry, results and gradients of first and second order, as recorded and with every
// buffer reused that may be.

#include <gmock/gmock.h>
#include <oploom/oploom.h>

#include <functional>
#include <set>
#include <string>
#include <type_traits>
#include <vector>

#include "generated/calls.h"
#include "runtime/program/gradients.h"
#include "runtime/program/program.h"
#include "tests/cpp/tensors.h"

namespace oploom::test {
namespace {

using program::Builder;
using program::Program;
using program::Value;
using Tensors = std::vector<Tensor>;
using Values = std::vector<Value*>;

Tensor noise(Ints shape, std::int64_t seed) {
  Tensor x = empty(shape, DType::kFloat64);
  for (std::int64_t i = 0; i < x.numel(); ++i) {
    x.data<double>()[i] = static_cast<double>(((i + seed) * 7919 + 13) % 101) / 50.0 - 1.0 + 0.003;
  }
  return x;
}
Tensor positive(Ints shape, std::int64_t seed) {
  Tensor x = noise(shape, seed);
  for (std::int64_t i = 0; i < x.numel(); ++i) x.data<double>()[i] = x.data<double>()[i] / 2 + 1.2;
  return x;
}
Tensor ints(Ints shape, const std::vector<std::int64_t>& data) {
  Tensor x = empty(shape, DType::kInt64);
  std::copy(data.begin(), data.end(), x.data<std::int64_t>());
  return x;
}
Tensor truths(const std::vector<bool>& data) {
  Tensor x = empty({static_cast<std::int64_t>(data.size())}, DType::kBool);
  std::copy(data.begin(), data.end(), x.data<bool>());
  return x;
}

// One rule for both modes, as in runtime/rules.
struct Case {
  std::string op;
  Tensors inputs;
  std::function<Tensors(const Tensors&)> eager;
  std::function<Values(const Values&)> recorded;
};
template <typename V>
std::vector<V> several(V one) {
  return {one};
}
template <typename V>
std::vector<V> several(std::vector<V> all) {
  return all;
}
template <typename F>
Case make_case(std::string op, Tensors inputs, F f) {
  return {std::move(op), std::move(inputs), [f](const Tensors& in) { return several(f(in)); },
          [f](const Values& in) { return several(f(in)); }};
}
#define CASE(name, inputs, ...) \
  make_case(#name, Tensors inputs, [](const auto& in) { return call::name(__VA_ARGS__); })

Tensor written_over(const Tensor& x, const Tensor& value) {
  Tensor copy = imperative_clone(x);
  imperative_copy_(copy, value);
  return copy;
}
Value* written_over(Value* x, Value* value) { return program::ops::copy_(x, value); }

const Index kPart = {IndexItem::slice(0, 3, 2), IndexItem::slice(1, 2)};

std::vector<Case> elementwise_cases() {
  const Tensor x = noise({2, 3}, 1);
  const Tensor y = noise({2, 3}, 40);
  const Tensor row = noise({3}, 77);
  const Tensor p = positive({2, 3}, 5);
  const Tensor q = positive({3}, 9);
  return {
      CASE(relu, ({x}), in[0]),
      CASE(relu_grad, ({x, y}), in[0], in[1]),
      CASE(tanh, ({x}), in[0]),
      CASE(tanh_grad, ({x, y}), in[0], in[1]),
      CASE(sigmoid, ({x}), in[0]),
      CASE(sigmoid_grad, ({x, y}), in[0], in[1]),
      CASE(leaky_relu, ({x}), in[0], 0.1),
      CASE(leaky_relu_grad, ({x, y}), in[0], in[1], 0.1),
      CASE(elu, ({x}), in[0], 0.7),
      CASE(elu_grad, ({x, y}), in[0], in[1], 0.7),
      CASE(elu_curvature, ({x, y}), in[0], in[1], 0.7),
      CASE(elu_out_grad, ({x, y}), in[0], in[1], 0.7),
      CASE(softmax, ({x}), in[0], 1),
      CASE(softmax_grad, ({x, y}), in[0], in[1], -1),
      CASE(add, ({x, row}), in[0], in[1]),
      CASE(add, ({x}), in[0], in[0]),
      CASE(subtract, ({x, row}), in[0], in[1]),
      CASE(subtract, ({x}), 1, in[0]),
      CASE(multiply, ({x, row}), in[0], in[1]),
      CASE(multiply, ({x}), in[0], in[0]),
      CASE(multiply, ({x}), in[0], 2.5),
      CASE(divide, ({x, q}), in[0], in[1]),
      CASE(pow, ({p, q}), in[0], in[1]),
      CASE(pow_grad, ({p, q, x}), in[0], in[1], in[2]),
      CASE(pow_exponent_grad, ({p, q, x}), in[0], in[1], in[2]),
      CASE(maximum, ({x, row}), in[0], in[1]),
      CASE(maximum_grad, ({x, row, y}), in[0], in[1], in[2]),
      CASE(minimum, ({x, row}), in[0], in[1]),
      CASE(minimum_grad, ({x, row, y}), in[0], in[1], in[2]),
      CASE(negative, ({x}), in[0]),
      CASE(abs, ({x}), in[0]),
      CASE(exp, ({x}), in[0]),
      CASE(log, ({p}), in[0]),
      CASE(sqrt, ({p}), in[0]),
      CASE(square, ({x}), in[0]),
      CASE(sin, ({x}), in[0]),
      CASE(cos, ({x}), in[0]),
      CASE(clip, ({x}), in[0], -0.5, 0.5),
      CASE(clip_grad, ({x, y}), in[0], in[1], -0.5, 0.5),
      CASE(scale, ({x}), in[0], 2.0, 1.0, false),
      CASE(where, ({truths({true, false, true}), x, row}), in[0], in[1], in[2]),
      CASE(assign, ({x}), in[0]),
      CASE(clone, ({x}), in[0]),
      CASE(cast, ({x}), in[0], DType::kFloat32),
      make_case("copy_", {x, row}, [](const auto& in) { return written_over(in[0], in[1]); }),
  };
}

std::vector<Case> indexing_cases() {
  const Tensor x = noise({3, 2}, 1);
  const Tensor y = noise({3, 2}, 40);
  const Tensor index = ints({2}, {2, 0});
  const Tensor twice = ints({3}, {1, 1, -3});
  const Tensor rows = noise({3, 2}, 60);
  return {
      CASE(gather, ({x, index}), in[0], in[1], 0),
      CASE(index_select, ({x, index}), in[0], in[1], 1 - 1),
      CASE(gather_grad, ({noise({2, 2}, 3), index}), in[0], in[1], {3, 2}, 0),
      CASE(scatter, ({x, twice, rows}), in[0], in[1], in[2], true),
      CASE(scatter, ({x, twice, rows}), in[0], in[1], in[2], false),
      CASE(scatter_clear, ({x, index}), in[0], in[1]),
      CASE(scatter_last, ({x, twice}), in[0], in[1]),
      CASE(index, ({x, index}), in[0], std::vector{in[1]}),
      CASE(index_grad, ({noise({2, 2}, 3), index}), in[0], std::vector{in[1]}, {3, 2}),
      CASE(index_put, ({x, twice, rows}), in[0], std::vector{in[1]}, in[2], false),
      CASE(index_put, ({x, twice, rows}), in[0], std::vector{in[1]}, in[2], true),
      CASE(index_clear, ({x, index}), in[0], std::vector{in[1]}),
      CASE(index_last, ({x, twice}), in[0], std::vector{in[1]}),
      CASE(slice, ({x}), in[0], kPart),
      CASE(slice_grad, ({noise({2, 1}, 4)}), in[0], {3, 2}, kPart.normalised("slice", Dims{3, 2})),
      CASE(set_item, ({x, noise({2, 1}, 4)}), in[0], in[1], kPart),
      CASE(part, ({x}), in[0], {2, 2}, {2, 1}, 1),
      CASE(embed, ({noise({2, 2}, 4)}), in[0], {3, 2}, {2, 1}, 1),
      CASE(write_part, ({x, noise({2, 2}, 4)}), in[0], in[1], {2, 1}, 1),
      CASE(clear_part, ({y}), in[0], {2, 2}, {2, 1}, 1),
  };
}

std::vector<Case> layout_cases() {
  const Tensor x = noise({2, 3}, 1);
  const Tensor deep = noise({2, 1, 3}, 1);
  const Tensor wide = noise({2, 2}, 40);
  return {
      CASE(reshape, ({x}), in[0], {3, -1}),
      CASE(squeeze, ({deep}), in[0], {1}),
      CASE(unsqueeze, ({x}), in[0], {1}),
      CASE(transpose, ({x}), in[0], {1, 0}),
      CASE(expand, ({deep}), in[0], {2, 4, 3}),
      CASE(concat, ({x, wide}), std::vector{in[0], in[1]}, 1),
      CASE(split, ({x}), in[0], {1, -1}, 1),
      CASE(sum, ({x}), in[0], {1}, false),
      CASE(sum, ({x}), in[0]),
      CASE(mean, ({x}), in[0], {0}, true),
      CASE(max, ({x}), in[0], {1}, false),
      CASE(max_grad, ({constant({2, 2}, {1, 2, 2, 1}), constant({2.0, 2.0}), constant({0.5, 0.7})}),
           in[0], in[1], in[2], {1}, false),
      CASE(max_pick, ({constant({2, 2}, {1, 2, 2, 1}), constant({2.0, 2.0}), wide}), in[0], in[1],
           in[2], {1}, false),
      CASE(sum_to, ({x}), in[0], {3}),
  };
}

std::vector<Case> product_cases() {
  const Tensor x = noise({2, 3}, 1);
  const Tensor square = noise({3, 3}, 11);
  const Tensor batch = noise({2, 2, 3}, 31);
  const Tensor row = noise({3}, 77);
  const Tensor label = ints({2}, {2, 0});
  const Tensor share = constant({0.25, 0.5});
  return {
      CASE(matmul, ({x, square}), in[0], in[1], false, true),
      CASE(matmul, ({batch, square}), in[0], in[1]),
      CASE(matmul, ({row, square}), in[0], in[1]),
      CASE(matmul, ({x, row}), in[0], in[1]),
      CASE(matmul, ({row, row}), in[0], in[1]),
      CASE(matmul, ({batch, noise({1, 3, 2}, 8)}), in[0], in[1]),
      CASE(cross_entropy, ({x, label}), in[0], in[1], 1, -100, "mean"),
      CASE(cross_entropy, ({x, label}), in[0], in[1], 1, 2, "none"),
      CASE(cross_entropy_grad, ({positive({2, 3}, 2), label, share}), in[0], in[1], in[2], 1, -100,
           "none"),
      CASE(cross_entropy_weights, ({share, label}), in[0], in[1], {2, 3}, 1, -100, "none"),
      CASE(cross_entropy_reduce, ({x, label}), in[0], in[1], 1, -100, "sum"),
  };
}

std::vector<Case> all_cases() {
  std::vector<Case> all = elementwise_cases();
  for (auto* more : {indexing_cases, layout_cases, product_cases}) {
    for (Case& one : more()) all.push_back(std::move(one));
  }
  return all;
}

// --- At once.

Tensor weights_like(const Tensor& x, std::int64_t seed) { return noise(x.shape(), seed); }
Tensor weights_like(Value* x, std::int64_t seed) { return noise(x->type.shape, seed); }
Tensor constant_like(const Tensor&, const Tensor& c) { return c; }
Value* constant_like(Value*, const Tensor& c) {
  return Builder::current().program().parameter(c);
}

// A number that depends on each element, and on each differently.
template <typename V>
V weighed(const std::vector<V>& xs) {
  V total{};
  bool first = true;
  std::int64_t seed = 3;
  for (const V& x : xs) {
    const auto weights = constant_like(x, weights_like(x, seed++));
    const V one = call::sum(call::multiply(call::sin(x), weights));
    total = first ? one : V(call::add(total, one));
    first = false;
  }
  return total;
}

struct Outcome {
  Tensors results, first, second;
};

Tensors eager_gradients(const Tensor& loss, const Tensors& xs) {
  Tensors found = grad(Tensors{loss}, xs, {}, {}, {.retain_graph = {}, .create_graph = true});
  for (std::size_t i = 0; i < xs.size(); ++i) {
    if (!found[i].defined()) found[i] = imperative_zeros(xs[i].shape(), xs[i].dtype());
  }
  return found;
}

Outcome run_at_once(const Case& one) {
  Tensors inputs;
  Tensors leaves;
  for (const Tensor& x : one.inputs) {
    inputs.push_back(imperative_clone(x));
    if (!is_float(x.dtype())) continue;
    set_stop_gradient(inputs.back(), false);
    leaves.push_back(inputs.back());
  }
  Outcome outcome;
  outcome.results = one.eager(inputs);
  outcome.first = eager_gradients(weighed(outcome.results), leaves);
  const Tensor second = weighed(outcome.first);
  if (!is_leaf(second)) outcome.second = eager_gradients(second, leaves);
  for (const Tensor& x : leaves) {
    if (is_leaf(second)) outcome.second.push_back(imperative_zeros(x.shape(), x.dtype()));
  }
  return outcome;
}

// --- Recorded.

struct Recording {
  Program program;
  Values fetch;
  Tensors feeds;
  std::size_t results = 0, leaves = 0;
};

Values recorded_gradients(Value* target, const Values& xs) {
  Values found = program::gradients(Values{target}, xs, {});
  for (std::size_t i = 0; i < xs.size(); ++i) {
    if (found[i] == nullptr) found[i] = program::zero_gradient(xs[i]);
  }
  return found;
}

void record(const Case& one, Recording& into, const std::function<Dims(Ints)>& known) {
  Builder builder(into.program, into.program.main);
  const Builder::Scope scope(builder);
  Values inputs;
  Values leaves;
  for (const Tensor& x : one.inputs) {
    const bool number = is_float(x.dtype());
    const auto name = std::string("x") + std::to_string(inputs.size());
    const auto type = program::tensor_type(x.dtype(), known(x.shape()));
    inputs.push_back(into.program.add_input(name, type, !number));
    if (number) leaves.push_back(inputs.back());
    into.feeds.push_back(x);
  }
  into.fetch = one.recorded(inputs);
  into.results = into.fetch.size();
  into.leaves = leaves.size();
  const Values first = recorded_gradients(weighed(into.fetch), leaves);
  const Values second = recorded_gradients(weighed(first), leaves);
  into.fetch.insert(into.fetch.end(), first.begin(), first.end());
  into.fetch.insert(into.fetch.end(), second.begin(), second.end());
}

std::vector<double> elements(const Tensor& x) {
  return values(imperative_cast(imperative_clone(x), DType::kFloat64));
}

void expect_near(const Tensor& found, const Tensor& wanted, const std::string& what) {
  ASSERT_EQ(Dims(found.shape()), Dims(wanted.shape())) << what;
  EXPECT_EQ(found.dtype(), wanted.dtype()) << what;
  EXPECT_THAT(elements(found), testing::Pointwise(testing::DoubleNear(1e-9), elements(wanted))) << what;
}

TEST(GeneratedProgram, HasACaseForEveryDifferentiableOp) {
  std::set<std::string> tried;
  for (const Case& one : all_cases()) tried.insert(one.op);
  for (const program::OpDef* def : program::all_ops()) {
    if (def->vjp == nullptr) continue;
    EXPECT_EQ(tried.count(def->name), 1U) << def->name;
  }
}

TEST(GeneratedProgram, FindsOpsByBothNames) {
  for (const program::OpDef* def : program::all_ops()) {
    EXPECT_EQ(program::find_op(def->name), def);
    if (def->inplace_name == nullptr) continue;
    EXPECT_EQ(program::find_op(def->inplace_name), def);
  }
  EXPECT_EQ(program::find_op("no such op"), nullptr);
}

TEST(GeneratedProgram, AgreesWithTheEagerOpsToSecondOrder) {
  GTEST_SKIP() << "open: list inputs of index need group sizes from the sample builder";
  for (const Case& one : all_cases()) {
    SCOPED_TRACE(one.op);
    const Outcome wanted = run_at_once(one);
    Recording recording;
    record(one, recording, [](Ints shape) { return Dims(shape); });
    program::verify(recording.program);
    const Tensors found = run(recording.program, recording.feeds, recording.fetch).fetched;
    ASSERT_EQ(wanted.results.size(), recording.results);
    std::size_t at = 0;
    for (const Tensor& x : wanted.results) expect_near(found[at++], x, "result");
    for (const Tensor& x : wanted.first) expect_near(found[at++], x, "first order");
    for (const Tensor& x : wanted.second) expect_near(found[at++], x, "second order");
  }
}

TEST(GeneratedProgram, RunsInPlaceToTheSameNumbers) {
  std::size_t marked = 0;
  for (const Case& one : all_cases()) {
    SCOPED_TRACE(one.op);
    Recording recording;
    record(one, recording, [](Ints shape) { return Dims(shape); });
    const Tensors plain = run(recording.program, recording.feeds, recording.fetch).fetched;
    program::apply_inplace(recording.program, recording.fetch);
    program::for_each_op(recording.program.main, [&](const auto& op) { marked += op.inplace; });
    const Tensors reused = run(recording.program, recording.feeds, recording.fetch).fetched;
    for (std::size_t i = 0; i < plain.size(); ++i) EXPECT_EQ(elements(plain[i]), elements(reused[i]));
  }
  EXPECT_GT(marked, 100U);
}

// The first length of everything is known at run time only.
TEST(GeneratedProgram, RunsWithUnknownLengths) {
  GTEST_SKIP() << "open: expand to new axes of unknown length";
  const Tensor x = noise({4, 3}, 1);
  const Tensor y = noise({4, 3}, 40);
  const Tensor square = noise({3, 3}, 11);
  const std::vector<Case> cases = {
      CASE(add, ({x, y}), in[0], in[1]),
      CASE(multiply, ({x, noise({3}, 2)}), in[0], in[1]),
      CASE(sum, ({x}), in[0], {0}, false),
      CASE(mean, ({x}), in[0], {0}, true),
      CASE(mean, ({x}), in[0]),
      CASE(softmax, ({x}), in[0], 1),
      CASE(reshape, ({x}), in[0], {-1, 1, 3}),
      CASE(squeeze, ({noise({4, 1, 3}, 1)}), in[0], {1}),
      CASE(transpose, ({x}), in[0], {1, 0}),
      CASE(slice, ({x}), in[0], Index{IndexItem::slice(1, IndexItem::kNone)}),
      CASE(max, ({x}), in[0], {1}, false),
  };
  for (const Case& one : cases) {
    SCOPED_TRACE(one.op);
    const auto unknown_first = [](Ints shape) {
      Dims known = shape;
      if (known.rank() > 1) known[0] = -1;
      return known;
    };
    const Tensors wanted = run_at_once(one).results;
    Program program;
    Builder builder(program, program.main);
    const Builder::Scope scope(builder);
    Values inputs;
    for (const Tensor& tensor : one.inputs) {
      inputs.push_back(program.add_input("x" + std::to_string(inputs.size()),
                                         program::tensor_type(tensor.dtype(), unknown_first(tensor.shape())),
                                         false));
    }
    const Values results = one.recorded(inputs);
    Value* loss = call::sum(call::square(results[0]));
    Values fetch = program::gradients(Values{loss}, inputs, {});
    fetch.push_back(results[0]);
    const Tensors found = run(program, one.inputs, fetch).fetched;
    expect_near(found.back(), wanted[0], "result");
    Tensors leaves;
    for (const Tensor& tensor : one.inputs) {
      leaves.push_back(imperative_clone(tensor));
      set_stop_gradient(leaves.back(), false);
    }
    const Tensor eager_loss = imperative_sum(imperative_square(one.eager(leaves)[0]));
    const Tensors gradients = grad(Tensors{eager_loss}, leaves);
    for (std::size_t i = 0; i < leaves.size(); ++i) expect_near(found[i], gradients[i], "gradient");
  }
}

TEST(GeneratedProgram, InfersWhatIsKnownOfLengths) {
  Program program;
  Builder builder(program, program.main);
  const Builder::Scope scope(builder);
  Value* x = program.add_input("x", program::tensor_type(DType::kFloat32, {-1, 3}), false);
  Value* square = program.add_input("w", program::tensor_type(DType::kFloat32, {3, 5}), false);
  const auto shape_of = [](Value* value) { return Dims(value->type.shape); };
  EXPECT_EQ(shape_of(call::matmul(x, square)), (Dims{-1, 5}));
  EXPECT_EQ(shape_of(call::sum(x, {0}, true)), (Dims{1, 3}));
  EXPECT_EQ(shape_of(call::reshape(x, {3, -1})), (Dims{3, -1}));
  EXPECT_EQ(shape_of(call::expand(call::sum(x, {0}, true), program::shape(x))), (Dims{-1, 3}));
  EXPECT_EQ(shape_of(call::concat(Values{x, x}, 0)), (Dims{-1, 3}));
  EXPECT_EQ(shape_of(call::nonzero(x)), (Dims{-1, 2}));
  EXPECT_EQ(shape_of(program::ops::arange(0, Scalar(5), 2, std::nullopt)), (Dims{3}));
  EXPECT_EQ(shape_of(program::ops::zeros(program::shape(x), DType::kFloat32)), (Dims{-1, 3}));
}

}  // namespace
}  // namespace oploom::test
