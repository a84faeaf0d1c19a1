#pragma once

#include <cstdint>

namespace oploom {

// Starts the process's random numbers anew: after the same seed, the same calls draw the same
// numbers. Until the first call the seed is the operating system's.
void seed(std::uint64_t n);

namespace kernels {

// A range of blocks of the counter-based generator, four 32-bit words each. Which element gets
// which block follows from its place alone, so any part of a range can be worked out by itself.
struct DrawRange {
  std::uint64_t key = 0;
  std::uint64_t first = 0;
  // Numbers drawn with a seed of their own never meet those of the process.
  bool own_seed = false;
  std::uint64_t stream = 0;  // of KeyedDraws, from 1; 0: of the process

  struct Block {
    std::uint32_t word[4];
  };
  Block block(std::uint64_t i) const;
};

// The next blocks of the process; nobody else gets them.
DrawRange reserve_draws(std::uint64_t blocks);
// seed 0 means the process's.
DrawRange reserve_draws(std::uint64_t blocks, std::int64_t seed);

// For as long as it lives, this thread draws from counters of its own: the same key, the same
// numbers after the same seed, whatever else was drawn. A program's random ops get theirs so.
class KeyedDraws {
 public:
  explicit KeyedDraws(std::uint64_t key);
  ~KeyedDraws();
  KeyedDraws(const KeyedDraws&) = delete;
  KeyedDraws& operator=(const KeyedDraws&) = delete;

 private:
  KeyedDraws* before_;
  std::uint64_t key_;
  std::uint64_t next_ = 0;
  friend DrawRange reserve_draws(std::uint64_t blocks);
};

}  // namespace kernels
}  // namespace oploom
