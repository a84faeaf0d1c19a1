#include "runtime/autograd/turn.h"

#include <mutex>

#include "runtime/core/blocking.h"
#include "runtime/core/thread_state.h"

namespace oploom {
namespace {

std::mutex& turn() {
  static auto* const mutex = new std::mutex;  // threads may outlive static destruction
  return *mutex;
}

}  // namespace

Turn::Turn() : mine_(thread_state.engine == nullptr) {
  if (mine_) lock_unlocked(turn());
}

Turn::~Turn() {
  if (mine_) turn().unlock();
}

}  // namespace oploom
