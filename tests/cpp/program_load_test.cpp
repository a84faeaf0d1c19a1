#include <gmock/gmock.h>

#include <cstdio>
#include <fstream>
#include <limits>

#include "tests/cpp/errors.h"
#include "tests/cpp/program_file.h"

// Files: what save writes, and that load reads it back.
namespace oploom::program {
namespace {

using test::error_of;
using testing::HasSubstr;
using testing::StartsWith;

std::string reloaded(const Program& program) {
  return save_text(*load_text(save_text(program), "net.yaml"));
}

// --- Whole files.

TEST(ProgramSave, WritesOneOpALine) {
  Building b;
  build(b);
  EXPECT_EQ(save_text(b.program), kFile);
}

TEST(ProgramLoad, ReadsWhatSaveWrites) {
  Building b;
  build(b);
  const auto loaded = load_text(kFile, "net.yaml");
  EXPECT_EQ(save_text(*loaded), kFile);
  std::ostringstream text;
  print(text, *loaded);
  EXPECT_EQ(text.str(), b.printed());
  EXPECT_EQ(loaded->next_value_id, 14U);
  EXPECT_EQ(loaded->next_op_number, 8U);
}

TEST(ProgramLoad, WhatIsLoadedCanBeBuiltOn) {
  const auto loaded = load_text(kFile, "net.yaml");
  Builder builder(*loaded, loaded->main);
  const Builder::Scope scope(builder);
  const Value* y = ops::tanh(loaded->inputs[0].value);
  EXPECT_EQ(y->id, 14U);
  EXPECT_EQ(y->op->number, 9U);
  EXPECT_TRUE(y->needs_grad);
}

TEST(ProgramLoad, ParametersAreTensorsOfTheirOwn) {
  const auto loaded = load_text(kFile, "net.yaml");
  const Program::Parameter& w = loaded->parameters[0];
  EXPECT_EQ(test::values(w.tensor), std::vector<double>{1.0});
  EXPECT_EQ(w.tensor.name(), "w");
  EXPECT_FALSE(stop_gradient(w.tensor));
  EXPECT_EQ(w.result->op->def->name, std::string("sgd_"));
  EXPECT_EQ(w.writes, 1U);
  EXPECT_EQ(loaded->parameter(w.tensor), w.value);
  EXPECT_EQ(loaded->find_parameter(w.value), &w);
}

TEST(ProgramLoad, ReadsFiles) {
  const std::string path = testing::TempDir() + "program_load_test.yaml";
  Building b;
  build(b);
  save(b.program, path);
  EXPECT_EQ(save_text(*load(path)), kFile);
  std::ofstream(path) << "oploom_program: 2\n";
  EXPECT_EQ(std::string(error_of([&] { load(path); }).what()),
            "[load] " + path + ":1:17: oploom_program: expected 1 to 1, got 2");
  std::remove(path.c_str());
  EXPECT_THAT(error_of([&] { load(path); }).what(),
              HasSubstr("[load] expected a file that can be read"));
  EXPECT_THAT(error_of([&] { save(b.program, path + "/x"); }).what(),
              HasSubstr("[save] expected a file that can be written"));
}

TEST(ProgramLoad, NumbersFarApartAreGivenAnew) {
  std::string text = kFile;
  text.replace(text.find("value: 14"), 9, "value: 4000000000");
  EXPECT_EQ(load_text(text, "net.yaml")->next_value_id, 13U);
}

TEST(ProgramLoad, AnEmptyProgram) {
  Program program;
  EXPECT_EQ(save_text(program),
            "oploom_program: 1\nnext: {value: 0, op: 0}\narguments: []\nops: []\n");
  EXPECT_EQ(reloaded(program), save_text(program));
}

TEST(ProgramLoad, EveryAttributeComesBackBitByBit) {
  Building b;
  Value* x =
      b.input("a \"quoted\"\nname\twith \\ and ä\x01", tensor_type(DType::kFloat64, {4, 5, 6}));
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const Scalar value :
       {Scalar(true), Scalar(INT64_MIN), Scalar(-0.0), Scalar(nan), Scalar(0.1),
        Scalar(std::numeric_limits<double>::infinity()), Scalar(1e22)}) {
    ops::full({2}, value, DType::kFloat64);
  }
  ops::full({}, 1);  // dtype: none
  ops::uniform_(x, -0.0, 5e-324);
  ops::slice(x, Index{IndexItem::number(2), IndexItem::new_axis(), IndexItem::slice(0, 4, 2),
                      IndexItem::slice(1, 1)});
  ops::concat(Values{x, x, x}, 0);
  ops::split(x, {1, 3});
  b.append(kPush, {new_list(list_of(open_list())), new_list(list_of(x->type))});
  const auto loaded = load_text(save_text(b.program), "net.yaml");
  ASSERT_EQ(loaded->main.ops.size(), b.program.main.ops.size());
  for (std::size_t i = 0; i < loaded->main.ops.size(); ++i) {
    const Op& was = *b.program.main.ops[i];
    const Op& is = *loaded->main.ops[i];
    EXPECT_EQ(is.def, was.def);
    EXPECT_EQ(is.group_sizes, was.group_sizes);
    ASSERT_EQ(is.attributes.size(), was.attributes.size());
    for (std::size_t k = 0; k < was.attributes.size(); ++k) {
      EXPECT_TRUE(equal(is.attributes[k], was.attributes[k]))
          << was.attributes[k] << " became " << is.attributes[k];
    }
    for (std::size_t k = 0; k < was.results.size(); ++k)
      EXPECT_EQ(is.results[k]->type, was.results[k]->type);
  }
  EXPECT_EQ(loaded->inputs[0].name, x->name);
}

TEST(ProgramLoad, ParametersOfEveryDtypeAndLayout) {
  Building b;
  for (const DType dtype : {DType::kBool, DType::kUInt8, DType::kInt32, DType::kInt64,
                            DType::kFloat32, DType::kFloat64}) {
    const Tensor x = empty({2, 3}, dtype);
    for (std::int64_t i = 0; i < 6; ++i) toy::set_element(x, i, static_cast<double>(i % 2));
    b.program.parameter(x);
  }
  b.program.parameter(alias(test::constant({1, 2, 3, 4}), {2}, {2}, 1));
  b.program.parameter(empty({0, 7}, DType::kFloat32));
  const auto loaded = load_text(save_text(b.program), "net.yaml");
  EXPECT_EQ(save_text(*loaded), save_text(b.program));
  EXPECT_EQ(test::values(loaded->parameters[6].tensor), (std::vector<double>{2, 4}));
}

TEST(ProgramLoad, LoopsAndDeepNests) {
  Building b;
  Value* x = b.input("x", scalar_type());
  Value* p = b.input("p", scalar_type(DType::kBool));
  const std::function<Values(int)> nest = [&](int depth) {
    if (depth == 0) return Values{x};
    return Values{
        b.cond(p, [&] { return nest(depth - 1); }, [&] { return Values{x}; }).results[0].get()};
  };
  b.loop(
      {x}, [&](const Values&) { return p; },
      [&](const Values& v) { return Values{ops::add(v[0], nest(3)[0])}; });
  EXPECT_EQ(reloaded(b.program), save_text(b.program));
  nest(64);
  EXPECT_EQ(reloaded(b.program), save_text(b.program));
  nest(65);
  EXPECT_EQ(error_of([&] { save_text(b.program); }).kind(), ErrorKind::kUnimplemented);
}

// A mark of the user's refuses results that do not fit their buffer; one of the pass gives way.
TEST(ProgramLoad, MarksOfApplyInplaceComeBackAsSuch) {
  Building b;
  Value* x = b.input("x", tensor_type(DType::kFloat64, {-1}));
  Value* y = b.input("y", tensor_type(DType::kFloat64, {-1}));
  Value* t = ops::tanh(x);
  Value* sum = ops::add(t, y);
  apply_inplace(b.program, Values{sum});
  ASSERT_TRUE(sum->op->inplace && sum->op->applied);
  const auto loaded = load_text(save_text(b.program), "net.yaml");
  EXPECT_EQ(save_text(*loaded), save_text(b.program));
  const Op& again = *loaded->main.ops.back();
  EXPECT_TRUE(again.inplace && again.applied);
  const Tensor feeds[] = {test::constant({0}), test::constant({1, 2, 3})};
  Value* fetch[] = {again.results[0].get()};
  EXPECT_EQ(test::values(run(*loaded, feeds, fetch).fetched[0]), (std::vector<double>{1, 2, 3}));
  Value* taken[] = {again.inputs[0]};
  EXPECT_THAT(error_of([&] { run(*loaded, feeds, taken); }).what(),
              HasSubstr("which add_ (recorded at C++) overwrites"));
}

TEST(ProgramSave, RefusesWhatAFileCannotHold) {
  Building b;
  const Tensor x = test::constant({1, 2});
  x.set_name("x");
  const Tensor y = alias(x, {1}, {1}, 0);
  y.set_name("y");
  Value* value = b.program.parameter(x);
  b.program.parameter(y);
  save_text(b.program);  // nothing is written into them
  b.program.parameters[0].result = ops::tanh(value);
  EXPECT_STREQ(error_of([&] { save_text(b.program); }).what(),
               "[save] expected parameters with memory of their own where the program writes them, "
               "got \"x\" and \"y\", "
               "which share theirs; clone one of them");
  Building other;
  other.input("\xFF", scalar_type());
  EXPECT_THAT(error_of([&] { save_text(other.program); }).what(), HasSubstr("in UTF-8"));
  Building third;
  third.program.parameter(x);
  set_map(*x.impl(), {2, 1}, {1, 1});
  EXPECT_THAT(error_of([&] { save_text(third.program); }).what(),
              HasSubstr("[save] parameter \"x\": expected float64[2] as when it was recorded, got "
                        "float64[2, 1]"));
  Building broken;
  ops::tanh(broken.input("x", scalar_type()))->op->inputs.clear();
  EXPECT_THAT(error_of([&] { save_text(broken.program); }).what(),
              StartsWith("[tanh] expected 1 inputs, got 0"));
}

}  // namespace
}  // namespace oploom::program
