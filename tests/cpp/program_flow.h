#pragma once

#include <yaml-cpp/yaml.h>

#include <map>
#include <string>
#include <vector>

#include "runtime/core/error.h"
#include "tests/cpp/program_eval.h"
#include "tests/cpp/program_toy_ops.h"

// The random scalar programs of tests/data/flow_programs.json, built of toy ops (case 44).
namespace oploom::program {

using Names = std::map<std::string, Value*>;

class FlowProgram {
 public:
  explicit FlowProgram(const YAML::Node& description) {
    for (const auto& input : description["inputs"]) {
      Value* value = b.input(input.second.as<double>());
      inputs.push_back(value);
      names[input.first.as<std::string>()] = value;
    }
    run(description["block"], names);
    out = names.at(description["out"].as<std::string>());
  }

  Bench b;
  Values inputs;
  Names names;
  Value* out = nullptr;

 private:
  static Value* operand_of(const YAML::Node& node, const Names& scope) {
    const auto entry = scope.find(node.as<std::string>());
    return entry == scope.end() ? toy::number(node.as<double>()) : entry->second;
  }

  static Value* call(const YAML::Node& step, const Names& scope) {
    const auto op = step["op"].as<std::string>();
    const YAML::Node& args = step["args"];
    Value* x = operand_of(args[0], scope);
    if (op == "scale") return toy::scale(x, args[1].as<double>(), args[2].as<double>());
    if (op == "add") return toy::add(x, operand_of(args[1], scope));
    if (op == "subtract") return toy::subtract(x, operand_of(args[1], scope));
    if (op == "multiply") return toy::multiply(x, operand_of(args[1], scope));
    if (op == "exp") return toy::exp(x);
    if (op == "sin") return toy::sin(x);
    if (op == "tanh") return toy::tanh(x);
    if (op == "sigmoid") return toy::sigmoid(x);
    if (op == "square") return toy::square(x);
    raise(ErrorKind::kArgument, "no toy op '", op, "'");
  }

  static Value* test(const YAML::Node& condition, const Names& scope) {
    Value* x = operand_of(condition[0], scope);
    Value* limit = toy::number(condition[2].as<double>());
    return condition[1].as<std::string>() == "<" ? toy::less_than(x, limit) : toy::greater_than(x, limit);
  }

  static Values look_up(const std::vector<std::string>& list, const Names& scope) {
    Values values;
    for (const std::string& name : list) values.push_back(scope.at(name));
    return values;
  }

  static void assign(const std::vector<std::string>& list, const Values& values, std::size_t first, Names& scope) {
    for (std::size_t i = 0; i < list.size(); ++i) scope[list[i]] = values[first + i];
  }

  void run_if(const YAML::Node& step, Names& scope) {
    const auto yields = step["yields"].as<std::vector<std::string>>();
    const auto branch = [&](const char* which) {
      Names inner = scope;
      run(step[which], inner);
      return look_up(yields, inner);
    };
    assign(yields, b.cond(test(step["if"], scope), [&] { return branch("then"); }, [&] { return branch("else"); }), 0,
           scope);
  }

  void run_while(const YAML::Node& step, Names& scope) {
    const auto carries = step["carries"].as<std::vector<std::string>>();
    const bool counted = step["while"].IsScalar();
    const auto body = [&](const Values& variables) {
      Names inner = scope;
      assign(carries, variables, counted ? 1 : 0, inner);
      run(step["body"], inner);
      return look_up(carries, inner);
    };
    const Values inits = look_up(carries, scope);
    if (counted) {
      assign(carries, b.repeat(step["while"].as<std::int64_t>(), inits, body), 0, scope);
      return;
    }
    const auto condition = [&](const Values& variables) {
      Names inner = scope;
      assign(carries, variables, 0, inner);
      return test(step["while"], inner);
    };
    assign(carries, b.loop(inits, condition, body), 0, scope);
  }

  void run(const YAML::Node& block, Names& scope) {
    for (const YAML::Node& step : block) {
      if (step["set"]) scope[step["set"].as<std::string>()] = call(step, scope);
      else if (step["inplace"]) scope[step["inplace"].as<std::string>()] = call(step, scope);
      else if (step["if"]) run_if(step, scope);
      else run_while(step, scope);
    }
  }
};

}  // namespace oploom::program
