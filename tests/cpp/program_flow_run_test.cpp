#include <gtest/gtest.h>

#include <cmath>
#include <memory>

#include "tests/cpp/program_flow.h"
#include "tests/cpp/program_passes.h"
#include "tests/cpp/program_running.h"

// The 80 programs with nested control flow in the interpreter: values, first and second derivatives
// are those of the evaluator, and no pass changes a bit of them.
namespace oploom::program {
namespace {

struct FlowRun {
  explicit FlowRun(const YAML::Node& description) : flow(description) {
    hold(flow.out);
    for (Value* first : flow.b.grad({flow.out}, flow.inputs)) {
      if (first == nullptr) continue;
      hold(first);
      for (Value* second : flow.b.grad({first}, flow.inputs)) hold(second);
    }
    for (const auto& input : program().inputs)
      feeds.push_back(number_of(flow.b.value(input.value)));
  }

  void hold(Value* value) {
    if (value != nullptr) held.add(program(), value);
  }
  Program& program() { return flow.b.program; }
  std::vector<Tensor> run() { return program::run(program(), feeds, held.values()).fetched; }

  FlowProgram flow;
  Held held;
  std::vector<Tensor> feeds;
};

void expect_same(const std::vector<Tensor>& got, const std::vector<Tensor>& expected) {
  ASSERT_EQ(got.size(), expected.size());
  for (std::size_t i = 0; i < got.size(); ++i) EXPECT_TRUE(same_bits(got[i], expected[i])) << i;
}

TEST(FlowPrograms, RunAsEvaluatedAndThroughPassesInAnyOrder) {
  for (const YAML::Node& description : YAML::LoadFile("tests/data/flow_programs.json")) {
    SCOPED_TRACE(description["id"].as<std::string>());
    FlowRun reference(description);
    const std::vector<Tensor> expected = reference.run();
    const Values values = reference.held.values();
    for (std::size_t i = 0; i < values.size(); ++i) {
      const double evaluated = reference.flow.b.value(values[i]);
      EXPECT_NEAR(*expected[i].data<double>(), evaluated,
                  1e-9 * std::max(1.0, std::abs(evaluated)));
    }
    for_each_pass_order([&](const std::vector<Pass>& passes) {
      FlowRun passed(description);
      apply_passes(passed.program(), passes, passed.held);
      expect_same(passed.run(), expected);
      expect_same(passed.run(), expected);  // the plan of before
    });
  }
}

}  // namespace
}  // namespace oploom::program
