#include <gmock/gmock.h>

#include "tests/cpp/errors.h"
#include "tests/cpp/program_building.h"
#include "tests/cpp/tensors.h"

// Building: ops, numbers, gradient flags, programs; types of the program's own ops.
namespace oploom::program {
namespace {

using test::error_of;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

// --- Building.

TEST(ProgramBuilder, GivesIdsNumbersTypesAndPositions) {
  Building b;
  b.builder.position = "net.py:3";
  Value* x = b.input("x", tensor(DType::kFloat32, {2, -1}));
  Value* y = toy::tanh(x);
  Value* z = toy::add(y, x);
  EXPECT_EQ(x->id, 0U);
  EXPECT_EQ(y->id, 1U);
  EXPECT_EQ(z->id, 2U);
  EXPECT_EQ(y->op->number, 1U);
  EXPECT_EQ(z->op->number, 2U);
  EXPECT_EQ(z->type, tensor_type(DType::kFloat32, {2, -1}));
  EXPECT_EQ(z->op->position, "net.py:3");
  EXPECT_EQ(z->op->parent, &b.program.main);
  EXPECT_EQ(z->op->inputs, (Values{y, x}));
  EXPECT_TRUE(z->op->recorded);
}

TEST(ProgramBuilder, MissingAttributesTakeDefaults) {
  Building b;
  Value* x = b.input("x", tensor(DType::kFloat32, {2, 3}));
  const Value* out = b.builder.call(*find_op("sum"), {x})[0];
  EXPECT_TRUE(equal(out->op->attributes[0], std::vector<std::int64_t>{}));
  EXPECT_TRUE(equal(out->op->attributes[1], false));
  EXPECT_THAT(error_of([&] { b.builder.call(*find_op("expand"), {x}); }).what(),
              HasSubstr("[expand] shape: expected a value, got none"));
}

TEST(ProgramBuilder, ScopesNest) {
  EXPECT_THAT(error_of([] { Builder::current(); }).what(), HasSubstr("open a Builder::Scope"));
  Building b;
  EXPECT_EQ(&Builder::current(), &b.builder);
  {
    Building inner;
    EXPECT_EQ(&Builder::current(), &inner.builder);
  }
  EXPECT_EQ(&Builder::current(), &b.builder);
}

TEST(ProgramBuilder, OpsOfAnotherListKeepTheirResultsAndNumbers) {
  Building b;
  Value* x = b.input("x", scalar_type());
  Value* y = toy::tanh(x);
  auto owned = std::move(b.program.main.ops.back());
  b.program.main.ops.pop_back();
  const Op& op = b.builder.append(std::move(owned));
  EXPECT_EQ(op.results[0].get(), y);
  EXPECT_EQ(op.number, 1U);
  EXPECT_EQ(b.program.next_op_number, 1U);
}

// --- Numbers.

TEST(ProgramNumbers, FoldWhereKnown) {
  Building b;
  Value* x = b.input("x", tensor(DType::kFloat32, {2, 3}));
  EXPECT_THAT(shape(x).list(), ElementsAre(2, 3));
  EXPECT_EQ(numel(x).scalar().to_int(), 6);
  EXPECT_EQ(size(x, -1).scalar().to_int(), 3);
  const Values xs = {x, x};
  EXPECT_THAT(sizes(xs, 0).list(), ElementsAre(2, 2));
  EXPECT_EQ((Number(7) - Number(2)).scalar().to_int(), 5);
  EXPECT_EQ((Number(2) + Number(2) * Number(3)).scalar().to_int(), 8);
  const Scalar half = (Number(1) / Number(2)).scalar();
  EXPECT_EQ(half.category(), Category::kFloat);
  EXPECT_EQ(half.to_double(), 0.5);
  EXPECT_EQ((Number(INT64_MAX) + Number(1)).scalar().to_int(), INT64_MIN);
  EXPECT_THAT(b.program.main.ops, IsEmpty());
}

TEST(ProgramNumbers, BecomeOpsWhereUnknown) {
  Building b;
  Value* x = b.input("x", tensor(DType::kFloat32, {2, -1}));
  EXPECT_FALSE(shape(x).known());
  EXPECT_EQ(shape(x).value()->type, numbers_type(2));
  EXPECT_THAT(known_entries(shape(x).value()), ElementsAre(2, -1));
  EXPECT_TRUE(size(x, 0).known());
  EXPECT_EQ(size(x, 1).value()->type, number_type(DType::kInt64));
  EXPECT_EQ((numel(x) / Number(2)).value()->type, number_type(DType::kFloat64));
  EXPECT_EQ((numel(x) * Number(2)).value()->type, number_type(DType::kInt64));
  EXPECT_EQ((numel(x) * Number(2.0)).value()->type, number_type(DType::kFloat64));
  const Values xs = {x, x};
  EXPECT_THAT(known_entries(sizes(xs, -1).value()), ElementsAre(-1, -1));
  EXPECT_EQ(operand(numel(x))->type, tensor_type(DType::kInt64, {}, true));
}

TEST(ProgramNumbers, AnEmptyTensorHasNoElementsWhateverElse) {
  Building b;
  EXPECT_EQ(numel(b.input("x", tensor(DType::kFloat32, {0, -1}))).scalar().to_int(), 0);
}

TEST(ProgramNumbers, MetadataAttributesAreKnownAsFarAsTheyAre) {
  Building b;
  Value* x = b.input("x", tensor(DType::kFloat32, {2, -1}));
  Value* one = b.input("one", tensor(DType::kFloat32, {}));
  const Value* grown = toy::expand(one, shape(x));
  EXPECT_EQ(grown->type, tensor_type(DType::kFloat32, {2, -1}));
  ASSERT_NE(grown->op->attribute_value(0), nullptr);
  EXPECT_TRUE(equal(grown->op->attributes[0], std::vector<std::int64_t>{2, -1}));
}

TEST(ProgramNumbers, OperandsOfKnownNumbersAreWeak) {
  Building b;
  EXPECT_EQ(operand(2)->type, tensor_type(DType::kInt64, {}, true));
  EXPECT_EQ(operand(2.0)->type, tensor_type(DType::kFloat64, {}, true));
  EXPECT_EQ(operand(Scalar(true))->type, tensor_type(DType::kBool, {}, true));
  Value* x = b.input("x", tensor(DType::kFloat32, {2}));
  EXPECT_EQ(toy::multiply(x, operand(2.0))->type.dtype, DType::kFloat32);
}

// --- Which values stop gradient.

TEST(ProgramGradFlags, FollowDifferentiableFloatInputs) {
  Building b;
  Value* x = b.input("x", scalar_type(), false);
  Value* stopped = b.input("s", scalar_type());
  EXPECT_TRUE(toy::tanh(x)->needs_grad);
  EXPECT_FALSE(toy::tanh(stopped)->needs_grad);
  EXPECT_TRUE(toy::add(stopped, x)->needs_grad);
  EXPECT_FALSE(toy::less_than(x, stopped)->needs_grad);
  EXPECT_FALSE(toy::cast(x, DType::kInt64)->needs_grad);
  b.builder.recorded = false;
  const Value* constant = toy::tanh(x);
  EXPECT_FALSE(constant->needs_grad);
  EXPECT_FALSE(constant->op->recorded);
}

TEST(ProgramGradFlags, OfBranchesAreEitherOnes) {
  Building b;
  Value* x = b.input("x", scalar_type(), false);
  Value* s = b.input("s", scalar_type());
  Value* pred = toy::less_than(s, x);
  const Op& op = b.cond(
      pred,
      [&] {
        return Values{x, s};
      },
      [&] {
        return Values{s, s};
      });
  EXPECT_TRUE(op.results[0]->needs_grad);
  EXPECT_FALSE(op.results[1]->needs_grad);
}

// The flag takes one trip for each step from x down to c.
TEST(ProgramGradFlags, RunRoundALoopUntilNothingIsNew) {
  Building b;
  Value* x = b.input("x", scalar_type(), false);
  Value* s = b.input("s", scalar_type());
  const Op& op = b.loop(
      {x, s, s, s}, [&](const Values& v) { return toy::less_than(v[3], s); },
      [](const Values& v) {
        return Values{v[0], v[0], toy::tanh(v[1]), v[3]};
      });
  EXPECT_TRUE(op.results[1]->needs_grad);
  EXPECT_TRUE(op.results[2]->needs_grad);
  EXPECT_FALSE(op.results[3]->needs_grad);
  EXPECT_TRUE(op.regions[1]->ops[0]->results[0]->needs_grad);
}

TEST(ProgramGradFlags, AUsersWordStands) {
  Building b;
  Value* x = b.input("x", scalar_type(), false);
  const Op& op = b.loop(
      {x}, [](const Values& v) { return toy::less_than(v[0], v[0]); },
      [](const Values& v) {
        Value* y = toy::tanh(v[0]);
        y->needs_grad = false;
        y->stopped = true;
        return Values{y};
      });
  EXPECT_FALSE(op.regions[1]->ops[0]->results[0]->needs_grad);
  EXPECT_TRUE(op.results[0]->needs_grad);  // of no trip at all: x
}

// --- Programs.

TEST(Program, InputsHaveNamesOfTheirOwn) {
  Building b;
  b.input("x", scalar_type());
  const auto message = [&b](const std::string& name, const Type& type, bool stop) {
    return std::string(error_of([&] { b.input(name, type, stop); }).what());
  };
  EXPECT_EQ(message("x", scalar_type(), true),
            "[input] name: expected a new name, got \"x\", which this program has already; choose "
            "another");
  EXPECT_THAT(message("", scalar_type(), true), HasSubstr("got an empty one"));
  EXPECT_THAT(message("y", tensor(DType::kFloat32, {-2}), true),
              HasSubstr("lengths of at least 0, or -1"));
  EXPECT_THAT(message("y", open_list(), true), HasSubstr("the type of a tensor, got list"));
  EXPECT_THAT(message("y", scalar_type(DType::kInt64), false),
              HasSubstr("a float dtype for a gradient, got int64"));
  EXPECT_EQ(b.program.inputs.size(), 1U);
}

TEST(Program, ATensorIsOneParameter) {
  Program program;
  const Tensor w = test::leaf({1.0, 2.0});
  const Tensor c = test::constant({3.0});
  w.set_name("w");
  Value* first = program.parameter(w);
  EXPECT_EQ(program.parameter(w), first);
  Value* second = program.parameter(c);
  EXPECT_NE(second, first);
  EXPECT_EQ(first->type, tensor_type(DType::kFloat64, {2}));
  EXPECT_EQ(first->name, "w");
  EXPECT_TRUE(first->needs_grad);
  EXPECT_FALSE(second->needs_grad);
  EXPECT_TRUE(program.find_parameter(second)->tensor.is(c));
  EXPECT_EQ(program.find_parameter(nullptr), nullptr);
}

TEST(Program, HandlesFollowReplacements) {
  Building b;
  Value* x = b.input("x", scalar_type());
  Value* y = toy::tanh(x);
  const auto to_x = b.program.cell_of(x);
  const auto to_y = b.program.cell_of(y);
  const Tensor w = test::constant({1.0});
  Program::Parameter& parameter = *b.program.find_parameter(b.program.parameter(w));
  parameter.result = y;
  b.program.replace_handles({{y, x}});
  EXPECT_EQ(to_x->value, x);
  EXPECT_EQ(to_y->value, x);
  EXPECT_EQ(b.program.parameters[0].result, x);
  b.program.replace_handles({{x, nullptr}});
  EXPECT_EQ(to_x->value, nullptr);
}

TEST(Program, HandlesThatEndedAreForgotten) {
  Program program;
  for (int i = 0; i < 10000; ++i) program.cell_of(nullptr);
  EXPECT_LT(program.cells.size(), 200U);
}

TEST(Program, InplaceMarksCountInRegions) {
  Building b;
  Value* x = b.input("x", scalar_type());
  Value* pred = toy::less_than(x, x);
  Value* inside = nullptr;
  b.cond(
      pred, [&] { return Values{inside = toy::tanh(x)}; }, [&] { return Values{x}; });
  EXPECT_FALSE(is_inplace_net(b.program));
  Building::mark(inside);
  EXPECT_TRUE(is_inplace_net(b.program));
}

TEST(Program, UsesAreInputsAndMetadata) {
  Building b;
  Value* x = b.input("x", tensor(DType::kFloat32, {-1}));
  Value* one = b.input("one", tensor(DType::kFloat32, {}));
  const Op& op = *toy::expand(one, shape(x))->op;
  Values uses;
  for_each_use(op, [&](Value* value) { uses.push_back(value); });
  EXPECT_THAT(uses, ElementsAre(one, op.attribute_values[0]));
}

// --- Types of the program's own ops.

TEST(ProgramControl, BranchesAreJoined) {
  Building b;
  Value* x = b.input("x", tensor(DType::kFloat32, {2}));
  Value* y = b.input("y", tensor(DType::kFloat32, {3}));
  Value* pred = b.input("p", scalar_type(DType::kBool));
  const Op& op = b.cond(
      pred,
      [&] {
        return Values{x, undefined(x->type)};
      },
      [&] {
        return Values{y, y};
      });
  EXPECT_EQ(op.results[0]->type, tensor_type(DType::kFloat32, {-1}));
  EXPECT_EQ(op.results[1]->type, y->type);
}

TEST(ProgramControl, BranchesThatDoNotFitAreRefused) {
  Building b;
  Value* x = b.input("x", tensor(DType::kFloat32, {2}));
  Value* i = b.input("i", tensor(DType::kInt64, {2}));
  Value* pred = b.input("p", scalar_type(DType::kBool));
  const auto message = [&b](Value* condition, const Values& then, const Values& otherwise) {
    const Error error = error_of([&] {
      b.cond(
          condition, [&] { return then; }, [&] { return otherwise; });
    });
    return std::string(error.what());
  };
  EXPECT_EQ(message(x, {x}, {x}),
            "[cond] condition: expected one truth value, bool[], got float32[2]; compare, or "
            "reduce to one element first");
  EXPECT_THAT(message(pred, {x}, {}), HasSubstr("[cond] false_fn: expected 1 results, got 0"));
  EXPECT_EQ(message(pred, {x}, {i}),
            "[cond] result 0 of the branches: expected one dtype, got float32[2] and int64[2]; "
            "cast one of them");
  EXPECT_THAT(b.program.main.ops, IsEmpty());
}

TEST(ProgramControl, LoopVariablesKeepTheirType) {
  Building b;
  Value* x = b.input("x", tensor(DType::kFloat32, {2}));
  Value* y = b.input("y", tensor(DType::kFloat32, {3}));
  Value* pred = b.input("p", scalar_type(DType::kBool));
  const auto condition = [&](const Values&) { return pred; };
  const auto message = [&](const Values& yields, Value* truth) {
    return std::string(error_of([&] {
                         b.loop(
                             {x}, [&](const Values&) { return truth; },
                             [&](const Values&) { return yields; });
                       }).what());
  };
  EXPECT_EQ(message({y}, pred),
            "[while_loop] loop variable 0, what body returns: expected float32[2], got float32[3]; "
            "keep its dtype and "
            "number of dimensions");
  EXPECT_THAT(message({x, x}, pred), HasSubstr("[while_loop] body: expected 1 results, got 2"));
  EXPECT_THAT(message({x}, x), HasSubstr("[while_loop] condition: expected one truth value"));
  const Op& op = b.loop({x}, condition, [&](const Values&) { return Values{y}; },
                        {tensor(DType::kFloat32, {-1})});
  EXPECT_EQ(op.results[0]->type, tensor_type(DType::kFloat32, {-1}));
}

TEST(ProgramControl, ListsKnowTheirElements) {
  Building b;
  Value* x = b.input("x", tensor(DType::kFloat32, {2, 3}));
  Value* y = b.input("y", tensor(DType::kFloat32, {4, 3}));
  Value* i = b.input("i", scalar_type(DType::kInt64));
  Value* empty = new_list(open_list());
  EXPECT_THAT(error_of([&] {
                b.append(kAt, {empty, i});
              }).what(),
              HasSubstr("[read] list: expected a list whose elements are known, got a new one"));
  Value* one = b.append(kPush, {empty, x});
  Value* two = b.append(kPut, {one, i, y});
  EXPECT_EQ(one->type, list_of(x->type));
  EXPECT_EQ(two->type, list_of(tensor_type(DType::kFloat32, {-1, 3})));
  EXPECT_EQ(b.append(kStack, {one})->type, tensor_type(DType::kFloat32, {-1, 2, 3}));
  EXPECT_EQ(b.append(kConcatList, {one})->type, tensor_type(DType::kFloat32, {-1, 3}));
  EXPECT_EQ(b.append(kAt, {two, i})->type, tensor_type(DType::kFloat32, {-1, 3}));
  EXPECT_EQ(b.append(kPush, {new_list(open_list()), one})->type, list_of(list_of(x->type)));
  EXPECT_THAT(error_of([&] {
                b.append(kPush, {one, i});
              }).what(),
              HasSubstr("[list_push] the list's elements and x"));
  EXPECT_THAT(error_of([&] {
                b.append(kAt, {one, x});
              }).what(),
              HasSubstr("[read] index: expected one integer"));
  EXPECT_THAT(error_of([&] { b.append(kLength, {x}); }).what(),
              HasSubstr("[list_length] list: expected a list"));
}

TEST(ProgramControl, OwnOpsAreFoundByName) {
  for (const OpDef* def : own_ops()) {
    EXPECT_EQ(find_own_op(def->name), def);
    EXPECT_EQ(find_op(def->name), nullptr) << def->name << " is an op of the registry, too";
  }
  EXPECT_EQ(find_own_op("tanh"), nullptr);
}

}  // namespace
}  // namespace oploom::program
