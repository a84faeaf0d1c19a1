#include <gtest/gtest.h>
#include <oploom/oploom.h>

#include <cmath>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "runtime/autograd/engine.h"
#include "tests/cpp/program_case.h"
#include "tests/cpp/tensors.h"

namespace oploom::test {

namespace {

constexpr char kPath[] = "tests/data/inplace_programs.json";
constexpr double kTolerance = 1e-9;

using Inputs = std::vector<Tensor>;
using Plain = std::function<Tensor(const Inputs&, const CaseAttrs&)>;
using InPlace = std::function<Tensor&(Inputs&, const CaseAttrs&)>;

Tensor sliced(const Inputs& x, const CaseAttrs& a) {
  Index index;
  for (std::int64_t axis = 0; axis < x[0].rank(); ++axis) {
    const bool cut = axis == a.integer("axis");
    index.push_back(cut ? IndexItem::slice(a.integer("start"), a.integer("end"))
                        : IndexItem::slice(IndexItem::kNone, IndexItem::kNone));
  }
  return imperative_slice(x[0], index);
}

std::vector<std::int64_t> axis(const CaseAttrs& a) { return {a.integer("axis")}; }

// One line for each op without attributes, of one input and of two.
#define UNARY(name) \
  {#name, [](const Inputs& x, const CaseAttrs&) { return imperative_##name(x[0]); }}
#define BINARY(name) \
  {#name, [](const Inputs& x, const CaseAttrs&) { return imperative_##name(x[0], x[1]); }}
#define UNARY_IN_PLACE(name) \
  {#name, [](Inputs& x, const CaseAttrs&) -> Tensor& { return imperative_##name(x[0]); }}
#define BINARY_IN_PLACE(name) \
  {#name, [](Inputs& x, const CaseAttrs&) -> Tensor& { return imperative_##name(x[0], x[1]); }}
#define WITH(...) [](const Inputs& x, const CaseAttrs& a) { return __VA_ARGS__; }
#define WITH_IN_PLACE(...) [](Inputs& x, const CaseAttrs& a) -> Tensor& { return __VA_ARGS__; }

const std::map<std::string, Plain>& plain_ops() {
  static const std::map<std::string, Plain> ops = {
      UNARY(relu),
      UNARY(tanh),
      UNARY(sigmoid),
      UNARY(exp),
      UNARY(sin),
      UNARY(square),
      UNARY(abs),
      UNARY(clone),
      BINARY(add),
      BINARY(subtract),
      BINARY(multiply),
      BINARY(maximum),
      {"scale", WITH(imperative_scale(x[0], a.number("scale"), a.number("bias")))},
      {"clip", WITH(imperative_clip(x[0], a.number("min"), a.number("max")))},
      {"elu", WITH(imperative_elu(x[0], a.number("alpha")))},
      {"leaky_relu", WITH(imperative_leaky_relu(x[0], a.number("negative_slope")))},
      {"softmax", WITH(imperative_softmax(x[0], a.integer("axis")))},
      {"sum", WITH(imperative_sum(x[0], axis(a), a.flags.at("keepdim")))},
      {"mean", WITH(imperative_mean(x[0], axis(a), a.flags.at("keepdim")))},
      {"reshape", WITH(imperative_reshape(x[0], a.lists.at("shape")))},
      {"squeeze", WITH(imperative_squeeze(x[0], axis(a)))},
      {"unsqueeze", WITH(imperative_unsqueeze(x[0], axis(a)))},
      {"transpose", WITH(imperative_transpose(x[0], a.lists.at("perm")))},
      {"slice", sliced},
  };
  return ops;
}

const std::map<std::string, InPlace>& inplace_ops() {
  static const std::map<std::string, InPlace> ops = {
      UNARY_IN_PLACE(relu_),
      UNARY_IN_PLACE(tanh_),
      UNARY_IN_PLACE(sigmoid_),
      UNARY_IN_PLACE(exp_),
      UNARY_IN_PLACE(sin_),
      UNARY_IN_PLACE(square_),
      UNARY_IN_PLACE(abs_),
      BINARY_IN_PLACE(add_),
      BINARY_IN_PLACE(subtract_),
      BINARY_IN_PLACE(multiply_),
      {"scale_", WITH_IN_PLACE(imperative_scale_(x[0], a.number("scale"), a.number("bias")))},
      {"clip_", WITH_IN_PLACE(imperative_clip_(x[0], a.number("min"), a.number("max")))},
      {"elu_", WITH_IN_PLACE(imperative_elu_(x[0], a.number("alpha")))},
      {"leaky_relu_", WITH_IN_PLACE(imperative_leaky_relu_(x[0], a.number("negative_slope")))},
      {"fill_", WITH_IN_PLACE(imperative_fill_(x[0], a.number("value")))},
      {"reshape_", WITH_IN_PLACE(imperative_reshape_(x[0], a.lists.at("shape")))},
      {"squeeze_", WITH_IN_PLACE(imperative_squeeze_(x[0], axis(a)))},
      {"unsqueeze_", WITH_IN_PLACE(imperative_unsqueeze_(x[0], axis(a)))},
  };
  return ops;
}

void expect_near(const std::vector<double>& found, const std::vector<double>& expected,
                 const std::string& what) {
  ASSERT_EQ(found.size(), expected.size()) << what;
  for (std::size_t i = 0; i < found.size(); ++i) {
    const double bound = kTolerance * (1 + std::abs(expected[i]));
    EXPECT_NEAR(found[i], expected[i], bound) << what << "[" << i << "]";
  }
}

// What a refused call must leave alone. Not the flags: to ask for them is to read the tensor, and a
// view older than its base's history is a leaf until it is read (p00008).
struct State {
  std::vector<double> data;
  std::vector<std::int64_t> shape;
  std::uint32_t version;
  friend bool operator==(const State&, const State&) = default;
};

class Runner {
 public:
  explicit Runner(const Case& program) : program_(program) {
    for (const auto& [name, given] : program.inputs) {
      tensors_[name] = constant(given.shape, given.data);
      set_stop_gradient(tensors_[name], given.stop_gradient);
    }
  }

  void run_and_check() {
    for (const CaseStep& step : program_.steps) run(step);
    check_tensors(program_.expect);
    if (run_backward()) check_gradients(program_.expect);
  }

 private:
  std::map<std::string, State> states() const {
    std::map<std::string, State> found;
    for (const auto& [name, x] : tensors_) {
      found[name] = {values(x), {x.shape().begin(), x.shape().end()}, x.inplace_version()};
    }
    return found;
  }

  void call(const CaseStep& step) {
    Inputs inputs;
    for (const std::string& name : step.in) inputs.push_back(tensors_.at(name));
    if (step.op.back() == '_') {
      Tensor& out = inplace_ops().at(step.op)(inputs, step.attrs);
      EXPECT_EQ(&out, &inputs[0]);
      EXPECT_TRUE(out.is(tensors_.at(step.in[0])));
    } else {
      tensors_[step.out] = plain_ops().at(step.op)(inputs, step.attrs);
    }
  }

  void run(const CaseStep& step) {
    std::optional<NoGrad> scope;
    if (step.no_grad) scope.emplace();
    if (step.raises.empty()) return call(step);
    const auto before = states();
    try {
      call(step);
      FAIL() << step.op << " must raise " << step.raises;
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::kLeafInplace) << error.what();
      EXPECT_EQ(std::string(error.what()).rfind("(InvalidArgument) Leaf Tensor (", 0), 0u);
    }
    EXPECT_TRUE(states() == before) << step.op << " was refused and changed something";
  }

  void check_tensors(const CaseExpect& expect) const {
    EXPECT_EQ(tensors_.size(), expect.values.size());
    for (const auto& [name, x] : tensors_) {
      expect_near(values(x), expect.values.at(name), name);
      EXPECT_EQ(x.shape(), Ints(expect.shapes.at(name))) << name;
      EXPECT_EQ(stop_gradient(x), expect.stop_gradient.at(name)) << name;
      EXPECT_EQ(is_leaf(x), expect.is_leaf.at(name)) << name;
      EXPECT_EQ(x.inplace_version(), expect.inplace_version.at(name)) << name;
    }
  }

  // False where backward ended in B1, and the case allows that.
  bool run_backward() {
    try {
      backward(imperative_sum(tensors_.at(program_.backward)));
      return true;
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::kVersion) << error.what();
      EXPECT_TRUE(program_.backward_may_raise) << error.what();
    }
    for (const auto& [name, x] : tensors_) EXPECT_FALSE(grad_of(x).defined()) << name;
    return false;
  }

  void check_gradients(const CaseExpect& expect) const {
    for (const auto& [name, given] : program_.inputs) {
      const auto found = expect.grads.find(name);
      const std::vector<double> zeros(given.data.size(), 0.0);
      expect_near(gradient(tensors_.at(name)), found != expect.grads.end() ? found->second : zeros,
                  name + ".grad");
    }
  }

  const Case& program_;
  std::map<std::string, Tensor> tensors_;
};

// One test: each test is a process of its own, and would read the file again.
TEST(Programs, GiveTheNumbersOfTheCaseFile) {
  const std::vector<Case> cases = read_cases(kPath);
  EXPECT_EQ(cases.size(), 240u);
  for (const Case& program : cases) {
    SCOPED_TRACE(program.id);
    Runner(program).run_and_check();
  }
}

}  // namespace

}  // namespace oploom::test
