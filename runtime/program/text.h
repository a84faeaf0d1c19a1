#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

// Small text helpers of print, save, load and dot.
namespace oploom::program {

// In double quotes, with \" \\ \n \t \r and \xNN for other control characters: one line, valid YAML
// and DOT for text that is UTF-8.
std::string quoted(std::string_view text);

bool is_utf8(std::string_view text);

// The name among names that text was probably meant to be, or empty: at most a third of its letters
// differ.
std::string_view closest(std::string_view text, std::span<const std::string_view> names);

}  // namespace oploom::program
