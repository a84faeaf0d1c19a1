#include "runtime/core/pool.h"

#include <algorithm>
#include <mutex>
#include <utility>
#include <vector>

namespace oploom::pool {
namespace {

constexpr std::size_t kSlabBytes = 64 * 1024;

// What all threads share. Never destroyed: threads may outlive static destruction.
struct Common {
  std::mutex mutex;
  std::vector<ThreadState*> threads;
  void* left_behind[kPoolClasses] = {};           // free blocks of threads that ended
  std::int64_t live_of_ended[kPoolClasses] = {};
  std::int64_t large_bytes = 0;
};

Common& common() {
  static Common* const instance = new Common;
  return *instance;
}

// Lives as long as its thread; hands the thread's free blocks on.
struct Registration {
  ThreadState* state;
  Registration() : state(&thread_state) {
    Common& all = common();
    const std::scoped_lock lock(all.mutex);
    all.threads.push_back(state);
    state->registered = true;
  }
  ~Registration() {
    Common& all = common();
    const std::scoped_lock lock(all.mutex);
    std::erase(all.threads, state);
    for (int c = 0; c < kPoolClasses; ++c) {
      while (void* block = state->free_blocks[c]) {
        state->free_blocks[c] = *static_cast<void**>(block);
        *static_cast<void**>(block) = all.left_behind[c];
        all.left_behind[c] = block;
      }
      all.live_of_ended[c] += std::exchange(state->live_blocks[c], 0);
    }
    state->registered = false;
  }
};

void cut_slab(ThreadState& state, std::size_t size_class) {
  const std::size_t block_bytes = (size_class + 1) * kUnit;
  auto* slab = static_cast<std::byte*>(::operator new(kSlabBytes, std::align_val_t{kUnit}));
  for (std::size_t i = kSlabBytes / block_bytes; i-- > 0;) {
    void* block = slab + i * block_bytes;
    *static_cast<void**>(block) = state.free_blocks[size_class];
    state.free_blocks[size_class] = block;
  }
}

}  // namespace

void register_thread() noexcept {
  thread_local const Registration registration;
  (void)registration;
}

void* refill(std::size_t size_class) {
  register_thread();
  ThreadState& state = thread_state;
  {
    Common& all = common();
    const std::scoped_lock lock(all.mutex);
    std::swap(state.free_blocks[size_class], all.left_behind[size_class]);
  }
  if (state.free_blocks[size_class] == nullptr) cut_slab(state, size_class);
  void* block = state.free_blocks[size_class];
  state.free_blocks[size_class] = *static_cast<void**>(block);
  ++state.live_blocks[size_class];
  return block;
}

void* allocate_large(std::size_t bytes) {
  void* block = ::operator new(bytes, std::align_val_t{kUnit});
  Common& all = common();
  const std::scoped_lock lock(all.mutex);
  all.large_bytes += static_cast<std::int64_t>(bytes);
  return block;
}

void free_large(void* block, std::size_t bytes) {
  ::operator delete(block, std::align_val_t{kUnit});
  Common& all = common();
  const std::scoped_lock lock(all.mutex);
  all.large_bytes -= static_cast<std::int64_t>(bytes);
}

std::int64_t bytes_in_use() {
  Common& all = common();
  const std::scoped_lock lock(all.mutex);
  std::int64_t total = all.large_bytes;
  for (int c = 0; c < kPoolClasses; ++c) {
    std::int64_t blocks = all.live_of_ended[c];
    for (const ThreadState* state : all.threads) blocks += state->live_blocks[c];
    total += blocks * static_cast<std::int64_t>((static_cast<std::size_t>(c) + 1) * kUnit);
  }
  return total;
}

}  // namespace oploom::pool
