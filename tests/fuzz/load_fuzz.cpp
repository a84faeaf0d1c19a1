#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <sstream>
#include <string>

#include "runtime/core/error.h"
#include "runtime/program/program.h"

// libFuzzer's entry: any bytes as a program file. Either load refuses them with an Error, or the program that it
// gives is sound, can be shown, and comes back the same from what save writes.
namespace {

using oploom::program::Program;

[[noreturn]] void complain(const char* what, const std::string& first, const std::string& second) {
  std::fprintf(stderr, "%s\n--- first\n%s\n--- second\n%s\n", what, first.c_str(), second.c_str());
  std::abort();
}

std::string printed(const Program& program) {
  std::ostringstream out;
  print(out, program);
  return out.str();
}

void round_trip(const Program& program) {
  const std::string text = save_text(program);
  const auto again = oploom::program::load_text(text, "again");
  if (const std::string second = save_text(*again); second != text) complain("files differ", text, second);
  const std::string shown = printed(program);
  if (const std::string second = printed(*again); second != shown) complain("texts differ", shown, second);
  if (dot(program) != dot(*again)) complain("pictures differ", dot(program), dot(*again));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::unique_ptr<Program> program;
  try {
    program = oploom::program::load_text({reinterpret_cast<const char*>(data), size}, "fuzz");
  } catch (const oploom::Error&) {
    return 0;
  }
  round_trip(*program);  // what was loaded can be saved: an error here is a finding
  return 0;
}
