#include "runtime/core/expect.h"

#include <algorithm>
#include <optional>
#include <string>

#include "runtime/core/error.h"

namespace oploom::infer {
namespace {

bool may_equal(Ints a, Ints b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](std::int64_t x, std::int64_t y) { return x == y || x == -1 || y == -1; });
}

// The last element that a map reaches; nothing where a part of it is negative or the sum overflows.
std::optional<std::int64_t> last_of_map(Ints shape, Ints strides, std::int64_t offset) {
  std::int64_t last = offset;
  bool fine = offset >= 0;
  for (std::size_t i = 0; i < shape.size(); ++i) {
    std::int64_t step = 0;
    fine = fine && shape[i] >= 1 && strides[i] >= 0 && !__builtin_mul_overflow(shape[i] - 1, strides[i], &step) &&
           !__builtin_add_overflow(last, step, &last);
  }
  return fine ? std::optional(last) : std::nullopt;
}

}  // namespace

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

void expect_lengths(std::string_view op, const char* argument, Ints shape) {
  const auto negative = [](std::int64_t length) { return length < 0; };
  if (std::none_of(shape.begin(), shape.end(), negative)) [[likely]] return;
  raise(ErrorKind::kArgument, "[", op, "] ", argument, ": expected lengths of at least 0, got ", shape);
}

void expect_shape(std::string_view op, const char* argument, const Meta& x, Ints shape) {
  if (x.shape == shape) [[likely]] return;
  raise(ErrorKind::kArgument, "[", op, "] ", argument, ": expected shape ", shape, ", got ", x.shape);
}

void expect_alike(std::string_view op, std::initializer_list<Meta> arguments) {
  const Meta& first = *arguments.begin();
  for (const Meta& x : arguments) {
    if (x.dtype == first.dtype && may_equal(x.shape, first.shape)) [[likely]] continue;
    raise(ErrorKind::kArgument, "[", op, "] expected arguments of one shape and dtype, got ", first.dtype, first.shape,
          " and ", x.dtype, x.shape);
  }
}

void expect_axis(std::string_view op, std::int64_t axis, int rank) {
  if (axis >= 0 && axis < rank) [[likely]] return;
  raise(ErrorKind::kArgument, "[", op, "] axis: expected one of the ", rank, " axes, counted from 0, got ", axis);
}

void expect_axes(std::string_view op, Ints axes, int rank) {
  std::int64_t before = -1;
  for (const std::int64_t axis : axes) {
    expect_axis(op, axis, rank);
    if (axis <= before) raise(ErrorKind::kArgument, "[", op, "] axis: expected axes in order, got ", axes);
    before = axis;
  }
}

void expect_map(std::string_view op, Ints shape, Ints strides, std::int64_t offset, std::int64_t elements) {
  const bool empty = std::find(shape.begin(), shape.end(), 0) != shape.end();
  if (strides.size() == shape.size()) {
    const auto last = last_of_map(shape, strides, offset);
    if (empty || (last && *last < elements)) return;
  }
  raise(ErrorKind::kArgument, "[", op, "] strides: expected a map inside of ", elements, " elements, got shape ", shape,
        ", strides ", strides, " and offset ", offset);
}

}  // namespace oploom::infer
