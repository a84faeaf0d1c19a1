#include "runtime/core/storage.h"

#include <memory>
#include <new>

#include "runtime/core/data_bytes.h"
#include "runtime/core/error.h"
#include "runtime/core/write_log.h"

namespace oploom {
namespace {

constexpr std::align_val_t kDataAlignment{64};
std::atomic<std::int64_t> data_bytes{0};

void count_data(std::int64_t bytes) {
  data_bytes.fetch_add(bytes, std::memory_order_relaxed);
  DataBytes& mine = thread_data_bytes;
  mine.live += bytes;
  if (mine.live > mine.peak) mine.peak = mine.live;
}

}  // namespace

__thread DataBytes thread_data_bytes;

std::byte* allocate_data(std::size_t nbytes) {
  void* data = ::operator new(nbytes, kDataAlignment, std::nothrow);
  if (data == nullptr) {
    raise(ErrorKind::kMemory, "cannot allocate ", nbytes, " bytes for a tensor");
  }
  count_data(static_cast<std::int64_t>(nbytes));
  return static_cast<std::byte*>(data);
}

void destroy_storage_with_rest(Storage* s) noexcept {
  delete s->log;
  if (s->deleter != nullptr) {
    (*s->deleter)();
    delete s->deleter;
  } else if (s->data != s->inline_data()) {
    count_data(-static_cast<std::int64_t>(s->nbytes));
    ::operator delete(s->data, kDataAlignment);
  }
  pool::free(s, sizeof(Storage) + kInlineBytes);
}

Storage* new_foreign_storage(std::byte* data, std::size_t nbytes, bool read_only,
                             std::function<void()> deleter) {
  auto owned = std::make_unique<std::function<void()>>(std::move(deleter));
  Storage* s = new_storage(0);
  s->data = data;
  s->nbytes = nbytes;
  s->guard = read_only ? Storage::kReadOnly : Storage::kForeign;
  s->deleter = owned.release();
  return s;
}

std::int64_t bytes_in_use() {
  return pool::bytes_in_use() + data_bytes.load(std::memory_order_relaxed);
}

}  // namespace oploom
