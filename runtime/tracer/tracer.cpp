#include "runtime/tracer/tracer.h"

namespace oploom {
namespace {

std::int64_t now_ns() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

TracedTensor traced(const char* argument, const Tensor& x) {
  return {argument, id_of(*x.impl()), {x.shape().begin(), x.shape().end()}, x.dtype()};
}

void add(std::vector<TracedTensor>& to, const TraceCall::Argument& argument) {
  if (argument.tensor != nullptr) {
    if (argument.tensor->defined()) to.push_back(traced(argument.name, *argument.tensor));
    return;
  }
  for (std::size_t i = 0; i < argument.list_size; ++i) to.push_back(traced(argument.name, argument.list[i]));
}

}  // namespace

void TraceCall::begin() {
  thread_state.tracer = nullptr;
  start_ns_ = now_ns();
}

void TraceCall::done(std::initializer_list<Argument> inputs, std::initializer_list<Argument> outputs,
                     std::string attributes, const char* inplace) {
  const std::int64_t end_ns = now_ns();
  TracedCall call;
  call.op = op_.name;
  for (const Argument& argument : inputs) add(call.inputs, argument);
  for (const Argument& argument : outputs) add(call.outputs, argument);
  call.attributes = std::move(attributes);
  call.inplace = inplace;
  call.start_ns = start_ns_;
  call.duration_ns = end_ns - start_ns_;
  tracer_->call(std::move(call));
}

}  // namespace oploom
