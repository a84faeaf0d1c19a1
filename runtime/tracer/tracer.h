#pragma once

#include <chrono>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <vector>

#include "runtime/autograd/op_info.h"
#include "runtime/core/tensor.h"
#include "runtime/core/thread_state.h"
#include "runtime/tracer/attributes.h"

namespace oploom {

struct TracedTensor {
  const char* argument;
  std::uint32_t id = 0;
  std::vector<std::int64_t> shape;
  DType dtype = DType::kBool;
};

struct TracedCall {
  const char* op;
  std::vector<TracedTensor> inputs;
  std::vector<TracedTensor> outputs;
  std::string attributes;  // "axis=1, keepdim=false"
  std::string inplace;     // "x -> out"; empty for plain forms
  std::int64_t start_ns = 0;
  std::int64_t duration_ns = 0;
};

// Whoever wants to hear of calls of this thread. Calls that raise are not told.
struct Tracer {
  virtual ~Tracer() = default;
  virtual void call(TracedCall call) = 0;
};

// Listens in a scope; the one before is back at its end.
class TraceScope {
 public:
  explicit TraceScope(Tracer& tracer) : before_(thread_state.tracer) {
    thread_state.tracer = &tracer;
  }
  ~TraceScope() { thread_state.tracer = before_; }
  TraceScope(const TraceScope&) = delete;
  TraceScope& operator=(const TraceScope&) = delete;

 private:
  Tracer* before_;
};

// At the head of every generated function: one branch when nobody listens. While somebody does, the
// calls inside are muted, so that a composed op is one traced call.
class TraceCall {
 public:
  explicit TraceCall(const OpInfo& op) : tracer_(thread_state.tracer), op_(op) {
    if (tracer_ != nullptr) [[unlikely]]
      begin();
  }
  ~TraceCall() {
    if (tracer_ != nullptr) [[unlikely]]
      thread_state.tracer = tracer_;
  }
  TraceCall(const TraceCall&) = delete;
  TraceCall& operator=(const TraceCall&) = delete;
  explicit operator bool() const { return __builtin_expect(tracer_ != nullptr, 0) != 0; }

  struct Argument {
    const char* name;
    const Tensor* tensor;          // or
    const Tensor* list = nullptr;  // a list of
    std::size_t list_size = 0;
    Argument(const char* n, const Tensor& t) : name(n), tensor(&t) {}
    Argument(const char* n, std::initializer_list<Tensor>) = delete;
    template <typename List, typename = decltype(std::declval<const List&>().size())>
    Argument(const char* n, const List& l)
        : name(n), tensor(nullptr), list(l.data()), list_size(l.size()) {}
  };
  void done(std::initializer_list<Argument> inputs, std::initializer_list<Argument> outputs,
            std::string attributes = {}, const char* inplace = "");

 private:
  void begin();
  Tracer* tracer_;
  const OpInfo& op_;
  std::int64_t start_ns_;  // known where somebody listens
};

}  // namespace oploom
