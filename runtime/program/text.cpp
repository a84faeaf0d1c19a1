#include "runtime/program/text.h"

#include <algorithm>
#include <vector>

namespace oploom::program {
namespace {

// Letters to insert, remove or replace. Texts are cut: what is typed by hand is short.
std::size_t distance(std::string_view a, std::string_view b) {
  constexpr std::size_t kLongest = 64;
  a = a.substr(0, kLongest);
  b = b.substr(0, kLongest);
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = diagonal + (a[i - 1] != b[j - 1] ? 1 : 0);
      diagonal = row[j];
      row[j] = std::min({replaced, row[j] + 1, row[j - 1] + 1});
    }
  }
  return row.back();
}

}  // namespace

std::string quoted(std::string_view text) {
  constexpr std::string_view kDigits = "0123456789ABCDEF";
  std::string out = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\')
      out += '\\', out += c;
    else if (c == '\n')
      out += "\\n";
    else if (c == '\t')
      out += "\\t";
    else if (c == '\r')
      out += "\\r";
    else if (byte < 0x20 || byte == 0x7F)
      out += "\\x", out += kDigits[byte >> 4], out += kDigits[byte & 15];
    else
      out += c;
  }
  out += '"';
  return out;
}

bool is_utf8(std::string_view text) {
  for (std::size_t i = 0; i < text.size();) {
    const auto lead = static_cast<unsigned char>(text[i]);
    const std::size_t length = lead < 0x80   ? 1
                               : lead < 0xC2 ? 0
                               : lead < 0xE0 ? 2
                               : lead < 0xF0 ? 3
                               : lead < 0xF5 ? 4
                                             : 0;
    if (length == 0 || length > text.size() - i) return false;
    std::uint32_t point = length == 1 ? lead : lead & (0x7FU >> length);
    for (std::size_t k = 1; k < length; ++k) {
      const auto next = static_cast<unsigned char>(text[i + k]);
      if ((next & 0xC0) != 0x80) return false;
      point = point << 6 | (next & 0x3FU);
    }
    // Too long a form, half of a pair, beyond the last.
    const bool fine = (length < 3 || point >= (length == 3 ? 0x800U : 0x10000U)) &&
                      (point < 0xD800 || point > 0xDFFF) && point <= 0x10FFFF;
    if (!fine) return false;
    i += length;
  }
  return true;
}

std::string_view closest(std::string_view text, std::span<const std::string_view> names) {
  std::string_view best;
  std::size_t least = std::max<std::size_t>(text.size() / 3, 1) + 1;
  for (const std::string_view name : names) {
    const std::size_t letters = distance(text, name);
    if (letters < least) least = letters, best = name;
  }
  return best;
}

}  // namespace oploom::program
