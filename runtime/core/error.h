#pragma once

#include <exception>
#include <sstream>
#include <string>
#include <utility>

namespace oploom {

// What went wrong, in the terms of the caller. Bindings map each kind to one exception class.
enum class ErrorKind {
  kArgument,       // ValueError: a value, shape or combination of arguments
  kType,           // TypeError: a dtype or a Python type
  kIndex,          // IndexError: an index out of range
  kUnimplemented,  // NotImplementedError: understood, but not to be had
  kMemory,         // MemoryError
  kVersion,        // errors.VersionError: a saved value was overwritten (rule B1)
  kInplace,        // errors.InplaceError: a refused in-place call
  kLeafInplace,    // errors.LeafInplaceError: the same, for a leaf or a view of one (C1, C2)
  kRuntime,        // RuntimeError: for example a graph that was freed
};

// The one exception type that the library throws.
class Error : public std::exception {
 public:
  Error(ErrorKind kind, std::string message) : kind_(kind), message_(std::move(message)) {}
  ErrorKind kind() const noexcept { return kind_; }
  const char* what() const noexcept override { return message_.c_str(); }

 private:
  ErrorKind kind_;
  std::string message_;
};

// Joins its arguments to one text; anything with operator<< goes.
template <typename... Parts>
std::string text(const Parts&... parts) {
  std::ostringstream out;
  (out << ... << parts);
  return out.str();
}

// raise(ErrorKind::kArgument, "[add] x: expected ", ...) throws an Error with the joined text.
// Messages open with the op in brackets, then the argument, what was expected, what came, what to do.
template <typename... Parts>
[[noreturn, gnu::cold, gnu::noinline]] void raise(ErrorKind kind, const Parts&... parts) {
  throw Error(kind, text(parts...));
}

}  // namespace oploom
