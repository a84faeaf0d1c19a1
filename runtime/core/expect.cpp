#include "runtime/core/expect.h"

#include <algorithm>
#include <string>

#include "runtime/core/error.h"

namespace oploom::infer {

void refuse_dtype(std::string_view op, const char* argument, DType came, Expected expected) {
  constexpr std::string_view kNames[] = {"a float tensor (float32, float64)",
                                         "an integer tensor (uint8, int32, int64)", "a bool tensor",
                                         "a tensor of numbers (not bool)"};
  raise(ErrorKind::kType, "[", op, "] ", argument, ": expected ", kNames[static_cast<int>(expected)], ", got ", came,
        "; cast it first");
}

void choice(std::string_view op, const char* argument, std::string_view given,
            std::initializer_list<std::string_view> choices) {
  if (std::find(choices.begin(), choices.end(), given) != choices.end()) return;
  std::string list;
  for (const std::string_view name : choices) {
    if (!list.empty()) list += ", ";
    list += name;
  }
  raise(ErrorKind::kArgument, "[", op, "] ", argument, ": expected one of ", list, ", got '", given, "'");
}

}  // namespace oploom::infer
