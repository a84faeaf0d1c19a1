#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "tests/cpp/program_case.h"
#include "tests/cpp/program_net.h"

// The programs of tests/data/inplace_programs.json, recorded: case (43). Where eager mode may end
// in a version error, a program must give the gradients.
namespace oploom::program {
namespace {

using test::Case;
using test::CaseAttrs;
using test::CaseStep;
using List = std::vector<double>;

constexpr double kTolerance = 1e-9;

Attribute converted(std::string_view type, double number) {
  if (type.starts_with("scalar")) return Scalar(number);
  if (type.starts_with("float")) return number;
  const auto whole = static_cast<std::int64_t>(number);
  if (type == "axes" || type.ends_with("[]")) return std::vector<std::int64_t>{whole};
  return whole;
}

Attribute attribute_of(const AttributeDef& def, const CaseAttrs& given) {
  if (const auto n = given.numbers.find(def.name); n != given.numbers.end()) {
    return converted(def.type, n->second);
  }
  if (const auto f = given.flags.find(def.name); f != given.flags.end()) return f->second;
  if (const auto l = given.lists.find(def.name); l != given.lists.end()) return l->second;
  if (def.default_value != nullptr) return def.default_value();
  raise(ErrorKind::kArgument, "no attribute '", def.name, "' in the case");
}

Index index_of(const CaseAttrs& given, std::int64_t rank) {
  Index index;
  for (std::int64_t axis = 0; axis < rank; ++axis) {
    const bool cut = axis == given.integer("axis");
    index.push_back(cut ? IndexItem::slice(given.integer("start"), given.integer("end"))
                        : IndexItem::slice(IndexItem::kNone, IndexItem::kNone));
  }
  return index;
}

class Runner {
 public:
  explicit Runner(const Case& program) : program_(program) {
    for (const auto& [name, given] : program.inputs) {
      variables_[name] = net_.input(given.shape, given.data, given.stop_gradient);
    }
  }

  void run_and_check() {
    for (const CaseStep& step : program_.steps) run(step);
    check_flags();
    std::vector<std::string> names;
    Variables inputs;
    for (const auto& [name, given] : program_.inputs) {
      if (given.stop_gradient) continue;  // no leaf that needs a gradient
      names.push_back(name);
      inputs.push_back(variables_.at(name));
    }
    const Variables gradients =
        net_.recorder.grad({net_.op("sum", {variables_.at(program_.backward)})}, inputs);
    check_numbers(names, gradients);
    functionalize(net_.program);
    EXPECT_FALSE(is_inplace_net(net_.program));
    check_numbers(names, gradients);
  }

 private:
  void run(const CaseStep& step) {
    std::optional<NoGrad> scope;
    if (step.no_grad) scope.emplace();
    std::vector<Argument> inputs;
    for (const std::string& name : step.in) inputs.emplace_back(variables_.at(name));
    std::vector<Attribute> attributes;
    for (const AttributeDef& def : find_op(step.op)->attributes) {
      const bool index = std::string_view(def.type) == "index";
      attributes.push_back(index ? Attribute(index_of(step.attrs, rank(step.in[0])))
                                 : attribute_of(def, step.attrs));
    }
    if (!step.raises.empty()) {
      EXPECT_EQ(kind_of([&] { net_.all(step.op, inputs, attributes); }), ErrorKind::kLeafInplace);
      EXPECT_EQ(
          net_.refusal(step.op, inputs, attributes).rfind("(InvalidArgument) Leaf Tensor (", 0),
          0U);
      return;
    }
    const Variable out = net_.op(step.op, inputs, attributes);
    if (step.op.ends_with('_')) {
      EXPECT_EQ(out.handle(), variables_.at(step.out).handle());
    } else {
      variables_[step.out] = out;
    }
  }

  std::int64_t rank(const std::string& name) const {
    return variables_.at(name).type().shape.rank();
  }

  void check_flags() const {
    for (const auto& [name, x] : variables_) {
      EXPECT_EQ(x.type().shape, Dims(program_.expect.shapes.at(name))) << name;
      EXPECT_EQ(x.stop_gradient(), program_.expect.stop_gradient.at(name)) << name;
      EXPECT_EQ(x.is_leaf(), program_.expect.is_leaf.at(name)) << name;
    }
  }

  void check_numbers(const std::vector<std::string>& names, const Variables& gradients) {
    for (const auto& [name, x] : variables_) {
      expect_near(net_.values(x), program_.expect.values.at(name), name);
    }
    for (std::size_t i = 0; i < names.size(); ++i) {
      const auto given = program_.expect.grads.find(names[i]);
      const List zeros(program_.inputs.at(names[i]).data.size(), 0.0);
      const List& expected = given == program_.expect.grads.end() ? zeros : given->second;
      expect_near(gradients[i].defined() ? net_.values(gradients[i]) : zeros, expected,
                  names[i] + ".grad");
    }
  }

  static void expect_near(const List& found, const List& expected, const std::string& what) {
    ASSERT_EQ(found.size(), expected.size()) << what;
    for (std::size_t i = 0; i < found.size(); ++i) {
      const double bound = kTolerance * (1 + std::abs(expected[i]));
      EXPECT_NEAR(found[i], expected[i], bound) << what << "[" << i << "]";
    }
  }

  const Case& program_;
  Net net_;
  std::map<std::string, Variable> variables_;
};

TEST(ProgramRecordCases, GiveTheNumbersOfTheCaseFile) {
  const std::vector<Case> cases = test::read_cases("tests/data/inplace_programs.json");
  EXPECT_EQ(cases.size(), 240U);
  for (const Case& program : cases) {
    SCOPED_TRACE(program.id);
    try {
      Runner(program).run_and_check();
    } catch (const Error& error) {
      ADD_FAILURE() << error.what();
    }
  }
}

}  // namespace
}  // namespace oploom::program
