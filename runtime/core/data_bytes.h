#pragma once

#include <cstdint>

namespace oploom {

// Bytes of data that this thread allocated less those that it freed, and the most there ever were.
// Buffers of up to kInlineBytes live inside their storage and do not count. For the peak of a program's run.
struct DataBytes {
  std::int64_t live;
  std::int64_t peak;
};
extern __thread DataBytes thread_data_bytes;

}  // namespace oploom
