#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <utility>

#include "runtime/core/pool.h"
#include "runtime/core/shared.h"

namespace oploom {

struct SavedLink;
struct WriteLog;

// Memory, its in-place version, and who must hear of a write. Shared by a base, its views and
// detach().
struct alignas(64) Storage {
  // Bits of guard: everything that makes a write to this storage special.
  enum Guard : std::uint32_t {
    kReadOnly = 1,  // taken in without a copy and not ours to write (C10)
    kWatched = 2,   // some backward saved it: writes go into the log
    kForeign = 4,   // somebody outside may write at any time (B9): backwards keep copies
  };

  // Low half: all holders. High half: living tensors that map it (C6); saved values do not count
  // there.
  std::atomic<std::uint64_t> counts;
  std::uint32_t version;
  std::uint32_t guard;
  std::byte* data;
  std::size_t nbytes;
  WriteLog* log;           // made on the first watched write
  SavedLink* oldest_save;  // living saves, oldest version first
  SavedLink* newest_save;
  std::function<void()>* deleter;  // of memory taken in without a copy; else null

  static constexpr std::uint64_t kMap = (std::uint64_t{1} << 32) + 1;

  std::uint32_t maps() const {
    return static_cast<std::uint32_t>(counts.load(std::memory_order_acquire) >> 32);
  }
  std::byte* inline_data() { return reinterpret_cast<std::byte*>(this + 1); }
};
static_assert(sizeof(Storage) == 64);

// The first bytes of data live inside the storage's own block: no second allocation for small
// tensors.
inline constexpr std::size_t kInlineBytes = 64;

std::byte* allocate_data(std::size_t nbytes);               // 64-byte aligned; raises kMemory
void destroy_storage_with_rest(Storage* storage) noexcept;  // one that owns more than its own block

// Uninitialised memory of nbytes, with one count for a tensor that maps it.
inline Storage* new_storage(std::size_t nbytes) {
  auto* s = static_cast<Storage*>(pool::allocate(sizeof(Storage) + kInlineBytes));
  s->counts.store(Storage::kMap, std::memory_order_relaxed);
  s->version = 0;
  s->guard = 0;
  s->nbytes = nbytes;
  s->log = nullptr;
  s->oldest_save = nullptr;
  s->newest_save = nullptr;
  s->deleter = nullptr;
  s->data = s->inline_data();
  if (nbytes > kInlineBytes) [[unlikely]] {
    try {
      s->data = allocate_data(nbytes);
    } catch (...) {
      pool::free(s, sizeof(Storage) + kInlineBytes);
      throw;
    }
  }
  return s;
}
// Memory of somebody else, handed back through deleter (called from any thread).
Storage* new_foreign_storage(std::byte* data, std::size_t nbytes, bool read_only,
                             std::function<void()> deleter);

inline void destroy_storage(Storage* s) noexcept {
  if (s->log != nullptr || s->data != s->inline_data()) [[unlikely]] {
    return destroy_storage_with_rest(s);  // foreign memory does not lie inline either
  }
  pool::free(s, sizeof(Storage) + kInlineBytes);
}

inline void hold_storage(Storage* s, std::uint64_t what) {
  s->counts.fetch_add(what, std::memory_order_relaxed);
}
// For a tensor that this call has made and shown to nobody: its one count may be changed without
// the locked instruction.
inline void hold_fresh_storage(Storage* s, std::uint64_t what) {
  if (s->counts.load(std::memory_order_relaxed) == Storage::kMap) [[likely]] {
    s->counts.store(Storage::kMap + what, std::memory_order_relaxed);
  } else {
    hold_storage(s, what);
  }
}
inline void drop_storage(Storage* s, std::uint64_t what) noexcept {
  if (s->counts.load(std::memory_order_acquire) == what ||
      s->counts.fetch_sub(what, std::memory_order_acq_rel) == what) {
    destroy_storage(s);
  }
}

// Bytes that the library holds now: data, handles and nodes. For leak tests.
std::int64_t bytes_in_use();

}  // namespace oploom
