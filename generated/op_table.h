// Generated from ops.yaml by `make generate`. Do not edit.
#pragma once

#include <span>

#include "runtime/autograd/op_info.h"

namespace oploom {

// What messages and traces say of each function.
namespace op_info {
inline constexpr OpInfo abs{"abs", "abs_grad"};
inline constexpr OpInfo abs_{"abs_", "abs_grad"};
inline constexpr OpInfo add{"add", "add_grad"};
inline constexpr OpInfo add_{"add_", "add_grad"};
inline constexpr OpInfo arange{"arange", "arange_grad"};
inline constexpr OpInfo assign{"assign", "assign_grad"};
inline constexpr OpInfo assign_{"assign_", "assign_grad"};
inline constexpr OpInfo cast{"cast", "cast_grad"};
inline constexpr OpInfo cast_{"cast_", "cast_grad"};
inline constexpr OpInfo clear_part{"clear_part", "clear_part_grad"};
inline constexpr OpInfo clear_part_{"clear_part_", "clear_part_grad"};
inline constexpr OpInfo clip{"clip", "clip_grad"};
inline constexpr OpInfo clip_{"clip_", "clip_grad"};
inline constexpr OpInfo clip_grad{"clip_grad", "clip_grad_grad"};
inline constexpr OpInfo clone{"clone", "clone_grad"};
inline constexpr OpInfo concat{"concat", "concat_grad"};
inline constexpr OpInfo copy_{"copy_", "copy_grad"};
inline constexpr OpInfo cos{"cos", "cos_grad"};
inline constexpr OpInfo cos_{"cos_", "cos_grad"};
inline constexpr OpInfo cross_entropy{"cross_entropy", "cross_entropy_grad"};
inline constexpr OpInfo cross_entropy_grad{"cross_entropy_grad", "cross_entropy_grad_grad"};
inline constexpr OpInfo cross_entropy_reduce{"cross_entropy_reduce", "cross_entropy_reduce_grad"};
inline constexpr OpInfo cross_entropy_weights{"cross_entropy_weights",
                                              "cross_entropy_weights_grad"};
inline constexpr OpInfo divide{"divide", "divide_grad"};
inline constexpr OpInfo divide_{"divide_", "divide_grad"};
inline constexpr OpInfo elu{"elu", "elu_grad"};
inline constexpr OpInfo elu_{"elu_", "elu_grad"};
inline constexpr OpInfo elu_curvature{"elu_curvature", "elu_curvature_grad"};
inline constexpr OpInfo elu_grad{"elu_grad", "elu_grad_grad"};
inline constexpr OpInfo elu_out_grad{"elu_out_grad", "elu_out_grad_grad"};
inline constexpr OpInfo embed{"embed", "embed_grad"};
inline constexpr OpInfo equal{"equal", "equal_grad"};
inline constexpr OpInfo equal_{"equal_", "equal_grad"};
inline constexpr OpInfo exp{"exp", "exp_grad"};
inline constexpr OpInfo exp_{"exp_", "exp_grad"};
inline constexpr OpInfo expand{"expand", "expand_grad"};
inline constexpr OpInfo fill{"fill", "fill_grad"};
inline constexpr OpInfo fill_{"fill_", "fill_grad"};
inline constexpr OpInfo floor{"floor", "floor_grad"};
inline constexpr OpInfo floor_{"floor_", "floor_grad"};
inline constexpr OpInfo full{"full", "full_grad"};
inline constexpr OpInfo gather{"gather", "gather_grad"};
inline constexpr OpInfo gather_grad{"gather_grad", "gather_grad_grad"};
inline constexpr OpInfo greater_equal{"greater_equal", "greater_equal_grad"};
inline constexpr OpInfo greater_equal_{"greater_equal_", "greater_equal_grad"};
inline constexpr OpInfo greater_than{"greater_than", "greater_than_grad"};
inline constexpr OpInfo greater_than_{"greater_than_", "greater_than_grad"};
inline constexpr OpInfo index{"index", "index_grad"};
inline constexpr OpInfo index_clear{"index_clear", "index_clear_grad"};
inline constexpr OpInfo index_clear_{"index_clear_", "index_clear_grad"};
inline constexpr OpInfo index_grad{"index_grad", "index_grad_grad"};
inline constexpr OpInfo index_last{"index_last", "index_last_grad"};
inline constexpr OpInfo index_put{"index_put", "index_put_grad"};
inline constexpr OpInfo index_put_{"index_put_", "index_put_grad"};
inline constexpr OpInfo index_select{"index_select", "index_select_grad"};
inline constexpr OpInfo leaky_relu{"leaky_relu", "leaky_relu_grad"};
inline constexpr OpInfo leaky_relu_{"leaky_relu_", "leaky_relu_grad"};
inline constexpr OpInfo leaky_relu_grad{"leaky_relu_grad", "leaky_relu_grad_grad"};
inline constexpr OpInfo less_equal{"less_equal", "less_equal_grad"};
inline constexpr OpInfo less_equal_{"less_equal_", "less_equal_grad"};
inline constexpr OpInfo less_than{"less_than", "less_than_grad"};
inline constexpr OpInfo less_than_{"less_than_", "less_than_grad"};
inline constexpr OpInfo log{"log", "log_grad"};
inline constexpr OpInfo log_{"log_", "log_grad"};
inline constexpr OpInfo logical_and{"logical_and", "logical_and_grad"};
inline constexpr OpInfo logical_and_{"logical_and_", "logical_and_grad"};
inline constexpr OpInfo logical_not{"logical_not", "logical_not_grad"};
inline constexpr OpInfo logical_not_{"logical_not_", "logical_not_grad"};
inline constexpr OpInfo logical_or{"logical_or", "logical_or_grad"};
inline constexpr OpInfo logical_or_{"logical_or_", "logical_or_grad"};
inline constexpr OpInfo logical_xor{"logical_xor", "logical_xor_grad"};
inline constexpr OpInfo logical_xor_{"logical_xor_", "logical_xor_grad"};
inline constexpr OpInfo matmul{"matmul", "matmul_grad"};
inline constexpr OpInfo matmul_x_grad{"matmul_x_grad", "matmul_x_grad_grad"};
inline constexpr OpInfo matmul_y_grad{"matmul_y_grad", "matmul_y_grad_grad"};
inline constexpr OpInfo max{"max", "max_grad"};
inline constexpr OpInfo max_grad{"max_grad", "max_grad_grad"};
inline constexpr OpInfo max_pick{"max_pick", "max_pick_grad"};
inline constexpr OpInfo maximum{"maximum", "maximum_grad"};
inline constexpr OpInfo maximum_{"maximum_", "maximum_grad"};
inline constexpr OpInfo maximum_grad{"maximum_grad", "maximum_grad_grad"};
inline constexpr OpInfo mean{"mean", "mean_grad"};
inline constexpr OpInfo minimum{"minimum", "minimum_grad"};
inline constexpr OpInfo minimum_{"minimum_", "minimum_grad"};
inline constexpr OpInfo minimum_grad{"minimum_grad", "minimum_grad_grad"};
inline constexpr OpInfo momentum_{"momentum_", "momentum_grad"};
inline constexpr OpInfo multiply{"multiply", "multiply_grad"};
inline constexpr OpInfo multiply_{"multiply_", "multiply_grad"};
inline constexpr OpInfo negative{"negative", "negative_grad"};
inline constexpr OpInfo negative_{"negative_", "negative_grad"};
inline constexpr OpInfo nonzero{"nonzero", "nonzero_grad"};
inline constexpr OpInfo normal_{"normal_", "normal_grad"};
inline constexpr OpInfo not_equal{"not_equal", "not_equal_grad"};
inline constexpr OpInfo not_equal_{"not_equal_", "not_equal_grad"};
inline constexpr OpInfo ones{"ones", "ones_grad"};
inline constexpr OpInfo ones_like{"ones_like", "ones_like_grad"};
inline constexpr OpInfo part{"part", "part_grad"};
inline constexpr OpInfo pow{"pow", "pow_grad"};
inline constexpr OpInfo pow_{"pow_", "pow_grad"};
inline constexpr OpInfo pow_exponent_grad{"pow_exponent_grad", "pow_exponent_grad_grad"};
inline constexpr OpInfo pow_grad{"pow_grad", "pow_grad_grad"};
inline constexpr OpInfo rand{"rand", "rand_grad"};
inline constexpr OpInfo randn{"randn", "randn_grad"};
inline constexpr OpInfo relu{"relu", "relu_grad"};
inline constexpr OpInfo relu_{"relu_", "relu_grad"};
inline constexpr OpInfo relu_grad{"relu_grad", "relu_grad_grad"};
inline constexpr OpInfo reshape{"reshape", "reshape_grad"};
inline constexpr OpInfo reshape_{"reshape_", "reshape_grad"};
inline constexpr OpInfo scale{"scale", "scale_grad"};
inline constexpr OpInfo scale_{"scale_", "scale_grad"};
inline constexpr OpInfo scatter{"scatter", "scatter_grad"};
inline constexpr OpInfo scatter_{"scatter_", "scatter_grad"};
inline constexpr OpInfo scatter_clear{"scatter_clear", "scatter_clear_grad"};
inline constexpr OpInfo scatter_clear_{"scatter_clear_", "scatter_clear_grad"};
inline constexpr OpInfo scatter_last{"scatter_last", "scatter_last_grad"};
inline constexpr OpInfo section{"section", "section_grad"};
inline constexpr OpInfo section_grad{"section_grad", "section_grad_grad"};
inline constexpr OpInfo set_item{"set_item", "set_item_grad"};
inline constexpr OpInfo set_item_{"set_item_", "set_item_grad"};
inline constexpr OpInfo set_section{"set_section", "set_section_grad"};
inline constexpr OpInfo set_section_{"set_section_", "set_section_grad"};
inline constexpr OpInfo sgd_{"sgd_", "sgd_grad"};
inline constexpr OpInfo sigmoid{"sigmoid", "sigmoid_grad"};
inline constexpr OpInfo sigmoid_{"sigmoid_", "sigmoid_grad"};
inline constexpr OpInfo sigmoid_grad{"sigmoid_grad", "sigmoid_grad_grad"};
inline constexpr OpInfo sign{"sign", "sign_grad"};
inline constexpr OpInfo sign_{"sign_", "sign_grad"};
inline constexpr OpInfo sin{"sin", "sin_grad"};
inline constexpr OpInfo sin_{"sin_", "sin_grad"};
inline constexpr OpInfo slice{"slice", "slice_grad"};
inline constexpr OpInfo slice_grad{"slice_grad", "slice_grad_grad"};
inline constexpr OpInfo softmax{"softmax", "softmax_grad"};
inline constexpr OpInfo softmax_{"softmax_", "softmax_grad"};
inline constexpr OpInfo softmax_grad{"softmax_grad", "softmax_grad_grad"};
inline constexpr OpInfo split{"split", "split_grad"};
inline constexpr OpInfo split_sections{"split_sections", "split_sections_grad"};
inline constexpr OpInfo spread{"spread", "spread_grad"};
inline constexpr OpInfo sqrt{"sqrt", "sqrt_grad"};
inline constexpr OpInfo sqrt_{"sqrt_", "sqrt_grad"};
inline constexpr OpInfo square{"square", "square_grad"};
inline constexpr OpInfo square_{"square_", "square_grad"};
inline constexpr OpInfo squeeze{"squeeze", "squeeze_grad"};
inline constexpr OpInfo squeeze_{"squeeze_", "squeeze_grad"};
inline constexpr OpInfo subtract{"subtract", "subtract_grad"};
inline constexpr OpInfo subtract_{"subtract_", "subtract_grad"};
inline constexpr OpInfo sum{"sum", "sum_grad"};
inline constexpr OpInfo sum_to{"sum_to", "sum_to_grad"};
inline constexpr OpInfo tanh{"tanh", "tanh_grad"};
inline constexpr OpInfo tanh_{"tanh_", "tanh_grad"};
inline constexpr OpInfo tanh_grad{"tanh_grad", "tanh_grad_grad"};
inline constexpr OpInfo transpose{"transpose", "transpose_grad"};
inline constexpr OpInfo transpose_{"transpose_", "transpose_grad"};
inline constexpr OpInfo uniform_{"uniform_", "uniform_grad"};
inline constexpr OpInfo unsqueeze{"unsqueeze", "unsqueeze_grad"};
inline constexpr OpInfo unsqueeze_{"unsqueeze_", "unsqueeze_grad"};
inline constexpr OpInfo untranspose{"untranspose", "untranspose_grad"};
inline constexpr OpInfo where{"where", "where_grad"};
inline constexpr OpInfo where_{"where_", "where_grad"};
inline constexpr OpInfo write_part{"write_part", "write_part_grad"};
inline constexpr OpInfo write_part_{"write_part_", "write_part_grad"};
inline constexpr OpInfo zero_{"zero_", "zero_grad"};
inline constexpr OpInfo zeros{"zeros", "zeros_grad"};
inline constexpr OpInfo zeros_like{"zeros_like", "zeros_like_grad"};
}  // namespace op_info

// One op of the registry, as data.
struct OpRow {
  const char* name;
  const char* family;
  const char* place;     // in the registry
  const char* doc;
  const char* arguments;  // "x, axis"
  const char* aliases;    // "reshape2", comma-separated
  const char* inplace;   // "x -> out"; empty where there is no in-place form
  const char* gradient;  // "expressions", "zero", "none", "missing", "composite", "update"
  bool has_plain;        // false: the in-place form is the only one
  bool internal;         // no Python function
  bool elementwise;
  bool view;
  bool random;
};

// All ops, sorted by name.
std::span<const OpRow> op_table();

}  // namespace oploom
