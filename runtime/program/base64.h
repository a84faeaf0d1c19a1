#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace oploom::program {

// RFC 4648, with padding. Decoding accepts what encoding writes and nothing else.
std::string to_base64(std::span<const std::byte> bytes);
std::optional<std::vector<std::byte>> from_base64(std::string_view text);

}  // namespace oploom::program
