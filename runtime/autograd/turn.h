#pragma once

namespace oploom {

// A run of the engine keeps its state in the nodes, and kernels let go of the interpreter's lock:
// one backward at a time. Whoever waits lets go of that lock, too. A backward inside a hook of its
// own thread has the turn already.
class Turn {
 public:
  Turn();
  ~Turn();
  Turn(const Turn&) = delete;
  Turn& operator=(const Turn&) = delete;

 private:
  const bool mine_;
};

}  // namespace oploom
