#include <algorithm>
#include <ostream>
#include <string>

#include "runtime/program/control.h"
#include "runtime/program/program.h"
#include "runtime/program/text.h"

// The text of a program. One line for each op:
//   %3 = concat([%1, %2], axis=0) : float32[4, ?]  # net.py:12
// An attribute at its default is left out; one that is metadata is a value: shape=%9.
namespace oploom::program {
namespace {

class Printer {
 public:
  explicit Printer(std::ostream& out) : out_(out) {}

  void program(const Program& program) {
    for (const auto& argument : program.main.arguments) {
      const Program::Parameter* parameter = program.find_parameter(argument.get());
      out_ << (parameter != nullptr ? "parameter " : "input ");
      definition(*argument);
      out_ << " : " << argument->type;
      if (argument->needs_grad) out_ << ", stop_gradient=False";
      if (parameter != nullptr) effects(*parameter);
      out_ << '\n';
    }
    ops(program.main);
  }

 private:
  void effects(const Program::Parameter& parameter) {
    if (parameter.result != parameter.value) {
      out_ << " -> ";
      use(parameter.result);
    }
    if (parameter.rebound_grad != nullptr) {
      out_ << ", grad ";
      use(parameter.rebound_grad);
    }
  }

  void ops(const Region& region) {
    for (const auto& op : region.ops) {
      indent();
      line(*op);
      regions(*op);
    }
  }

  void line(const Op& op) {
    for (std::size_t i = 0; i < op.results.size(); ++i) {
      out_ << (i == 0 ? "" : ", ");
      definition(*op.results[i]);
    }
    out_ << (op.results.empty() ? "" : " = ") << shown_name(op) << '(';
    const bool any = inputs(op);
    attributes(op, any);
    out_ << ')';
    for (std::size_t i = 0; i < op.results.size(); ++i) {
      out_ << (i == 0 ? " : " : ", ") << op.results[i]->type;
    }
    comment(op);
    out_ << '\n';
  }

  bool inputs(const Op& op) {
    bool any = false;
    const std::size_t groups = op.group_sizes.empty() ? op.inputs.size() : op.group_sizes.size();
    for (std::size_t g = 0; g < groups; ++g) {
      out_ << (any ? ", " : "");
      any = true;
      const auto members = op.group(g);
      // The one list of `while` is its whole signature: no brackets.
      const bool list = g < op.def->inputs.size() &&
                        op.def->inputs[g].kind == InputDef::Kind::kList && op.def != &kWhile;
      if (members.empty() && !list) {
        out_ << (op.def == &kWhile ? "" : "none");
        continue;
      }
      out_ << (list ? "[" : "");
      uses(members);
      out_ << (list ? "]" : "");
    }
    return any;
  }

  void attributes(const Op& op, bool any) {
    for (std::size_t i = 0; i < op.attributes.size() && i < op.def->attributes.size(); ++i) {
      const AttributeDef& def = op.def->attributes[i];
      const Value* metadata = op.attribute_value(i);
      const bool usual = metadata == nullptr && def.default_value != nullptr &&
                         equal(def.default_value(), op.attributes[i]);
      if (usual) continue;
      out_ << (any ? ", " : "") << def.name << '=';
      if (metadata != nullptr)
        use(metadata);
      else
        out_ << op.attributes[i];
      any = true;
    }
  }

  // Where it was recorded, when that is a line of Python.
  void comment(const Op& op) {
    const bool placed = !op.position.empty() && op.position != "C++";
    if (!placed && op.recorded) return;
    out_ << "  # " << (placed ? one_line(op.position) : "") << (placed && !op.recorded ? ", " : "")
         << (op.recorded ? "" : "no_grad");
  }

  void regions(const Op& op) {
    for (std::size_t i = 0; i < op.regions.size(); ++i) {
      const Region& region = *op.regions[i];
      ++depth_;
      indent();
      out_ << region_name(op, i);
      if (!region.arguments.empty()) arguments(region);
      out_ << ":\n";
      ++depth_;
      ops(region);
      indent();
      out_ << "yield" << (region.yields.empty() ? "" : " ");
      uses(region.yields);
      out_ << '\n';
      depth_ -= 2;
    }
  }

  static std::string region_name(const Op& op, std::size_t i) {
    if (op.def == &kIf && i < 2) return i == 0 ? "then" : "else";
    if (op.def == &kWhile && i < 2) return i == 0 ? "condition" : "body";
    return "region";
  }

  void arguments(const Region& region) {
    out_ << '(';
    for (std::size_t i = 0; i < region.arguments.size(); ++i) {
      out_ << (i == 0 ? "" : ", ");
      definition(*region.arguments[i]);
      out_ << " : " << region.arguments[i]->type;
    }
    out_ << ')';
  }

  void indent() {
    for (int i = 0; i < depth_; ++i) out_ << "  ";
  }

  void definition(const Value& value) {
    out_ << '%' << value.id;
    if (!value.name.empty()) out_ << ' ' << shown(value.name);
  }

  void use(const Value* value) {
    if (value == nullptr)
      out_ << "none";
    else
      out_ << '%' << value->id;
  }

  void uses(std::span<Value* const> values) {
    for (std::size_t i = 0; i < values.size(); ++i) {
      out_ << (i == 0 ? "" : ", ");
      use(values[i]);
    }
  }

  // A name as it is where it is a plain word.
  static std::string shown(const std::string& name) {
    const auto plain = [](char c) {
      return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
             c == '_' || c == '.';
    };
    return std::all_of(name.begin(), name.end(), plain) ? name : quoted(name);
  }

  static std::string one_line(const std::string& text) {
    const std::string safe = quoted(text);
    return safe.substr(1, safe.size() - 2);
  }

  std::ostream& out_;
  int depth_ = 0;
};

}  // namespace

void print(std::ostream& out, const Program& program) { Printer(out).program(program); }

}  // namespace oploom::program
