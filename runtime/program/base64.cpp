#include "runtime/program/base64.h"

#include <array>
#include <cstdint>

namespace oploom::program {
namespace {

constexpr std::string_view kLetters =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
constexpr std::uint8_t kNoLetter = 64;

constexpr std::array<std::uint8_t, 256> kValues = [] {
  std::array<std::uint8_t, 256> values{};
  values.fill(kNoLetter);
  for (std::size_t i = 0; i < kLetters.size(); ++i) {
    values[static_cast<unsigned char>(kLetters[i])] = static_cast<std::uint8_t>(i);
  }
  return values;
}();

}  // namespace

std::string to_base64(std::span<const std::byte> bytes) {
  std::string out;
  out.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const std::size_t there = std::min<std::size_t>(bytes.size() - i, 3);
    std::uint32_t three = 0;
    for (std::size_t k = 0; k < 3; ++k) {
      three = three << 8 | (k < there ? std::to_integer<std::uint32_t>(bytes[i + k]) : 0);
    }
    for (std::size_t k = 0; k < 4; ++k)
      out += k <= there ? kLetters[three >> (18 - 6 * k) & 63] : '=';
  }
  return out;
}

std::optional<std::vector<std::byte>> from_base64(std::string_view text) {
  if (text.size() % 4 != 0) return std::nullopt;
  std::size_t padding = 0;
  while (padding < 2 && padding < text.size() && text[text.size() - 1 - padding] == '=') ++padding;
  std::vector<std::byte> out;
  out.reserve(text.size() / 4 * 3);
  for (std::size_t i = 0; i < text.size(); i += 4) {
    const std::size_t letters = i + 4 == text.size() ? 4 - padding : 4;
    std::uint32_t three = 0;
    for (std::size_t k = 0; k < 4; ++k) {
      const std::uint8_t value = k < letters ? kValues[static_cast<unsigned char>(text[i + k])] : 0;
      if (value == kNoLetter) return std::nullopt;
      three = three << 6 | value;
    }
    // Bits that no byte takes must be 0: one text for each value.
    if ((three & ((1U << (8 * (4 - letters))) - 1)) != 0) return std::nullopt;
    for (std::size_t k = 0; k + 1 < letters; ++k) {
      out.push_back(static_cast<std::byte>(three >> (16 - 8 * k) & 255));
    }
  }
  return out;
}

}  // namespace oploom::program
