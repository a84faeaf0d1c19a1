#include <gtest/gtest.h>
#include <yaml-cpp/yaml.h>

#include <string>

#include "tests/cpp/program_flow.h"

// Random scalar programs with nested control flow, with values and exact derivatives (case 44); and of each the second
// derivatives against differences of the first.
namespace oploom::program {
namespace {

double size_of(double x) { return std::max(1.0, std::abs(x)); }

void expect_close(double came, double expected, double error) { EXPECT_NEAR(came, expected, error * size_of(expected)); }

void check_gradients(FlowProgram& p, const YAML::Node& description) {
  const Values found = p.b.grad({p.out}, p.inputs);
  std::size_t i = 0;
  for (const auto& input : description["inputs"]) {
    const auto name = input.first.as<std::string>();
    const double expected = description["grads"][name] ? description["grads"][name].as<double>() : 0.0;
    expect_close(found[i] == nullptr ? 0.0 : p.b.value(found[i]), expected, 1e-9);
    ++i;
  }
  expect_close(p.b.value(p.out), description["value"].as<double>(), 1e-9);
}

void check_second_order(FlowProgram& p) {
  const Values first = p.b.grad({p.out}, p.inputs);
  for (Value* slope : first) {
    if (slope == nullptr) continue;
    const std::vector<double> expected = p.b.differences(slope, p.inputs);
    const std::vector<double> came = p.b.gradients_of(slope, p.inputs);
    for (std::size_t i = 0; i < came.size(); ++i) expect_close(came[i], expected[i], 1e-5);
  }
}

TEST(FlowPrograms, HaveTheirValuesAndDerivatives) {
  const YAML::Node all = YAML::LoadFile("tests/data/flow_programs.json");
  ASSERT_EQ(all.size(), 80u);
  for (const YAML::Node& description : all) {
    for (const GradOrder order : {GradOrder::kProgram, GradOrder::kReady}) {
      SCOPED_TRACE(description["id"].as<std::string>());
      FlowProgram p(description);
      p.b.options.order = order;
      check_gradients(p, description);
      check_gradients(p, description);  // a second call finds what the first kept
      check_second_order(p);
    }
  }
}

}  // namespace
}  // namespace oploom::program
