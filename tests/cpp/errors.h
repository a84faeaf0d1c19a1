#pragma once

#include "runtime/core/error.h"

namespace oploom::test {

// The error that f raises.
template <typename F>
Error error_of(F f) {
  try {
    f();
  } catch (const Error& error) {
    return error;
  }
  return Error(ErrorKind::kRuntime, "no error");
}

}  // namespace oploom::test
