#include <gmock/gmock.h>

#include "runtime/program/fitted.h"
#include "runtime/program/interpreter.h"
#include "tests/cpp/errors.h"
#include "tests/cpp/program_building.h"
#include "tests/cpp/tensors.h"

// The test of a shape that lengths of -1 left open: its type, and what a run gives and refuses.
namespace oploom::program {
namespace {

using test::constant;
using test::error_of;
using testing::HasSubstr;

Type row(std::int64_t length) { return tensor_type(DType::kFloat64, {length}); }

class ProgramFitted : public testing::Test {
 protected:
  Building b;
  Value* open = b.input("open", row(-1));
  Value* three = b.input("three", row(3));

  static Tensor run(const Op& op, const Tensor& x, std::vector<std::int64_t> shape) {
    Slot in{x, nullptr};
    Slot out;
    Slot* inputs[] = {&in};
    Slot* outputs[] = {&out};
    std::vector<Attribute> attributes = op.attributes;
    attributes[0] = std::move(shape);
    RunFrame frame{.op = op, .inputs = inputs, .outputs = outputs, .attributes = attributes};
    op.def->run(frame);
    return out.tensor;
  }
};

TEST_F(ProgramFitted, WhatIsKnownIsNotTested) {
  EXPECT_EQ(fitted(three, three, FittedKind::kGradient, "[grad]"), three);
}

TEST_F(ProgramFitted, AKnownLengthWins) {
  EXPECT_EQ(fitted(open, three, FittedKind::kGradient, "[grad]")->type, row(3));
  EXPECT_EQ(fitted(three, open, FittedKind::kGradient, "[grad]")->type, row(3));
  EXPECT_EQ(fitted(open, open, FittedKind::kGradient, "[grad]")->type, row(-1));
}

TEST_F(ProgramFitted, OnlyTheAxesThatAreMeantAreCompared) {
  Value* matrix = b.input("matrix", tensor_type(DType::kFloat64, {-1, 2}));
  Value* value = fitted(open, matrix, FittedKind::kMask, "index:", 1);
  EXPECT_EQ(value->type, row(2));
  EXPECT_EQ(run(*value->op, constant({5, 7}), {9, 2}).numel(), 2);
  const auto found = error_of([&] { run(*value->op, constant({5, 7, 8}), {9, 2}); });
  EXPECT_EQ(found.kind(), ErrorKind::kIndex);
  EXPECT_THAT(found.what(), HasSubstr("index: a mask of shape [3] does not fit the axes from 1 of "
                                      "a tensor of shape [9, 2]"));
}

TEST_F(ProgramFitted, NumbersThatAreTooFewFitNothing) {
  const Op& op = *fitted(open, open, FittedKind::kTarget, "[add_] x")->op;
  EXPECT_EQ(error_of([&] { run(op, constant({5}), {}); }).kind(), ErrorKind::kArgument);
}

}  // namespace
}  // namespace oploom::program
