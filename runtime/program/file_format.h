#pragma once

namespace oploom::program {

// What save and load agree on; docs/program.md shows a file.
inline constexpr int kFileVersion = 1;
// Regions in regions. Each takes four levels of YAML, of which yaml-cpp reads 500.
inline constexpr int kMaxRegionDepth = 64;

}  // namespace oploom::program
