#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

// The programs of tests/data/inplace_programs.json, read with yaml-cpp (JSON is YAML).
namespace oploom::test {

struct CaseTensor {
  std::vector<std::int64_t> shape;
  std::vector<double> data;
  bool stop_gradient = true;
};

// Attributes of all ops together; an op reads its own.
struct CaseAttrs {
  std::map<std::string, double> numbers;
  std::map<std::string, bool> flags;
  std::map<std::string, std::vector<std::int64_t>> lists;

  double number(const std::string& name) const { return numbers.at(name); }
  std::int64_t integer(const std::string& name) const {
    return static_cast<std::int64_t>(numbers.at(name));
  }
};

struct CaseStep {
  std::string op;
  std::vector<std::string> in;
  std::string out;
  CaseAttrs attrs;
  bool no_grad = false;
  std::string raises;
};

struct CaseExpect {
  std::map<std::string, std::vector<double>> values;
  std::map<std::string, std::vector<std::int64_t>> shapes;
  std::map<std::string, bool> stop_gradient;
  std::map<std::string, bool> is_leaf;
  std::map<std::string, std::uint32_t> inplace_version;
  std::map<std::string, std::vector<double>> grads;
};

struct Case {
  std::string id;
  std::map<std::string, CaseTensor> inputs;
  std::vector<CaseStep> steps;
  std::string backward;
  bool backward_may_raise = false;
  CaseExpect expect;
};

std::vector<Case> read_cases(const std::string& path);

}  // namespace oploom::test
