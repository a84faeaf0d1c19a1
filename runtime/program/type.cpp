#include "runtime/program/type.h"

#include <algorithm>
#include <charconv>
#include <ostream>

#include "runtime/core/error.h"

namespace oploom::program {
namespace {

constexpr std::string_view kListOf = "list of ";
constexpr std::string_view kNumbersOf = "numbers ";
constexpr std::string_view kWeak = "weak ";

bool same_kind(const Type& a, const Type& b) {
  return a.kind == b.kind && a.depth == b.depth && a.of_numbers == b.of_numbers;
}

[[noreturn, gnu::cold, gnu::noinline]] void refuse_join(std::string_view what, const char* expected,
                                                        const Type& a, const Type& b,
                                                        const char* advice) {
  raise(ErrorKind::kType, what, ": expected ", expected, ", got ", a, " and ", b, "; ", advice);
}

void write_lengths(std::ostream& out, const Dims& shape) {
  out << '[';
  for (std::size_t i = 0; i < shape.size(); ++i) {
    out << (i == 0 ? "" : ", ");
    if (shape[i] < 0)
      out << '?';
    else
      out << shape[i];
  }
  out << ']';
}

bool take(std::string_view& text, std::string_view prefix) {
  if (!text.starts_with(prefix)) return false;
  text.remove_prefix(prefix.size());
  return true;
}

std::optional<DType> take_dtype(std::string_view& text) {
  for (int i = 0; i < kNumDTypes; ++i) {
    const auto dtype = static_cast<DType>(i);
    std::string_view rest = text;
    if (take(rest, name_of(dtype)) && rest.starts_with('[')) {
      text = rest;
      return dtype;
    }
  }
  return std::nullopt;
}

std::optional<Dims> take_lengths(std::string_view& text) {
  Dims shape;
  if (!take(text, "[")) return std::nullopt;
  while (!text.starts_with(']')) {
    if (shape.rank() == kMaxRank || (shape.rank() > 0 && !take(text, ", "))) return std::nullopt;
    if (take(text, "?")) {
      shape.push_back(-1);
      continue;
    }
    std::int64_t length = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), length);
    if (error != std::errc() || length < 0) return std::nullopt;
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    shape.push_back(length);
  }
  text.remove_prefix(1);
  return shape;
}

// What numbers and weak tensors can be at all.
bool sound(const Type& type) {
  if (type.weak &&
      (type.kind == Type::Kind::kNumbers || type.of_numbers || type.shape.rank() > 0)) {
    return false;
  }
  const bool numbers = type.is_numbers() || type.of_numbers;
  if (!numbers) return true;
  if (type.shape.rank() == 0) return type.dtype == DType::kInt64 || type.dtype == DType::kFloat64;
  return type.shape.rank() == 1 && type.dtype == DType::kInt64 && type.shape[0] >= 0 &&
         type.shape[0] <= kMaxNumbers;
}

}  // namespace

bool Type::known() const { return std::find(shape.begin(), shape.end(), -1) == shape.end(); }

Type tensor_type(DType dtype, Ints shape, bool weak) {
  Type type;
  type.dtype = dtype;
  type.weak = weak;
  type.shape = Dims(shape);
  return type;
}

Type number_type(DType dtype) {
  Type type = tensor_type(dtype, {});
  type.kind = Type::Kind::kNumbers;
  return type;
}

Type numbers_type(std::int64_t count) {
  if (count > kMaxNumbers) [[unlikely]] {
    raise(ErrorKind::kUnimplemented, "sizes: expected at most ", kMaxNumbers, " tensors, got ",
          count, "; take them in two steps");
  }
  Type type = tensor_type(DType::kInt64, {count});
  type.kind = Type::Kind::kNumbers;
  return type;
}

Type open_list() {
  Type type;
  type.kind = Type::Kind::kList;
  type.depth = 1;
  type.open = true;
  return type;
}

Type list_of(const Type& element) {
  if (element.depth >= kMaxListDepth) [[unlikely]] {
    raise(ErrorKind::kType, "list: expected at most ", kMaxListDepth,
          " lists in each other, got more");
  }
  Type type = element;
  type.kind = Type::Kind::kList;
  type.of_numbers = element.is_numbers() || element.of_numbers;
  ++type.depth;
  return type;
}

Type element_of(const Type& list) {
  Type type = list;
  if (--type.depth > 0) return type;
  type.kind = list.of_numbers ? Type::Kind::kNumbers : Type::Kind::kTensor;
  type.of_numbers = false;
  return type;
}

bool operator==(const Type& a, const Type& b) {
  if (!same_kind(a, b) || a.open != b.open) return false;
  return a.open || (a.dtype == b.dtype && a.weak == b.weak && a.shape == b.shape);
}

std::ostream& operator<<(std::ostream& out, const Type& type) {
  const int lists = type.open ? type.depth - 1 : type.depth;
  for (int i = 0; i < lists; ++i) out << kListOf;
  if (type.open) return out << "list";
  if (type.is_numbers() || type.of_numbers) out << kNumbersOf;
  if (type.weak) out << kWeak;
  out << type.dtype;
  write_lengths(out, type.shape);
  return out;
}

std::optional<Type> parse_type(std::string_view text) {
  int lists = 0;
  while (take(text, kListOf)) {
    if (++lists > kMaxListDepth) return std::nullopt;
  }
  Type type;
  if (text == "list") {
    if (lists == kMaxListDepth) return std::nullopt;
    type = open_list();
  } else {
    if (take(text, kNumbersOf)) type.kind = Type::Kind::kNumbers;
    type.weak = take(text, kWeak);
    const auto dtype = take_dtype(text);
    if (!dtype) return std::nullopt;
    const auto shape = take_lengths(text);
    if (!shape || !text.empty()) return std::nullopt;
    type.dtype = *dtype;
    type.shape = *shape;
  }
  for (int i = 0; i < lists; ++i) type = list_of(type);
  if (!type.open && !sound(type)) return std::nullopt;
  return type;
}

Type join(std::string_view what, const Type& a, const Type& b) {
  if (a.is_list() && b.is_list() && (a.open || b.open)) {
    // An open list inside lists takes any element; only the depth it has already must fit.
    const Type& known = a.open && !(b.open && a.depth > b.depth) ? b : a;
    const Type& open = &known == &a ? b : a;
    if (known.depth < open.depth) refuse_join(what, "lists of one depth", a, b, "nest both alike");
    return known;
  }
  if (!same_kind(a, b)) {
    refuse_join(what, "values of one kind", a, b, "make both tensors, or both lists");
  }
  if (a.dtype != b.dtype) refuse_join(what, "one dtype", a, b, "cast one of them");
  if (a.weak != b.weak) {
    refuse_join(what, "two tensors or two numbers", a, b,
                "make the number a tensor with full([], ...)");
  }
  if (a.shape.rank() != b.shape.rank()) {
    refuse_join(what, "one number of dimensions", a, b, "reshape one of them");
  }
  if ((a.is_numbers() || a.of_numbers) && !(a.shape == b.shape)) {
    refuse_join(what, "as many numbers", a, b,
                "take the shapes of tensors of one number of dimensions");
  }
  Type out = a;
  for (std::size_t i = 0; i < out.shape.size(); ++i) {
    if (a.shape[i] != b.shape[i]) out.shape[i] = -1;
  }
  return out;
}

bool holds(const Type& wide, const Type& narrow) {
  if (wide.is_list() && narrow.is_list() && narrow.open) return wide.depth >= narrow.depth;
  if (!same_kind(wide, narrow) || wide.open || wide.dtype != narrow.dtype ||
      wide.weak != narrow.weak || wide.shape.rank() != narrow.shape.rank()) {
    return false;
  }
  for (std::size_t i = 0; i < wide.shape.size(); ++i) {
    if (wide.shape[i] != -1 && wide.shape[i] != narrow.shape[i]) return false;
  }
  return true;
}

}  // namespace oploom::program
