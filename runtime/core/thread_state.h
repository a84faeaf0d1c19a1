#pragma once

#include <cstdint>

namespace oploom {

struct Tracer;
struct TensorImpl;
class Node;
class Engine;
namespace program {
class Recorder;
}

inline constexpr int kPoolClasses = 16;

// Everything a call needs of its thread, in one plain zero-initialised struct: a thread_local with a
// constructor would cost 12 ns a call.
struct ThreadState {
  bool grad_disabled;      // inside no_grad
  Tracer* tracer;          // who listens to calls of this thread, or null
  program::Recorder* recorder;  // the program that this thread records, the innermost, or null
  TensorImpl* spare_number;  // a number's tensor that nobody kept, for the next number (see Operand)
  Node* dead_nodes;        // wait for their end (Node::destroy)
  bool ending_nodes;
  Engine* engine;          // the backward that runs in this thread, the innermost, or null
  void* free_blocks[kPoolClasses];
  std::int64_t live_blocks[kPoolClasses];  // handed out minus taken back by this thread
  bool registered;         // known to the pool (see pool.cpp)
};

extern __thread ThreadState thread_state __attribute__((tls_model("initial-exec")));

inline bool grad_enabled() { return !thread_state.grad_disabled; }

// Switches the recording of gradients of this thread, and back at the end of the scope.
class GradMode {
 public:
  explicit GradMode(bool enabled) : before_(thread_state.grad_disabled) {
    thread_state.grad_disabled = !enabled;
  }
  ~GradMode() { thread_state.grad_disabled = before_; }
  GradMode(const GradMode&) = delete;
  GradMode& operator=(const GradMode&) = delete;

 private:
  bool before_;
};
struct NoGrad : GradMode {
  NoGrad() : GradMode(false) {}
};

}  // namespace oploom
