#include "tests/cpp/program_op_cases.h"

#include <oploom/oploom.h>

#include "generated/calls.h"
#include "tests/cpp/tensors.h"

namespace oploom::test {

using program::Value;

Tensor noise(Ints shape, std::int64_t seed) {
  Tensor x = empty(shape, DType::kFloat64);
  for (std::int64_t i = 0; i < x.numel(); ++i) {
    x.data<double>()[i] = static_cast<double>(((i + seed) * 7919 + 13) % 101) / 50.0 - 1.0 + 0.003;
  }
  return x;
}

namespace {

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

template <typename V>
std::vector<V> several(V one) {
  return {one};
}
template <typename V>
std::vector<V> several(std::vector<V> all) {
  return all;
}
template <typename F>
OpCase make_case(std::string op, Tensors inputs, F f) {
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

std::vector<OpCase> elementwise_cases() {
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

std::vector<OpCase> indexing_cases() {
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
      CASE(section, ({x}), in[0], {1, 2}, 1, 0),
      CASE(section, ({x}), in[0], {1, -1}, 1, 0),
      CASE(set_section, ({x, noise({2, 2}, 4)}), in[0], in[1], {1, 2}, 1, 0),
      CASE(section_grad, ({noise({2, 2}, 4)}), in[0], {3, 2}, {1, 2}, 1, 0),
      CASE(set_item, ({x, noise({2, 1}, 4)}), in[0], in[1], kPart),
      CASE(part, ({x}), in[0], {2, 2}, {2, 1}, 1),
      CASE(embed, ({noise({2, 2}, 4)}), in[0], {3, 2}, {2, 1}, 1),
      CASE(write_part, ({x, noise({2, 2}, 4)}), in[0], in[1], {2, 1}, 1),
      CASE(clear_part, ({y}), in[0], {2, 2}, {2, 1}, 1),
  };
}

std::vector<OpCase> layout_cases() {
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

std::vector<OpCase> product_cases() {
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

}  // namespace

std::vector<OpCase> op_cases() {
  std::vector<OpCase> all = elementwise_cases();
  for (auto* more : {indexing_cases, layout_cases, product_cases}) {
    for (OpCase& one : more()) all.push_back(std::move(one));
  }
  return all;
}

}  // namespace oploom::test
