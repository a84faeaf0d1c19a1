#include <algorithm>
#include <array>
#include <cstring>
#include <fstream>
#include <iterator>
#include <string>
#include <unordered_map>
#include <unordered_set>

#include "runtime/autograd/record.h"
#include "runtime/core/error.h"
#include "runtime/program/base64.h"
#include "runtime/program/builder.h"
#include "runtime/program/control.h"
#include "runtime/program/file_format.h"
#include "runtime/program/load_attribute.h"
#include "runtime/program/program.h"
#include "runtime/program/text.h"
#include "runtime/program/verify.h"
#include "runtime/program/yaml_tree.h"

// A program from YAML. Nothing in a file is trusted: every number of a value is looked up, every op
// is checked and its types are inferred anew, and each message has a line and a column.
namespace oploom::program {

using yaml::File;
using yaml::Map;
using yaml::Node;

namespace {

constexpr std::int64_t kMaxId = UINT32_MAX - 1;
constexpr std::size_t kSparseIds = 65536;  // and 16 for each value: beyond that they are given anew

const OpDef& definition(const File& file, const Node& node) {
  const std::string& name = file.string(node, "op");
  const OpDef* def = find_own_op(name);
  if (def == nullptr) def = find_op(name);
  if (def != nullptr && def->name == name) {
    if (def->infer != nullptr) return *def;
    file.fail(node.place, "op: expected an op that can stand in a program, got ", quoted(name),
              ", which is composed of others");
  }
  std::vector<std::string_view> names;
  for (const OpDef* own : own_ops()) names.emplace_back(own->name);
  for (const OpDef* op : all_ops()) names.emplace_back(op->name);
  const std::string_view meant = closest(name, names);
  file.fail(node.place, "op: expected an op that exists, got ", quoted(name),
            meant.empty() ? "" : "; did you mean ", meant, meant.empty() ? "" : "?");
}

std::uint64_t load_counter(const File& file, const Map& map, const char* key) {
  return static_cast<std::uint64_t>(file.integer(map.need(key), key, 0, INT64_MAX - 1));
}

// Bytes of a tensor; a bool must be 0 or 1, all else is undefined behaviour in every kernel.
Tensor load_data(const File& file, const Node& node, const Type& type) {
  const auto bytes = from_base64(file.string(node, "data"));
  if (!bytes) file.fail(node.place, "data: expected base64, got something else");
  const auto count = file.at(node.place, [&] { return count_elements(type.shape); });
  const std::size_t size = size_of(type.dtype);
  if (bytes->size() % size != 0 || bytes->size() / size != static_cast<std::size_t>(count)) {
    file.fail(node.place, "data: expected ", count, " elements of ", type.dtype, ", got ",
              bytes->size(), " bytes");
  }
  const auto truth = [](std::byte b) { return b == std::byte{0} || b == std::byte{1}; };
  if (type.dtype == DType::kBool && !std::all_of(bytes->begin(), bytes->end(), truth)) {
    file.fail(node.place, "data: expected bytes 0 and 1 for bool, got others");
  }
  Tensor tensor = empty(type.shape, type.dtype);
  if (!bytes->empty()) std::memcpy(tensor.bytes(), bytes->data(), bytes->size());
  return tensor;
}

// Of a shape that came as an attribute: the ops that take one leave this to the allocation.
void expect_lengths(const std::vector<Type>& types) {
  for (const Type& type : types) {
    for (const std::int64_t length : type.shape) {
      if (length < -1)
        raise(ErrorKind::kArgument, "expected lengths of at least 0, got ", type.shape);
    }
  }
}

}  // namespace

class Loader {
 public:
  explicit Loader(std::string name)
      : file_(std::move(name)), program_(std::make_unique<Program>()) {}

  std::unique_ptr<Program> load(const std::string& text) {
    const Node root = file_.parse(text);
    const Map map(file_, root, "program", {"oploom_program", "next", "arguments", "ops"});
    file_.integer(map.need("oploom_program"), "oploom_program", kFileVersion, kFileVersion);
    for (const Node& node : file_.sequence(map.need("arguments"), "arguments")) argument(node);
    ops(map.need("ops"), program_->main, 0);
    for (std::size_t i = 0; i < leaving_.size(); ++i) leave(program_->parameters[i], leaving_[i]);
    counters(map.need("next"));
    file_.at(root.place, [&] { verify(*program_); });
    return std::move(program_);
  }

 private:
  // --- Values.

  std::unique_ptr<Value> new_value(const Map& map) {
    auto value = std::make_unique<Value>();
    const Node& id = map.need("value");
    value->id = static_cast<std::uint32_t>(file_.integer(id, "value", 0, kMaxId));
    if (!ids_.insert(value->id).second) {
      file_.fail(id.place, "value: expected each number once, got ", value->id, " again");
    }
    const Node& type = map.need("type");
    const auto parsed = parse_type(file_.string(type, "type"));
    if (!parsed) {
      file_.fail(type.place, "type: expected a type such as \"float32[2, ?]\", got ",
                 quoted(type.scalar));
    }
    value->type = *parsed;
    value->needs_grad = map.flag("needs_grad");
    value->stopped = map.flag("stopped");
    if (value->needs_grad && (value->stopped || !can_have_grad(value->type))) {
      file_.fail(id.place,
                 "needs_grad: expected false for a value that is stopped or not of a float dtype, "
                 "got true");
    }
    if (const Node* name = map.find("name")) {
      value->name = file_.string(*name, "name");
      if (value->name.find('\0') != std::string::npos)
        file_.fail(name->place, "name: expected a text without NUL, got one with it");
    }
    return value;
  }

  void argument(const Node& node) {
    const Map map(file_, node, "argument",
                  {"value", "type", "name", "needs_grad", "stopped", "role", "result", "writes",
                   "grad", "data"});
    const Node& role = map.need("role");
    const std::string& kind = file_.string(role, "role");
    if (kind != "input" && kind != "parameter") {
      file_.fail(role.place, "role: expected input or parameter, got ", quoted(kind));
    }
    Value* value = adopt_argument(new_value(map), program_->main);
    if (!value->type.is_tensor()) {
      file_.fail(node.place, "type: expected a tensor's type for an argument, got ", value->type);
    }
    if (kind == "parameter") return parameter(node, map, value);
    for (const char* key : {"result", "writes", "grad", "data"}) {
      if (const Node* found = map.find(key))
        file_.fail(found->place, key, ": expected none for an input, got one");
    }
    if (value->type.weak)
      file_.fail(node.place, "type: expected no weak number as input, got ", value->type);
    input(node, value);
  }

  void input(const Node& node, Value* value) {
    if (value->name.empty())
      file_.fail(node.place, "name: expected the name of an input, got none");
    if (!input_names_.insert(value->name).second) {
      file_.fail(node.place, "name: expected each input once, got ", quoted(value->name), " again");
    }
    program_->inputs.push_back({value, value->name});
  }

  void parameter(const Node& node, const Map& map, Value* value) {
    if (!value->type.known()) {
      file_.fail(node.place, "type: expected known lengths for a parameter, got ", value->type);
    }
    Tensor tensor = load_data(file_, map.need("data"), value->type);
    if (value->type.weak) tensor.impl()->flags |= TensorImpl::kWeak;
    if (value->needs_grad) set_stop_gradient(tensor, false);
    if (!value->name.empty()) tensor.set_name(value->name);
    std::uint32_t writes = 0;
    if (const Node* found = map.find("writes")) {
      writes = static_cast<std::uint32_t>(file_.integer(*found, "writes", 0, UINT32_MAX));
    }
    const auto index = static_cast<std::uint32_t>(program_->parameters.size());
    program_->parameter_of_tensor_[tensor.impl()] = index;
    program_->parameter_of_value_[value] = index;
    program_->parameters.push_back({value, std::move(tensor), value, writes, nullptr});
    leaving_.push_back({map.find("result"), map.find("grad")});
  }

  // What a parameter leaves with is made by ops, which come later in the file.
  struct Leaving {
    const Node* result;
    const Node* grad;
  };
  void leave(Program::Parameter& parameter, const Leaving& leaving) {
    if (leaving.result != nullptr) parameter.result = reference(*leaving.result, "result");
    if (leaving.grad != nullptr) parameter.rebound_grad = reference(*leaving.grad, "grad");
  }

  Value* reference(const Node& node, std::string_view what) {
    const auto id = static_cast<std::uint32_t>(file_.integer(node, what, 0, kMaxId));
    const auto found = visible_.find(id);
    if (found != visible_.end()) return found->second;
    file_.fail(node.place, what,
               ": expected the number of a value that is made before and can be seen, got ", id);
  }

  void show(Value* value) { visible_[value->id] = value; }

  Value* adopt_argument(std::unique_ptr<Value> value, Region& region) {
    value->region = &region;
    value->index = static_cast<std::uint32_t>(region.arguments.size());
    region.arguments.push_back(std::move(value));
    show(region.arguments.back().get());
    return region.arguments.back().get();
  }

  // --- Ops.

  void ops(const Node& node, Region& region, int depth) {
    for (const Node& op : file_.sequence(node, "ops")) one_op(op, region, depth);
  }

  void one_op(const Node& node, Region& region, int depth) {
    const Map map(file_, node, "op",
                  {"op", "inputs", "attributes", "metadata", "regions", "results", "number",
                   "inplace", "applied", "must_fit", "recorded", "at"});
    auto owned = std::make_unique<Op>();
    Op& op = *owned;
    op.def = &definition(file_, map.need("op"));
    op.parent = &region;
    // Where it stands at once: what is loaded is let go of in one way only, with the program.
    region.ops.push_back(std::move(owned));
    op.number = load_counter(file_, map, "number");
    op.inplace = map.flag("inplace");
    op.applied = map.flag("applied");
    op.must_fit = map.flag("must_fit");
    if (op.applied && !op.inplace) {
      file_.fail(map.need("applied").place, "applied: expected inplace: true with it, got none");
    }
    op.recorded = map.find("recorded") == nullptr || map.flag("recorded");
    if (const Node* at = map.find("at")) op.position = file_.string(*at, "at");
    inputs(map.find("inputs"), node, op);
    attributes(map.find("attributes"), node, op);
    metadata(map.find("metadata"), op);
    if (const Node* found = map.find("regions")) regions(*found, op, depth + 1);
    file_.at(node.place, [&] {
      check_form(op);
      check_kinds(op);
    });
    results(map.need("results"), node, op);
  }

  void inputs(const Node* node, const Node& op_node, Op& op) {
    const OpDef& def = *op.def;
    const auto groups = node == nullptr ? std::span<const Node>() : file_.sequence(*node, "inputs");
    if (groups.size() != def.inputs.size()) {
      file_.fail(node == nullptr ? op_node.place : node->place, "inputs: expected ",
                 def.inputs.size(), " for ", def.name, ", got ", groups.size());
    }
    bool plain = true;
    for (std::size_t g = 0; g < groups.size(); ++g) {
      const Node& group = groups[g];
      const std::string_view what = def.inputs[g].name;
      const std::size_t before = op.inputs.size();
      if (group.kind == Node::Kind::kSequence) {
        for (const Node& item : group.items) op.inputs.push_back(reference(item, what));
      } else if (group.kind != Node::Kind::kNull) {
        op.inputs.push_back(reference(group, what));
      }
      op.group_sizes.push_back(static_cast<std::uint32_t>(op.inputs.size() - before));
      plain = plain && (def.inputs[g].kind == InputDef::Kind::kTensor ||
                        def.inputs[g].kind == InputDef::Kind::kOperand);
    }
    if (!plain) return;
    for (std::size_t g = 0; g < groups.size(); ++g) {
      if (op.group_sizes[g] != 1) {
        file_.fail(groups[g].place, def.inputs[g].name, ": expected one value, got ",
                   op.group_sizes[g]);
      }
    }
    op.group_sizes.clear();
  }

  void attributes(const Node* node, const Node& op_node, Op& op) {
    const OpDef& def = *op.def;
    std::vector<std::string_view> names;
    for (const AttributeDef& attribute : def.attributes) names.emplace_back(attribute.name);
    static const Node kNone{Node::Kind::kMap, {}, {}, {}, {}};
    const Map map(file_, node == nullptr ? kNone : *node, "attributes", names);
    for (const AttributeDef& attribute : def.attributes) {
      const Node* found = map.find(attribute.name);
      if (found == nullptr && attribute.default_value == nullptr) {
        file_.fail(node == nullptr ? op_node.place : node->place, attribute.name,
                   ": expected an attribute of type ", attribute.type, ", got none");
      }
      op.attributes.push_back(found == nullptr ? attribute.default_value()
                                               : load_attribute(file_, *found, attribute));
    }
  }

  void metadata(const Node* node, Op& op) {
    if (node == nullptr) return;
    const OpDef& def = *op.def;
    std::vector<std::string_view> names;
    for (const AttributeDef& attribute : def.attributes) names.emplace_back(attribute.name);
    const Map map(file_, *node, "metadata", names);
    for (const AttributeDef& attribute : def.attributes) {
      const Node* found = map.find(attribute.name);
      op.attribute_values.push_back(found == nullptr ? nullptr : reference(*found, attribute.name));
    }
  }

  void regions(const Node& node, Op& op, int depth) {
    if (depth > kMaxRegionDepth) {
      file_.fail(node.place, "regions: expected at most ", kMaxRegionDepth,
                 " in each other, got more");
    }
    for (const Node& region_node : file_.sequence(node, "regions")) {
      const Map map(file_, region_node, "region", {"arguments", "ops", "yields"});
      Region& region = *op.regions.emplace_back(std::make_unique<Region>());
      region.parent = &op;
      for (const Node& argument_node : file_.sequence(map.need("arguments"), "arguments")) {
        const Map argument_map(file_, argument_node, "argument", kValueKeys);
        adopt_argument(new_value(argument_map), region);
      }
      ops(map.need("ops"), region, depth);
      for (const Node& yield : file_.sequence(map.need("yields"), "yields")) {
        region.yields.push_back(reference(yield, "yields"));
      }
      hide(region);
    }
  }

  void hide(const Region& region) {
    for (const auto& value : region.arguments) visible_.erase(value->id);
    for (const auto& op : region.ops) {
      for (const auto& value : op->results) visible_.erase(value->id);
    }
  }

  // What was known of metadata when it was recorded may be more than can be told from where it
  // comes from now, so the file's word is taken for what is open; a run tests it (expect_known).
  void known_of_metadata(Op& op) {
    using Lengths = std::vector<std::int64_t>;
    const std::vector<Attribute> told = op.attributes;
    fill_placeholders(op);
    for (std::size_t i = 0; i < op.attribute_values.size(); ++i) {
      auto* known = std::get_if<Lengths>(&op.attributes[i]);
      const auto* more = std::get_if<Lengths>(&told[i]);
      const bool both = op.attribute_values[i] != nullptr && known != nullptr && more != nullptr;
      if (!both || known->size() != more->size()) continue;
      for (std::size_t k = 0; k < known->size(); ++k) {
        if ((*known)[k] < 0) (*known)[k] = std::max<std::int64_t>((*more)[k], -1);
      }
    }
  }

  // Types come from infer; a file may only say less than that.
  void results(const Node& node, const Node& op_node, Op& op) {
    const auto values = file_.sequence(node, "results");
    std::vector<Type> types;
    file_.at(op_node.place, [&] {
      known_of_metadata(op);
      if (op.def->normalise != nullptr) op.def->normalise(op);
      op.def->infer(op, types);
      expect_lengths(types);
    });
    if (values.size() != types.size()) {
      file_.fail(node.place, "results: expected ", types.size(), " for ", op.def->name, ", got ",
                 values.size());
    }
    for (std::size_t i = 0; i < values.size(); ++i) {
      auto value = new_value(Map(file_, values[i], "result", kValueKeys));
      if (!holds(value->type, types[i])) {
        file_.fail(values[i].place, "type: expected ", types[i], ", got ", value->type);
      }
      value->op = &op;
      value->index = static_cast<std::uint32_t>(i);
      op.results.push_back(std::move(value));
    }
    for (const auto& value : op.results) show(value.get());
  }

  // --- The rest.

  void counters(const Node& node) {
    const Map map(file_, node, "next", {"value", "op"});
    const Node& value = map.need("value");
    std::uint32_t ids = 0;
    for (const std::uint32_t id : ids_) ids = std::max(ids, id + 1);
    program_->next_value_id =
        static_cast<std::uint32_t>(file_.integer(value, "value", ids, kMaxId));
    std::uint64_t last = 0;
    for_each_op(program_->main, [&last](const Op& op) { last = std::max(last, op.number); });
    program_->next_op_number = static_cast<std::uint64_t>(
        file_.integer(map.need("op"), "op", static_cast<std::int64_t>(last), INT64_MAX - 1));
    if (program_->next_value_id > kSparseIds + 16 * ids_.size()) renumber();
  }

  // Tables by number of a value are as long as the highest one: a file must not make them long.
  void renumber() {
    std::uint32_t next = 0;
    const auto count = [&next](const auto& values) {
      for (const auto& value : values) value->id = next++;
    };
    count(program_->main.arguments);
    for_each_op(program_->main, [&count](const Op& op) {
      count(op.results);
      for (const auto& region : op.regions) count(region->arguments);
    });
    program_->next_value_id = next;
  }

  static constexpr std::array<std::string_view, 5> kValueKeys = {"value", "type", "name",
                                                                 "needs_grad", "stopped"};

  File file_;
  std::unique_ptr<Program> program_;
  std::unordered_map<std::uint32_t, Value*> visible_;
  std::unordered_set<std::uint32_t> ids_;
  std::unordered_set<std::string> input_names_;
  std::vector<Leaving> leaving_;
};

std::unique_ptr<Program> load_text(const std::string& text, const std::string& name) {
  return Loader(name).load(text);
}

std::unique_ptr<Program> load(const std::string& path) {
  std::string text;
  bool read = false;
  try {
    std::ifstream in(path, std::ios::binary);
    text.assign(std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>());
    read = static_cast<bool>(in);
  } catch (const std::ios_base::failure&) {  // a folder
  }
  if (!read)
    raise(ErrorKind::kArgument, "[load] expected a file that can be read, got ", quoted(path));
  return load_text(text, path);
}

}  // namespace oploom::program
