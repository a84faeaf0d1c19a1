#pragma once

#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <iosfwd>
#include <span>
#include <vector>

namespace oploom {

inline constexpr int kMaxRank = 8;

// Borrowed integers: a shape, strides, axes. Takes a braced list too, which std::span does not.
class Ints {
 public:
  constexpr Ints() = default;
  constexpr Ints(const std::int64_t* data, std::size_t size) : data_(data), size_(size) {}
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored \
    "-Winit-list-lifetime"  // borrowed for the length of the call, as all of it
  constexpr Ints(std::initializer_list<std::int64_t> list)
      : data_(list.begin()), size_(list.size()) {}
#pragma GCC diagnostic pop
  Ints(const std::vector<std::int64_t>& v) : data_(v.data()), size_(v.size()) {}
  constexpr Ints(std::span<const std::int64_t> s) : data_(s.data()), size_(s.size()) {}

  constexpr std::size_t size() const { return size_; }
  constexpr int rank() const { return static_cast<int>(size_); }
  constexpr bool empty() const { return size_ == 0; }
  constexpr const std::int64_t* begin() const { return data_; }
  constexpr const std::int64_t* end() const { return data_ + size_; }
  constexpr const std::int64_t* data() const { return data_; }
  constexpr std::int64_t operator[](std::size_t i) const { return data_[i]; }
  friend bool operator==(Ints a, Ints b) {
    if (a.size_ != b.size_) return false;
    for (std::size_t i = 0; i < a.size_; ++i) {  // short: no call of memcmp
      if (a.data_[i] != b.data_[i]) return false;
    }
    return true;
  }

 private:
  const std::int64_t* data_ = nullptr;
  std::size_t size_ = 0;
};

// Owned integers of at most kMaxRank, without a heap block. More raises kUnimplemented.
class Dims {
 public:
  Dims() = default;
  Dims(Ints values) { assign(values); }
  Dims(std::initializer_list<std::int64_t> values) : Dims(Ints(values)) {}
  static Dims filled(int rank, std::int64_t value);

  void assign(Ints values) {
    if (values.size() > kMaxRank) [[unlikely]]
      refuse_rank(values.size());
    rank_ = values.rank();
    for (int i = 0; i < rank_; ++i) values_[i] = values[static_cast<std::size_t>(i)];
  }

  int rank() const { return rank_; }
  std::size_t size() const { return static_cast<std::size_t>(rank_); }
  bool empty() const { return rank_ == 0; }
  std::int64_t* begin() { return values_; }
  std::int64_t* end() { return values_ + rank_; }
  const std::int64_t* begin() const { return values_; }
  const std::int64_t* end() const { return values_ + rank_; }
  std::int64_t& operator[](std::size_t i) { return values_[i]; }
  std::int64_t operator[](std::size_t i) const { return values_[i]; }
  void push_back(std::int64_t value) {
    if (rank_ == kMaxRank) [[unlikely]]
      refuse_rank(kMaxRank + 1);
    values_[rank_++] = value;
  }
  operator Ints() const { return {values_, static_cast<std::size_t>(rank_)}; }

 private:
  [[noreturn, gnu::cold]] static void refuse_rank(std::size_t rank);

  int rank_ = 0;
  std::int64_t values_[kMaxRank];
};

inline bool operator==(const Dims& a, const Dims& b) { return Ints(a) == Ints(b); }
inline bool operator==(const Dims& a, Ints b) { return Ints(a) == b; }

// "[2, 3]".
std::ostream& operator<<(std::ostream& out, Ints dims);
std::ostream& operator<<(std::ostream& out, const Dims& dims);

// The product of all lengths; raises kMemory where it does not fit 63 bits.
std::int64_t count_elements(Ints shape);
// Row-major strides, in elements.
Dims contiguous_strides(Ints shape);
// Whether shape with strides is row-major without gaps; lengths of 1 do not count, empty is.
bool is_contiguous(Ints shape, Ints strides);

}  // namespace oploom
