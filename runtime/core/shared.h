#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

namespace oploom {

// Base of things that are counted and that core only holds: gradient nodes and families.
struct Shared {
  std::atomic<std::uint32_t> count{1};
  virtual void destroy() noexcept = 0;  // called once, when the last holder lets go

 protected:
  ~Shared() = default;
};

inline void hold(Shared& object) { object.count.fetch_add(1, std::memory_order_relaxed); }

// The last holder sees the 1 without a read-modify-write: an atomic subtraction costs 5 ns.
template <typename Counter>
bool let_go(Counter& count) {
  return count.load(std::memory_order_acquire) == 1 ||
         count.fetch_sub(1, std::memory_order_acq_rel) == 1;
}

inline void drop(Shared* object) noexcept {
  if (object != nullptr && let_go(object->count)) object->destroy();
}

// Owns one count of a Shared (or derived) object.
template <typename T>
class Ref {
 public:
  Ref() = default;
  Ref(std::nullptr_t) {}
  static Ref adopt(T* object) { return Ref(object); }   // takes over the caller's count
  static Ref share(T* object) {
    if (object != nullptr) hold(*object);
    return Ref(object);
  }
  Ref(const Ref& other) : Ref(share(other.object_)) {}
  Ref(Ref&& other) noexcept : object_(std::exchange(other.object_, nullptr)) {}
  template <typename Derived, typename = std::enable_if_t<std::is_base_of_v<T, Derived>>>
  Ref(const Ref<Derived>& other) : Ref(share(other.get())) {}
  template <typename Derived, typename = std::enable_if_t<std::is_base_of_v<T, Derived>>>
  Ref(Ref<Derived>&& other) noexcept : object_(other.release()) {}
  Ref& operator=(Ref other) noexcept {
    std::swap(object_, other.object_);
    return *this;
  }
  ~Ref() { drop(object_); }

  T* get() const { return object_; }
  T* operator->() const { return object_; }
  T& operator*() const { return *object_; }
  explicit operator bool() const { return object_ != nullptr; }
  T* release() { return std::exchange(object_, nullptr); }

 private:
  explicit Ref(T* object) : object_(object) {}
  T* object_ = nullptr;
};

}  // namespace oploom
