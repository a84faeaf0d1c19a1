#include "runtime/kernels/generator.h"

#include <Random123/philox.h>

#include <mutex>
#include <random>
#include <utility>

namespace oploom {
namespace {

struct Process {
  std::mutex mutex;
  std::uint64_t key;
  std::uint64_t next = 0;

  Process() {
    std::random_device device;
    key = (static_cast<std::uint64_t>(device()) << 32) | device();
  }
};

Process& process() {
  static Process the;
  return the;
}

}  // namespace

void seed(std::uint64_t n) {
  Process& p = process();
  const std::lock_guard lock(p.mutex);
  p.key = n;
  p.next = 0;
}

namespace kernels {

namespace {
__thread KeyedDraws* keyed_draws = nullptr;
}  // namespace

DrawRange::Block DrawRange::block(std::uint64_t i) const {
  const auto low = [](std::uint64_t x) { return static_cast<std::uint32_t>(x); };
  const std::uint64_t number = first + i;
  const r123::Philox4x32::ctr_type counter = {
      {low(number), low(number >> 32), own_seed ? 1U : low(stream) & ~1U, low(stream >> 32)}};
  const r123::Philox4x32::key_type own_key = {{low(key), low(key >> 32)}};
  const r123::Philox4x32::ctr_type words = r123::Philox4x32()(counter, own_key);
  return {{words[0], words[1], words[2], words[3]}};
}

DrawRange reserve_draws(std::uint64_t blocks) {
  Process& p = process();
  const std::lock_guard lock(p.mutex);
  if (KeyedDraws* own = keyed_draws) {
    const DrawRange range = {p.key, own->next_, false, own->key_};
    own->next_ += blocks;
    return range;
  }
  const DrawRange range = {p.key, p.next, false};
  p.next += blocks;
  return range;
}

// The lowest bit tells numbers with a seed of their own; stream 0 is the process's.
KeyedDraws::KeyedDraws(std::uint64_t key)
    : before_(std::exchange(keyed_draws, this)), key_(key < 2 ? 2 : key) {}
KeyedDraws::~KeyedDraws() { keyed_draws = before_; }

DrawRange reserve_draws(std::uint64_t blocks, std::int64_t seed) {
  if (seed == 0) return reserve_draws(blocks);
  return {static_cast<std::uint64_t>(seed), 0, true};
}

}  // namespace kernels
}  // namespace oploom
