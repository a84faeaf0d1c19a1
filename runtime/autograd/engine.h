#pragma once

#include <optional>
#include <span>
#include <vector>

#include "runtime/autograd/record.h"

namespace oploom {

// Computes gradients of x and adds them to .grad of every leaf it depends on.
// grad: of x's shape; undefined means ones. create_graph implies retain_graph.
void backward(const Tensor& x, const Tensor& grad = {}, bool retain_graph = false,
              bool create_graph = false);

struct GradOptions {
  std::optional<bool> retain_graph;  // default: create_graph
  bool create_graph = false;
};
// Gradients of outputs (each seeded with its grad_outputs entry, undefined or missing: ones) with
// respect to the present values of inputs, which .grad never sees. Undefined where no output depends
// on an input. no_grad_vars: values through which no gradient passes.
std::vector<Tensor> grad(TensorList outputs, TensorList inputs, TensorList grad_outputs = {},
                         TensorList no_grad_vars = {}, GradOptions options = {});

// Whether the gradient of what node made is asked for: by a hook, retain_grad() or no_grad_vars of the
// run that is going on in this thread.
bool is_asked_for(const Node& node);

}  // namespace oploom
