#include <sstream>
#include <string>
#include <unordered_map>

#include "runtime/core/error.h"
#include "runtime/program/control.h"
#include "runtime/program/program.h"
#include "runtime/program/text.h"

// A program as Graphviz text: ops are boxes, in-place ones red, regions clusters; inputs are green
// ovals, parameters blue ones. An edge is a value, with its number and type.
namespace oploom::program {
namespace {

constexpr std::string_view kHead =
    "digraph program {\n"
    "  rankdir=TB;\n"
    "  compound=true;\n"
    "  fontname=\"Helvetica\";\n"
    "  node [shape=box, style=\"rounded,filled\", fillcolor=\"#f4f4f4\", color=\"#888888\", "
    "fontname=\"Helvetica\", fontsize=11];\n"
    "  edge [fontname=\"Helvetica\", fontsize=9, color=\"#888888\"];\n";
constexpr std::string_view kInputStyle = "shape=oval, fillcolor=\"#d9f2d9\", color=\"#3c8c3c\"";
constexpr std::string_view kParameterStyle = "shape=oval, fillcolor=\"#d9e6f7\", color=\"#3a6ea5\"";
constexpr std::string_view kArgumentStyle = "shape=oval, fillcolor=\"#ffffff\"";
constexpr std::string_view kInplaceStyle = "fillcolor=\"#f9d5d3\", color=\"#c0392b\"";
constexpr std::string_view kYieldStyle = "shape=plaintext, style=\"\"";
constexpr std::string_view kEffectStyle = "style=dashed, color=\"#3a6ea5\"";

// DOT knows only \" of what quoted() writes; a \n in a label is a line break, which is what it
// says.
std::string label(const std::string& text) { return quoted(text); }

class Picture {
 public:
  std::string program(const Program& program) {
    out_ << kHead;
    for (const auto& value : program.main.arguments) {
      const bool parameter = program.find_parameter(value.get()) != nullptr;
      argument(*value, parameter ? kParameterStyle : kInputStyle);
    }
    ops(program.main);
    for (const Program::Parameter& parameter : program.parameters) {
      if (parameter.result != parameter.value && parameter.result != nullptr) effect(parameter);
    }
    out_ << "}\n";
    return out_.str();
  }

 private:
  void argument(const Value& value, std::string_view style) {
    indent();
    out_ << node(value) << " [label="
         << label(text("%", value.id, value.name.empty() ? "" : " ", value.name, "\n", value.type))
         << ", " << style << "];\n";
  }

  // What the program writes into a parameter leads back to it; it must not turn the picture upside
  // down.
  void effect(const Program::Parameter& parameter) {
    indent();
    out_ << node(*parameter.result) << " -> " << node(*parameter.value) << " [" << kEffectStyle
         << ", constraint=false, label=" << label(text("%", parameter.result->id)) << "];\n";
  }

  void ops(const Region& region) {
    for (const auto& op : region.ops) {
      indent();
      out_ << node(*op) << " [label=" << label(title(*op));
      if (op->inplace) out_ << ", " << kInplaceStyle;
      if (!op->position.empty()) out_ << ", tooltip=" << label(op->position);
      out_ << "];\n";
      for_each_use(*op, [&](const Value* value) { edge(value, node(*op)); });
      for (std::size_t i = 0; i < op->regions.size(); ++i) cluster(*op, i);
    }
  }

  static std::string title(const Op& op) {
    std::ostringstream out;
    out << shown_name(op);
    for (std::size_t i = 0; i < op.attributes.size() && i < op.def->attributes.size(); ++i) {
      const AttributeDef& def = op.def->attributes[i];
      if (op.attribute_value(i) != nullptr) continue;  // an edge
      if (def.default_value != nullptr && equal(def.default_value(), op.attributes[i])) continue;
      out << '\n' << def.name << '=' << op.attributes[i];
    }
    return out.str();
  }

  void cluster(const Op& op, std::size_t i) {
    const Region& region = *op.regions[i];
    indent();
    out_ << "subgraph cluster_" << node(op) << '_' << i << " {\n";
    ++depth_;
    indent();
    out_ << "label="
         << label(text(op.def->name, " ", cluster_name(op, i), " (%", first_id(op), ")"))
         << "; style=rounded; color=\"#bbbbbb\";\n";
    for (const auto& value : region.arguments) argument(*value, kArgumentStyle);
    ops(region);
    const std::string end = text("yield_", node(op), "_", i);
    indent();
    out_ << end << " [label=\"yield\", " << kYieldStyle << "];\n";
    for (const Value* value : region.yields) edge(value, end);
    --depth_;
    indent();
    out_ << "}\n";
    indent();
    out_ << node(op) << " -> " << end << " [dir=back, style=dotted];\n";
  }

  static std::string cluster_name(const Op& op, std::size_t i) {
    if (op.def == &kIf) return i == 0 ? "then" : "else";
    return i == 0 ? "condition" : "body";
  }

  static std::string first_id(const Op& op) {
    return op.results.empty() ? "-" : text(op.results[0]->id);
  }

  void edge(const Value* value, const std::string& to) {
    if (value == nullptr) return;
    indent();
    out_ << node(*value) << " -> " << to
         << " [label=" << label(text("%", value->id, " ", value->type)) << "];\n";
  }

  std::string node(const Value& value) {
    return value.op != nullptr ? node(*value.op) : text("v", value.id);
  }
  // Numbered here: an op that a pass copied has the number of its original.
  std::string node(const Op& op) {
    return text("op", ops_.emplace(&op, ops_.size()).first->second);
  }

  void indent() {
    for (int i = 0; i <= depth_; ++i) out_ << "  ";
  }

  std::ostringstream out_;
  std::unordered_map<const Op*, std::size_t> ops_;
  int depth_ = 0;
};

}  // namespace

std::string dot(const Program& program) { return Picture().program(program); }

}  // namespace oploom::program
