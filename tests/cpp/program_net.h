#pragma once

#include <string>
#include <utility>
#include <vector>

#include "tests/cpp/program_recording.h"

// Programs of the registry's ops that are recorded through handles.
namespace oploom::program {

class Net : public Recorded {
 public:
  // By name, in-place where it ends in "_"; all that the op answers.
  Variables all(const std::string& name, const std::vector<Argument>& inputs,
                std::vector<Attribute> attributes = {}) {
    const OpDef* def = find_op(name);
    if (def == nullptr) raise(ErrorKind::kArgument, "no op '", name, "' in the registry");
    return name.ends_with('_') ? recorder.call_inplace(*def, inputs, std::move(attributes))
                               : recorder.call(*def, inputs, std::move(attributes));
  }
  Variable op(const std::string& name, const std::vector<Argument>& inputs,
              std::vector<Attribute> attributes = {}) {
    return all(name, inputs, std::move(attributes))[0];
  }
  Variable parameter(const Tensor& eager) { return recorder.variable(eager); }
  // The text of the error that op raises; the program must be as before then.
  std::string refusal(const std::string& name, const std::vector<Argument>& inputs,
                      std::vector<Attribute> attributes = {}) {
    const std::string before = printed();
    const std::string message = refused([&] { all(name, inputs, std::move(attributes)); });
    return before == printed() ? message : message + " (and the program has changed)";
  }
};

// The kind of the error that f raises.
template <typename F>
ErrorKind kind_of(F&& f) {
  try {
    f();
  } catch (const Error& error) {
    return error.kind();
  }
  return ErrorKind::kMemory;
}

}  // namespace oploom::program
