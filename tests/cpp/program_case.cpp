#include "tests/cpp/program_case.h"

#include <yaml-cpp/yaml.h>

#include <stdexcept>

namespace oploom::test {

namespace {

CaseAttrs read_attrs(const YAML::Node& node) {
  CaseAttrs attrs;
  for (const auto& item : node) {
    const auto name = item.first.as<std::string>();
    if (item.second.IsSequence()) {
      attrs.lists[name] = item.second.as<std::vector<std::int64_t>>();
    } else if (const auto text = item.second.as<std::string>(); text == "true" || text == "false") {
      attrs.flags[name] = text == "true";
    } else {
      attrs.numbers[name] = item.second.as<double>();
    }
  }
  return attrs;
}

CaseStep read_step(const YAML::Node& node) {
  CaseStep step;
  step.op = node["op"].as<std::string>();
  step.in = node["in"].as<std::vector<std::string>>();
  if (node["out"]) step.out = node["out"].as<std::string>();
  if (node["attrs"]) step.attrs = read_attrs(node["attrs"]);
  if (node["no_grad"]) step.no_grad = node["no_grad"].as<bool>();
  if (node["raises"]) step.raises = node["raises"].as<std::string>();
  return step;
}

template <typename Value>
void read_map(const YAML::Node& node, std::map<std::string, Value>& into) {
  for (const auto& item : node) into[item.first.as<std::string>()] = item.second.as<Value>();
}

CaseExpect read_expect(const YAML::Node& node) {
  CaseExpect expect;
  read_map(node["values"], expect.values);
  read_map(node["shapes"], expect.shapes);
  read_map(node["stop_gradient"], expect.stop_gradient);
  read_map(node["is_leaf"], expect.is_leaf);
  read_map(node["inplace_version"], expect.inplace_version);
  read_map(node["grads"], expect.grads);
  return expect;
}

Case read_case(const YAML::Node& node) {
  Case found;
  found.id = node["id"].as<std::string>();
  for (const auto& item : node["inputs"]) {
    CaseTensor& tensor = found.inputs[item.first.as<std::string>()];
    tensor.shape = item.second["shape"].as<std::vector<std::int64_t>>();
    tensor.data = item.second["data"].as<std::vector<double>>();
    tensor.stop_gradient = item.second["stop_gradient"].as<bool>();
  }
  for (const YAML::Node& step : node["steps"]) found.steps.push_back(read_step(step));
  found.backward = node["backward"].as<std::string>();
  found.backward_may_raise = static_cast<bool>(node["backward_raises"]);
  found.expect = read_expect(node["expect"]);
  return found;
}

}  // namespace

std::vector<Case> read_cases(const std::string& path) {
  std::vector<Case> cases;
  for (const YAML::Node& node : YAML::LoadFile(path)) cases.push_back(read_case(node));
  if (cases.empty()) throw std::runtime_error("no cases in " + path);
  return cases;
}

}  // namespace oploom::test
