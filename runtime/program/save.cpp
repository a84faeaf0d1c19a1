#include <fstream>
#include <ostream>
#include <sstream>
#include <string>
#include <unordered_map>

#include "runtime/core/error.h"
#include "runtime/core/prepare.h"
#include "runtime/program/base64.h"
#include "runtime/program/file_format.h"
#include "runtime/program/program.h"
#include "runtime/program/text.h"
#include "runtime/program/yaml_tree.h"

// A program as YAML. Written by hand: one op a line, so that two files can be compared by eye.
namespace oploom::program {
namespace {

// Nothing of a program may be lost on the way: what YAML cannot hold is refused.
std::string yaml_text(std::string_view text) {
  if (is_utf8(text)) return quoted(text);
  raise(ErrorKind::kArgument, "[save] expected names and texts in UTF-8, got ", quoted(text));
}

void write_bound(std::ostream& out, std::int64_t bound) {
  if (bound != IndexItem::kNone) out << bound;
}

// ["0:2:1", "None", "3", "..."].
void write_index(std::ostream& out, const Index& index) {
  out << '[';
  for (std::size_t i = 0; i < index.size(); ++i) {
    const IndexItem& item = index[i];
    out << (i == 0 ? "\"" : ", \"");
    if (item.kind == IndexItem::Kind::kEllipsis) out << "...";
    if (item.kind == IndexItem::Kind::kNewAxis) out << "None";
    if (item.kind == IndexItem::Kind::kNumber) out << item.start;
    if (item.kind == IndexItem::Kind::kSlice) {
      write_bound(out, item.start);
      write_bound(out << ':', item.stop);
      write_bound(out << ':', item.step);
    }
    out << '"';
  }
  out << ']';
}

void write_attribute(std::ostream& out, const Attribute& attribute) {
  std::visit(
      [&out](const auto& value) {
        using T = std::decay_t<decltype(value)>;
        if constexpr (std::is_same_v<T, std::monostate>)
          out << '~';
        else if constexpr (std::is_same_v<T, double>)
          out << yaml::text_of(value);
        else if constexpr (std::is_same_v<T, Scalar>) {
          if (value.category() == Category::kFloat)
            out << yaml::text_of(value.to_double());
          else
            out << value;
        } else if constexpr (std::is_same_v<T, std::string>)
          out << yaml_text(value);
        else if constexpr (std::is_same_v<T, Index>)
          write_index(out, value);
        else
          out << Attribute(value);
      },
      attribute);
}

class Saver {
 public:
  explicit Saver(std::ostream& out) : out_(out) {}

  void program(const Program& program) {
    check_storages(program);
    out_ << "oploom_program: " << kFileVersion << '\n'
         << "next: {value: " << program.next_value_id << ", op: " << program.next_op_number << "}\n"
         << "arguments:" << (program.main.arguments.empty() ? " []\n" : "\n");
    for (const auto& value : program.main.arguments) argument(program, *value);
    ops(program.main, 0);
  }

 private:
  // A file holds each parameter's values on their own: two that share memory would part on loading.
  static void check_storages(const Program& program) {
    std::unordered_map<const Storage*, const Program::Parameter*> seen;
    for (const Program::Parameter& parameter : program.parameters) {
      const auto [at, fresh] = seen.emplace(parameter.tensor.impl()->storage, &parameter);
      const bool written =
          parameter.result != parameter.value || at->second->result != at->second->value;
      if (fresh || !written) continue;
      raise(
          ErrorKind::kArgument,
          "[save] expected parameters with memory of their own where the program writes them, got ",
          quoted(at->second->value->name), " and ", quoted(parameter.value->name),
          ", which share theirs; clone one of them");
    }
  }

  void argument(const Program& program, const Value& value) {
    const Program::Parameter* parameter = program.find_parameter(&value);
    out_ << "- ";
    begin_value(value);
    out_ << ", role: " << (parameter == nullptr ? "input" : "parameter");
    if (parameter != nullptr) write_parameter(*parameter);
    out_ << "}\n";
  }

  void write_parameter(const Program::Parameter& parameter) {
    const Tensor& tensor = parameter.tensor;
    const Type& type = parameter.value->type;
    if (tensor.dtype() != type.dtype || !(tensor.shape() == Ints(type.shape))) {
      raise(ErrorKind::kArgument, "[save] parameter ", quoted(parameter.value->name), ": expected ",
            type, " as when it was recorded, got ", tensor.dtype(), tensor.shape());
    }
    if (parameter.result != parameter.value) out_ << ", result: " << parameter.result->id;
    if (parameter.writes != 0) out_ << ", writes: " << parameter.writes;
    if (parameter.rebound_grad != nullptr) out_ << ", grad: " << parameter.rebound_grad->id;
    const Tensor dense = contiguous(tensor);
    out_ << ", data: \"" << to_base64({dense.bytes(), dense.nbytes()}) << '"';
  }

  // nest: how many regions there are around.
  void ops(const Region& region, int nest) {
    indent(2 * nest);
    out_ << "ops:" << (region.ops.empty() ? " []\n" : "\n");
    for (const auto& op : region.ops) {
      indent(2 * nest);
      // Short ones on one line; with regions, one line for each key.
      const bool flow = op->regions.empty();
      const std::string next =
          flow ? ", " : "\n" + std::string(static_cast<std::size_t>(4 * nest + 2), ' ');
      out_ << "- " << (flow ? "{" : "");
      one_op(*op, next);
      out_ << (flow ? "}\n" : "\n");
      if (!flow) regions(*op, nest + 1);
    }
  }

  void one_op(const Op& op, const std::string& next) {
    out_ << "op: " << yaml_text(op.def->name);
    if (!op.inputs.empty() || !op.group_sizes.empty()) inputs(op, next);
    if (!op.attributes.empty()) attributes(op, next);
    metadata(op, next);
    out_ << next << "results: [";
    for (std::size_t i = 0; i < op.results.size(); ++i) {
      out_ << (i == 0 ? "" : ", ");
      begin_value(*op.results[i]);
      out_ << '}';
    }
    out_ << ']' << next << "number: " << op.number;
    if (op.inplace) out_ << next << "inplace: true";
    if (op.applied) out_ << next << "applied: true";
    if (op.must_fit) out_ << next << "must_fit: true";
    if (!op.recorded) out_ << next << "recorded: false";
    if (!op.position.empty()) out_ << next << "at: " << yaml_text(op.position);
  }

  void inputs(const Op& op, const std::string& next) {
    out_ << next << "inputs: [";
    const std::size_t groups = op.group_sizes.empty() ? op.inputs.size() : op.group_sizes.size();
    for (std::size_t g = 0; g < groups; ++g) {
      const auto members = op.group(g);
      const bool list = op.def->inputs[g].kind == InputDef::Kind::kList;
      out_ << (g == 0 ? "" : ", ");
      if (members.empty() && !list) out_ << '~';
      out_ << (list ? "[" : "");
      ids(members);
      out_ << (list ? "]" : "");
    }
    out_ << ']';
  }

  void attributes(const Op& op, const std::string& next) {
    out_ << next << "attributes: {";
    for (std::size_t i = 0; i < op.attributes.size(); ++i) {
      out_ << (i == 0 ? "" : ", ") << op.def->attributes[i].name << ": ";
      write_attribute(out_, op.attributes[i]);
    }
    out_ << '}';
  }

  void metadata(const Op& op, const std::string& next) {
    bool any = false;
    for (std::size_t i = 0; i < op.attribute_values.size(); ++i) {
      if (op.attribute_values[i] == nullptr) continue;
      out_ << (any ? ", " : next + "metadata: {") << op.def->attributes[i].name << ": "
           << op.attribute_values[i]->id;
      any = true;
    }
    if (any) out_ << '}';
  }

  void regions(const Op& op, int nest) {
    if (nest > kMaxRegionDepth) {
      raise(ErrorKind::kUnimplemented, "[save] expected at most ", kMaxRegionDepth,
            " branches and loops in each other, got more");
    }
    indent(2 * nest - 1);
    out_ << "regions:\n";
    for (const auto& region : op.regions) {
      indent(2 * nest - 1);
      out_ << "- arguments: [";
      for (std::size_t i = 0; i < region->arguments.size(); ++i) {
        out_ << (i == 0 ? "" : ", ");
        begin_value(*region->arguments[i]);
        out_ << '}';
      }
      out_ << "]\n";
      ops(*region, nest);
      indent(2 * nest);
      out_ << "yields: [";
      ids(region->yields);
      out_ << "]\n";
    }
  }

  // A map that is left open.
  void begin_value(const Value& value) {
    out_ << "{value: " << value.id << ", type: \"" << value.type << '"';
    if (!value.name.empty()) out_ << ", name: " << yaml_text(value.name);
    if (value.needs_grad) out_ << ", needs_grad: true";
    if (value.stopped) out_ << ", stopped: true";
  }

  void ids(std::span<Value* const> values) {
    for (std::size_t i = 0; i < values.size(); ++i) out_ << (i == 0 ? "" : ", ") << values[i]->id;
  }

  void indent(int steps) {
    for (int i = 0; i < steps; ++i) out_ << "  ";
  }

  std::ostream& out_;
};

}  // namespace

std::string save_text(const Program& program) {
  verify(program);
  std::ostringstream out;
  Saver(out).program(program);
  return out.str();
}

void save(const Program& program, const std::string& path) {
  // All of it first: what cannot be saved leaves no half of a file behind.
  const std::string text = save_text(program);
  std::ofstream out(path, std::ios::binary);
  out << text;
  out.close();
  if (!out)
    raise(ErrorKind::kArgument, "[save] expected a file that can be written, got ", quoted(path));
}

}  // namespace oploom::program
