#include <gmock/gmock.h>

#include "tests/cpp/errors.h"
#include "tests/cpp/program_building.h"
#include "tests/cpp/tensors.h"

// One broken program for each message of verify. Each begins as a sound one.
namespace oploom::program {
namespace {

using test::error_of;
using testing::HasSubstr;
using testing::StartsWith;

class ProgramVerify : public testing::Test {
 protected:
  ProgramVerify() { b.builder.position = "net.py:7"; }
  ~ProgramVerify() override = default;

  // What is wrong; "" where nothing is.
  std::string fault() const {
    try {
      verify(b.program);
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::kArgument);
      return error.what();
    }
    return "";
  }

  Building b;
  Value* x = b.input("x", tensor_type(DType::kFloat64, {2}), false);  // %0
  Value* p = b.input("p", scalar_type(DType::kBool));                 // %1
};

TEST_F(ProgramVerify, SoundPrograms) {
  Value* y = Building::mark(toy::tanh(x));
  const Op& branch = b.cond(
      p,
      [&] {
        return Values{toy::tanh(y), undefined(x->type)};
      },
      [&] {
        return Values{y, y};
      });
  b.loop(
      {y}, [&](const Values&) { return p; },
      [&](const Values& v) { return Values{toy::add(v[0], y)}; });
  b.cond(
      p, [&] { return Values{y}; }, [&] { return Values{toy::tanh(branch.results[1].get())}; });
  toy::reshape(b.input("u", tensor_type(DType::kFloat64, {-1})), shape(x));
  b.program.parameter(test::constant({1.0}));
  EXPECT_EQ(fault(), "");
}

// --- Who may read what.

TEST_F(ProgramVerify, AValueThatIsMadeLater) {
  toy::tanh(x);
  Value* late = toy::add(x, x);
  b.program.main.ops[0]->inputs[0] = late;
  EXPECT_EQ(fault(),
            "[tanh] x: expected a value that is made before it, got %3, which is made later "
            "(recorded at net.py:7)");
}

TEST_F(ProgramVerify, AValueOfAnotherBranch) {
  Value* inside = nullptr;
  b.cond(
      p, [&] { return Values{inside = toy::tanh(x)}; }, [&] { return Values{x}; });
  Value* y = toy::add(x, x);
  y->op->inputs[1] = inside;
  EXPECT_EQ(fault(),
            "[add] y: expected a value that it can see, got %2, which belongs to another branch or "
            "loop; let that one "
            "return it (recorded at net.py:7)");
}

TEST_F(ProgramVerify, AnArgumentOfALoopOutsideOfIt) {
  const Op& loop = b.loop(
      {x}, [&](const Values&) { return p; }, [](const Values& v) { return v; });
  Value* y = toy::tanh(x);
  y->op->inputs[0] = loop.regions[1]->arguments[0].get();
  EXPECT_THAT(fault(), StartsWith("[tanh] x: expected a value that it can see, got %3"));
}

TEST_F(ProgramVerify, AValueOfAnotherProgram) {
  Program other;
  toy::tanh(x)->op->inputs[0] = other.add_input("x", scalar_type(), true);
  EXPECT_THAT(fault(), StartsWith("[tanh] x: expected a value of this program, got none"));
}

TEST_F(ProgramVerify, NoValueAtAll) {
  toy::tanh(x)->op->inputs[0] = nullptr;
  EXPECT_THAT(fault(), StartsWith("[tanh] x: expected a value of this program, got none"));
}

TEST_F(ProgramVerify, AYieldThatItsRegionCannotSee) {
  Value* inside = nullptr;
  Op& op = b.cond(
      p, [&] { return Values{inside = toy::tanh(x)}; }, [&] { return Values{x}; });
  op.regions[1]->yields[0] = inside;
  EXPECT_THAT(fault(), StartsWith("[if] yield: expected a value that its region can see, got %2"));
  op.regions[1]->yields[0] = nullptr;
  EXPECT_THAT(fault(), StartsWith("[if] yield: expected a value of this program, got none"));
}

TEST_F(ProgramVerify, MetadataThatIsMadeLater) {
  Value* u = b.input("u", tensor_type(DType::kFloat64, {-1}));
  Value* one = b.input("one", scalar_type());
  Value* grown = toy::expand(one, shape(u));
  std::swap(b.program.main.ops[0], b.program.main.ops[1]);
  EXPECT_EQ(fault(),
            "[expand] shape: expected a value that is made before it, got %4, which is made later "
            "(recorded at "
            "net.py:7)");
  std::swap(b.program.main.ops[0], b.program.main.ops[1]);
  EXPECT_EQ(fault(), "");
  grown->op->attribute_values[0] = u;
  EXPECT_THAT(
      fault(),
      StartsWith(
          "[expand] shape: expected metadata for an attribute of type int[], got %2, float64[?]"));
}

// --- Undefined values.

TEST_F(ProgramVerify, UndefinedReadByAnOp) {
  b.cond(
      p, [&] { return Values{toy::tanh(undefined(x->type))}; }, [&] { return Values{x}; });
  EXPECT_THAT(fault(), StartsWith("[tanh] x: expected a value, got %2, which is undefined"));
}

TEST_F(ProgramVerify, UndefinedReadOutsideItsBranch) {
  const Op& branch = b.cond(
      p, [&] { return Values{toy::tanh(x)}; }, [&] { return Values{undefined(x->type)}; });
  Value* known = branch.results[0].get();
  Value* reader = nullptr;
  b.cond(
      p, [&] { return Values{reader = toy::tanh(known)}; }, [&] { return Values{x}; });
  EXPECT_EQ(fault(), "");
  b.cond(
      p, [&] { return Values{x}; }, [&] { return Values{toy::tanh(known)}; });
  EXPECT_THAT(
      fault(),
      StartsWith(
          "[tanh] x: expected a value that is known here, got %4, which the false branch of its if "
          "leaves undefined"));
  b.program.main.ops.pop_back();
  toy::tanh(known);
  EXPECT_THAT(fault(), StartsWith("[tanh] x: expected a value that is known here"));
}

TEST_F(ProgramVerify, UndefinedInABranchOfAnotherCondition) {
  Value* q = b.input("q", scalar_type(DType::kBool));
  const Op& branch = b.cond(
      p, [&] { return Values{toy::tanh(x)}; }, [&] { return Values{undefined(x->type)}; });
  b.cond(
      q, [&] { return Values{toy::tanh(branch.results[0].get())}; }, [&] { return Values{x}; });
  EXPECT_THAT(fault(), StartsWith("[tanh] x: expected a value that is known here"));
}

TEST_F(ProgramVerify, UndefinedMayBeKeptAndMeasured) {
  const Op& branch = b.cond(
      p, [&] { return Values{toy::tanh(x)}; }, [&] { return Values{undefined(x->type)}; });
  Value* known = branch.results[0].get();
  b.append(kPush, {new_list(open_list()), known});
  b.cond(
      p, [&] { return Values{known}; }, [&] { return Values{x}; });
  EXPECT_EQ(fault(), "");
}

// --- Form.

TEST_F(ProgramVerify, TooFewInputs) {
  toy::add(x, x)->op->inputs.pop_back();
  EXPECT_EQ(fault(), "[add] expected 2 inputs, got 1 (recorded at net.py:7)");
}

TEST_F(ProgramVerify, GroupsThatDoNotFit) {
  Op& op = *toy::add(x, x)->op;
  op.group_sizes = {2, 0};
  EXPECT_THAT(fault(), StartsWith("[add] x: expected one value, got 2"));
  op.group_sizes = {1, 1, 1};
  EXPECT_THAT(fault(), StartsWith("[add] expected 2 inputs, got 3"));
  op.group_sizes = {};
  Op& list = *toy::concat({x, x}, 0)->op;
  list.group_sizes = {3};
  EXPECT_THAT(fault(), StartsWith("[concat] expected 3 inputs by their groups, got 2"));
  list.group_sizes = {};
  list.inputs.pop_back();
  EXPECT_THAT(fault(), StartsWith("[concat] xs: expected the length of the list in group_sizes"));
}

TEST_F(ProgramVerify, AttributesOfAnotherType) {
  Op& op = *toy::sum(x)->op;
  op.attributes[1] = std::int64_t{1};
  EXPECT_EQ(fault(),
            "[sum] keepdim: expected an attribute of type bool, got 1 (recorded at net.py:7)");
  op.attributes.pop_back();
  EXPECT_THAT(fault(), StartsWith("[sum] expected 2 attributes, got 1"));
  op.attributes.emplace_back(false);
  op.attribute_values = {nullptr, nullptr, nullptr};
  EXPECT_THAT(fault(), StartsWith("[sum] expected metadata for 2 attributes at most, got 3"));
}

TEST_F(ProgramVerify, AListWhereATensorIsWanted) {
  Value* list = new_list(list_of(x->type));
  toy::tanh(x)->op->inputs[0] = list;
  EXPECT_THAT(fault(), StartsWith("[tanh] x: expected a tensor, got %2, list of float64[2]"));
}

TEST_F(ProgramVerify, RegionsThatAreNotThere) {
  Op& op = b.cond(
      p, [&] { return Values{x}; }, [&] { return Values{x}; });
  op.regions.pop_back();
  EXPECT_THAT(fault(), StartsWith("[if] expected 2 regions, got 1"));
}

TEST_F(ProgramVerify, BranchesWithArguments) {
  Op& op = b.cond(
      p, [&] { return Values{x}; }, [&] { return Values{x}; });
  add_argument(b.program, *op.regions[0], x->type);
  EXPECT_THAT(fault(), StartsWith("[if] expected branches without arguments, got %3"));
}

TEST_F(ProgramVerify, RegionsOfAnOpThatHasNone) {
  Op& op = *toy::tanh(x)->op;
  op.regions.push_back(std::make_unique<Region>());
  op.regions[0]->parent = &op;
  EXPECT_THAT(fault(), StartsWith("[tanh] expected 0 regions, got 1"));
}

// --- Types.

TEST_F(ProgramVerify, TypesThatAreNotInferred) {
  Value* y = toy::tanh(x);
  y->type = tensor_type(DType::kFloat64, {3});
  EXPECT_EQ(
      fault(),
      "[tanh] expected its result %2 to be float64[2], got float64[3] (recorded at net.py:7)");
  y->type = tensor_type(DType::kFloat64, {-1});  // less is known than could be: sound
  EXPECT_EQ(fault(), "");
}

TEST_F(ProgramVerify, InputsThatNoLongerFit) {
  Value* y = b.input("y", tensor_type(DType::kFloat64, {3}));
  toy::add(x, x)->op->inputs[1] = y;
  EXPECT_THAT(
      fault(),
      StartsWith(
          "[add] its types do not fit: [add] shapes: expected shapes that broadcast together"));
}

TEST_F(ProgramVerify, AConditionThatIsNoTruthValue) {
  b.cond(
       p, [&] { return Values{x}; }, [&] { return Values{x}; })
      .inputs[0] = x;
  EXPECT_THAT(
      fault(),
      StartsWith(
          "[if] its types do not fit: [cond] condition: expected one truth value, bool[], got "
          "float64[2]"));
}

TEST_F(ProgramVerify, AConditionOfALoopThatIsNone) {
  Op& loop = b.loop(
      {x}, [&](const Values&) { return p; }, [](const Values& v) { return v; });
  loop.regions[0]->yields = {x};
  EXPECT_THAT(fault(), HasSubstr("[while_loop] condition: expected one truth value"));
  loop.regions[0]->yields = {};
  EXPECT_THAT(fault(), HasSubstr("[while_loop] cond: expected 1 results, got 0"));
}

TEST_F(ProgramVerify, RegionSignaturesThatDiffer) {
  Op& loop = b.loop(
      {x}, [&](const Values&) { return p; }, [](const Values& v) { return v; });
  loop.regions[1]->yields = {x, x};
  EXPECT_THAT(fault(), HasSubstr("[while_loop] body: expected 1 results, got 2"));
  loop.regions[1]->yields = {x};
  loop.regions[1]->arguments[0]->type = scalar_type();
  EXPECT_THAT(fault(),
              HasSubstr("[while_loop] loop variable 0, init: expected float64[], got float64[2]"));
  add_argument(b.program, *loop.regions[0], x->type);
  EXPECT_THAT(fault(), HasSubstr("[while_loop] arguments of cond: expected 1 results, got 2"));
}

TEST_F(ProgramVerify, BranchesThatYieldMoreThanTheirResults) {
  Op& op = b.cond(
      p, [&] { return Values{x}; }, [&] { return Values{x}; });
  for (const auto& region : op.regions) region->yields.push_back(x);
  EXPECT_THAT(fault(), StartsWith("[if] expected 2 results, got 1"));
}

// --- Marks.

TEST_F(ProgramVerify, AMarkWithoutAPair) {
  Building::mark(toy::negative(x));
  EXPECT_EQ(fault(),
            "[negative] expected no in-place mark, since it has no in-place form, got one "
            "(recorded at net.py:7)");
}

// --- What the parts say of each other.

TEST_F(ProgramVerify, ParentsAndIndices) {
  Op& op = b.cond(
      p, [&] { return Values{toy::tanh(x)}; }, [&] { return Values{x}; });
  Value* y = toy::tanh(x);
  op.regions[0]->parent = y->op;
  EXPECT_THAT(fault(), StartsWith("[if] expected its regions to name it as parent"));
  op.regions[0]->parent = &op;
  y->op->parent = op.regions[0].get();
  EXPECT_THAT(fault(), StartsWith("[tanh] expected the region that it stands in as parent"));
  y->op->parent = &b.program.main;
  y->index = 1;
  EXPECT_THAT(fault(), StartsWith("[tanh] expected its result 0, %4, to name it and its index"));
  y->index = 0;
  x->index = 1;
  EXPECT_THAT(fault(),
              StartsWith("[program] expected argument 0, %0, to name its region and index"));
}

TEST_F(ProgramVerify, NumbersOfValues) {
  Value* y = toy::tanh(x);
  y->id = 1;
  EXPECT_EQ(fault(), "[program] expected each value number once, got %1 twice");
  y->id = 9;
  EXPECT_EQ(fault(), "[program] expected value numbers below 3, the next one, got %9");
}

TEST_F(ProgramVerify, NumbersOfRandomOps) {
  Value* first = toy::uniform({2}, 0, 1);
  Value* second = toy::uniform({2}, 0, 1);
  EXPECT_EQ(fault(), "");
  second->op->number = first->op->number;
  EXPECT_THAT(fault(),
              StartsWith("[uniform] expected a number of its own for its random draws, got 1"));
}

TEST_F(ProgramVerify, ArgumentsThatAreNoInput) {
  add_argument(b.program, b.program.main, x->type);
  EXPECT_EQ(fault(), "[program] expected an input or a parameter behind argument %2, got neither");
}

TEST_F(ProgramVerify, InputsThatAreNoArgument) {
  b.program.inputs[0].value = toy::tanh(x);
  EXPECT_EQ(fault(),
            "[program] expected an argument of the program for each input, got another value");
  b.program.inputs[0].value = p;
  EXPECT_EQ(fault(), "[program] expected %1 to come in once, got it twice");
}

TEST_F(ProgramVerify, InputNames) {
  b.program.inputs[1].name = "x";
  EXPECT_EQ(fault(), "[program] expected each input name once, got \"x\" twice");
}

TEST_F(ProgramVerify, WhatIsWrittenIntoAParameter) {
  const Tensor w = test::constant({1.0});
  w.set_name("w");
  Program::Parameter& parameter = *b.program.find_parameter(b.program.parameter(w));
  Value* inside = nullptr;
  b.cond(
      p, [&] { return Values{inside = toy::tanh(parameter.value)}; }, [&] { return Values{x}; });
  parameter.result = inside;
  EXPECT_EQ(fault(),
            "[program] expected a value from outside of all branches and loops as what is written "
            "into parameter "
            "\"w\", got %3");
  parameter.result = nullptr;
  EXPECT_EQ(fault(),
            "[program] expected a value of this program as what is written into parameter \"w\", "
            "got none");
  parameter.result = parameter.value;
  parameter.rebound_grad = inside;
  EXPECT_THAT(fault(), HasSubstr("the gradient of parameter \"w\""));
}

TEST_F(ProgramVerify, PositionsAreLeftOutWhereThereIsNone) {
  b.builder.position = "C++";
  toy::add(x, x)->op->inputs.pop_back();
  EXPECT_EQ(fault(), "[add] expected 2 inputs, got 1");
}

}  // namespace
}  // namespace oploom::program
