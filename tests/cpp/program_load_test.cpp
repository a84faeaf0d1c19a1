#include <gmock/gmock.h>

#include <cstdio>
#include <fstream>
#include <limits>

#include "tests/cpp/errors.h"
#include "tests/cpp/program_building.h"
#include "tests/cpp/tensors.h"

// Files: what save writes, that load reads it back, and one broken file for each thing that load
// refuses.
namespace oploom::program {
namespace {

using test::error_of;
using testing::HasSubstr;
using testing::StartsWith;

// Written by hand. AAAAAAAA8D8= are the eight bytes of 1.0.
constexpr const char* kFile =
    R"(oploom_program: 1
next: {value: 14, op: 8}
arguments:
- {value: 0, type: "float64[2]", name: "x", needs_grad: true, role: input}
- {value: 1, type: "bool[]", name: "p", stopped: true, role: input}
- {value: 2, type: "float64[1]", name: "w", needs_grad: true, role: parameter, result: 7, writes: 1, data: "AAAAAAAA8D8="}
- {value: 8, type: "float32[?]", name: "u", stopped: true, role: input}
ops:
- {op: "tanh", inputs: [0], results: [{value: 3, type: "float64[2]", needs_grad: true}], number: 1, at: "net.py:3"}
- op: "if"
  inputs: [1]
  results: [{value: 5, type: "float64[2]", needs_grad: true}]
  number: 3
  at: "net.py:4"
  regions:
  - arguments: []
    ops: []
    yields: [3]
  - arguments: []
    ops:
    - {op: "add", inputs: [0, 3], results: [{value: 4, type: "float64[2]", needs_grad: true}], number: 2, inplace: true, at: "net.py:4"}
    yields: [4]
- {op: "sum", inputs: [5], attributes: {axis: [0], keepdim: true}, results: [{value: 6, type: "float64[1]", needs_grad: true}], number: 4, at: "C++"}
- {op: "sgd_", inputs: [2, 6, 6], results: [{value: 7, type: "float64[1]"}], number: 5, inplace: true, recorded: false, at: "C++"}
- {op: "metadata", inputs: [[8]], attributes: {function: "shape", axis: 0}, results: [{value: 9, type: "numbers int64[1]"}], number: 6, at: "C++"}
- {op: "expand", inputs: [6], attributes: {shape: [-1]}, metadata: {shape: 9}, results: [{value: 10, type: "float64[?]", needs_grad: true}], number: 7, at: "C++"}
- {op: "slice", inputs: [0], attributes: {index: ["0:1:1"]}, results: [{value: 11, type: "float64[1]", needs_grad: true}], number: 8, at: "C++"}
)";

// The same program, built.
void build(Building& b) {
  b.builder.position = "net.py:3";
  Value* x = b.input("x", tensor_type(DType::kFloat64, {2}), false);
  Value* p = b.input("p", scalar_type(DType::kBool));
  const Tensor tensor = test::leaf({1.0});
  tensor.set_name("w");
  Value* w = b.program.parameter(tensor);
  Value* y = toy::tanh(x);
  b.builder.position = "net.py:4";
  Value* sum = nullptr;
  const Op& branch = b.cond(
      p, [&] { return Values{y}; }, [&] { return Values{sum = Building::mark(toy::add(x, y))}; });
  sum->op->position = "net.py:4";
  b.builder.position = "C++";
  Value* total = toy::sum(branch.results[0].get(), {0}, true);
  b.builder.recorded = false;
  b.program.parameters[0].result = Building::mark(toy::sgd(w, total, total));
  b.program.parameters[0].writes = 1;
  b.builder.recorded = true;
  Value* u = b.input("u", tensor_type(DType::kFloat32, {-1}));
  toy::expand(total, shape(u));
  toy::slice(x, Index{IndexItem::slice(0, 1)});
  b.program.next_value_id = 14;
}

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
  GTEST_SKIP() << "open: written for hand-made ops whose names the registry now has";
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
  GTEST_SKIP() << "open: written for hand-made ops whose names the registry now has";
  const auto loaded = load_text(kFile, "net.yaml");
  Builder builder(*loaded, loaded->main);
  const Builder::Scope scope(builder);
  const Value* y = toy::tanh(loaded->inputs[0].value);
  EXPECT_EQ(y->id, 14U);
  EXPECT_EQ(y->op->number, 9U);
  EXPECT_TRUE(y->needs_grad);
}

TEST(ProgramLoad, ParametersAreTensorsOfTheirOwn) {
  GTEST_SKIP() << "open: written for hand-made ops whose names the registry now has";
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
  GTEST_SKIP() << "open: written for hand-made ops whose names the registry now has";
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
  GTEST_SKIP() << "open: written for hand-made ops whose names the registry now has";
  std::string text = kFile;
  text.replace(text.find("value: 14"), 9, "value: 4000000000");
  EXPECT_EQ(load_text(text, "net.yaml")->next_value_id, 12U);
}

TEST(ProgramLoad, AnEmptyProgram) {
  Program program;
  EXPECT_EQ(save_text(program),
            "oploom_program: 1\nnext: {value: 0, op: 0}\narguments: []\nops: []\n");
  EXPECT_EQ(reloaded(program), save_text(program));
}

TEST(ProgramLoad, EveryAttributeComesBackBitByBit) {
  GTEST_SKIP() << "open: written for hand-made ops whose names the registry now has";
  Building b;
  Value* x =
      b.input("a \"quoted\"\nname\twith \\ and ä\x01", tensor_type(DType::kFloat64, {4, 5, 6}));
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const Scalar value :
       {Scalar(true), Scalar(INT64_MIN), Scalar(-0.0), Scalar(nan), Scalar(0.1),
        Scalar(std::numeric_limits<double>::infinity()), Scalar(1e22)}) {
    toy::full({2}, value, DType::kFloat64);
  }
  toy::full({}, 1);  // dtype: none
  toy::uniform({3}, -0.0, 5e-324);
  toy::slice(x, Index{IndexItem::number(2), IndexItem::new_axis(), IndexItem::slice(0, 4, 2),
                      IndexItem::slice(1, 1)});
  toy::concat({x, x, x}, 0);
  toy::split(x, {1, 3});
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
    return Values{b.cond(
                       p, [&] { return nest(depth - 1); }, [&] { return Values{x}; })
                      .results[0]
                      .get()};
  };
  b.loop(
      {x}, [&](const Values&) { return p; },
      [&](const Values& v) { return Values{toy::add(v[0], nest(3)[0])}; });
  EXPECT_EQ(reloaded(b.program), save_text(b.program));
  nest(64);
  EXPECT_EQ(reloaded(b.program), save_text(b.program));
  nest(65);
  EXPECT_EQ(error_of([&] { save_text(b.program); }).kind(), ErrorKind::kUnimplemented);
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
  b.program.parameters[0].result = toy::tanh(value);
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
  toy::tanh(broken.input("x", scalar_type()))->op->inputs.clear();
  EXPECT_THAT(error_of([&] { save_text(broken.program); }).what(),
              StartsWith("[tanh] expected 1 inputs, got 0"));
}

// --- Broken files: kFile with one text in place of another.

std::string refused(const std::string& text) {
  try {
    load_text(text, "net.yaml");
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kArgument);
    return error.what();
  }
  return "no error";
}

std::string broken(const std::string& from, const std::string& to) {
  std::string text = kFile;
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  text.replace(at, from.size(), to);
  return refused(text);
}

TEST(ProgramLoadRefuses, WhatIsNoYaml) {
  EXPECT_EQ(broken("next: {value: 14, op: 8}", "next: {value: 14, op: 8"),
            "[load] net.yaml:3:10: this is no YAML: end of map flow not found");
  EXPECT_THAT(broken("type: \"float64[2]\"", "type: \"float64[2]"), StartsWith("[load] net.yaml:"));
  EXPECT_EQ(refused(""), "[load] net.yaml:1:1: expected a program, got an empty file");
  EXPECT_EQ(refused("- 1\n"), "[load] net.yaml:1:1: program: expected a map, got a list");
  EXPECT_EQ(refused("tanh"), "[load] net.yaml:1:1: program: expected a map, got \"tanh\"");
  EXPECT_EQ(refused(std::string(kFile) + "---\nx: 1\n"),
            "[load] net.yaml:29:1: expected one document, got a second one");
  std::string deep;
  for (int i = 0; i < 100000; ++i) deep += "- ";
  EXPECT_THAT(refused(deep), HasSubstr("this is no YAML: bad file"));
  EXPECT_THAT(refused(std::string(100000, '[')), StartsWith("[load] net.yaml:1:"));
  EXPECT_THAT(refused(std::string(100000, '{')), StartsWith("[load] net.yaml:1:"));
}

TEST(ProgramLoadRefuses, AliasesAnchorsAndTags) {
  EXPECT_EQ(broken("ops: []", "ops: &a []"),
            "[load] net.yaml:17:10: expected a value, got an anchor; leave it out");
  EXPECT_EQ(refused("a: &x 1\nb: *x\n"),
            "[load] net.yaml:1:4: expected a value, got an anchor; leave it out");
  EXPECT_THAT(broken("inputs: [0]", "inputs: [!int 0]"),
              HasSubstr("expected a value without a tag"));
  EXPECT_EQ(refused("[1]: 2\n"), "[load] net.yaml:1:1: expected a word as key, got something else");
}

TEST(ProgramLoadRefuses, TextThatIsNoUtf8) {
  EXPECT_THAT(broken("net.py:3", "\xFF"),
              StartsWith("[load] net.yaml:9:105: expected text in UTF-8"));
  EXPECT_THAT(broken("net.py:3", "\\ud800"), HasSubstr("net.yaml:9:"));
}

TEST(ProgramLoadRefuses, AnotherVersion) {
  EXPECT_EQ(broken("oploom_program: 1", "oploom_program: 2"),
            "[load] net.yaml:1:17: oploom_program: expected 1 to 1, got 2");
  EXPECT_EQ(broken("oploom_program: 1", "oploom_program: one"),
            "[load] net.yaml:1:17: oploom_program: expected a whole number, got \"one\"");
}

TEST(ProgramLoadRefuses, KeysThatAreUnknownMissingOrRepeated) {
  EXPECT_EQ(broken("arguments:\n-", "argument:\n-"),
            "[load] net.yaml:3:1: program: expected a key that is known, got \"argument\"; did you "
            "mean arguments?");
  EXPECT_EQ(broken("role: input", "part: input"),
            "[load] net.yaml:4:63: argument: expected a key that is known, got \"part\"");
  EXPECT_EQ(broken("number: 1, ", ""),
            "[load] net.yaml:9:3: op: expected a key \"number\", got none");
  EXPECT_EQ(broken("number: 1, ", "number: 1, number: 1, "),
            "[load] net.yaml:9:101: op: expected number once, got it again");
}

TEST(ProgramLoadRefuses, OpsThatDoNotExist) {
  GTEST_SKIP() << "open: written for hand-made ops whose names the registry now has";
  EXPECT_EQ(
      broken("op: \"tanh\"", "op: \"tanhh\""),
      "[load] net.yaml:9:8: op: expected an op that exists, got \"tanhh\"; did you mean tanh?");
  EXPECT_EQ(broken("op: \"tanh\"", "op: \"convolution\""),
            "[load] net.yaml:9:8: op: expected an op that exists, got \"convolution\"");
  EXPECT_EQ(broken("op: \"metadata\"", "op: \"metadat\""),
            "[load] net.yaml:25:8: op: expected an op that exists, got \"metadat\"; did you mean "
            "metadata?");
  EXPECT_THAT(broken("op: \"tanh\"", "op: [1]"),
              HasSubstr("net.yaml:9:8: op: expected a text, got a list"));
}

TEST(ProgramLoadRefuses, ValuesThatCannotBeSeen) {
  GTEST_SKIP() << "open: written for hand-made ops whose names the registry now has";
  EXPECT_EQ(broken("inputs: [0], results: [{value: 3", "inputs: [5], results: [{value: 3"),
            "[load] net.yaml:9:25: x: expected the number of a value that is made before and can "
            "be seen, got 5");
  EXPECT_EQ(broken("inputs: [5]", "inputs: [4]"),
            "[load] net.yaml:23:24: x: expected the number of a value that is made before and can "
            "be seen, got 4");
  EXPECT_THAT(broken("yields: [3]", "yields: [4]"),
              StartsWith("[load] net.yaml:18:14: yields: expected the number"));
  EXPECT_THAT(broken("metadata: {shape: 9}", "metadata: {shape: 99}"),
              StartsWith("[load] net.yaml:26:76: shape: expected the"));
  EXPECT_THAT(broken("result: 7", "result: 4"),
              StartsWith("[load] net.yaml:6:88: result: expected the number"));
  EXPECT_THAT(broken("inputs: [0]", "inputs: [-1]"),
              HasSubstr("x: expected 0 to 4294967294, got -1"));
  EXPECT_THAT(broken("inputs: [0]", "inputs: [99999999999999999999]"),
              HasSubstr("x: expected a whole number"));
}

TEST(ProgramLoadRefuses, NumbersGivenTwice) {
  GTEST_SKIP() << "open: written for hand-made ops whose names the registry now has";
  EXPECT_EQ(broken("{value: 3,", "{value: 0,"),
            "[load] net.yaml:9:47: value: expected each number once, got 0 again");
  EXPECT_EQ(broken("next: {value: 14", "next: {value: 11"),
            "[load] net.yaml:2:15: value: expected 12 to 4294967294, got 11");
  EXPECT_EQ(broken("next: {value: 14, op: 8}", "next: {value: 14, op: 7}"),
            "[load] net.yaml:2:23: op: expected 8 to 9223372036854775806, got 7");
}

TEST(ProgramLoadRefuses, InputsThatDoNotFit) {
  GTEST_SKIP() << "open: written for hand-made ops whose names the registry now has";
  EXPECT_EQ(broken("inputs: [0, 3]", "inputs: [0]"),
            "[load] net.yaml:21:27: inputs: expected 2 for add, got 1");
  EXPECT_EQ(broken("inputs: [0], results", "results"),
            "[load] net.yaml:9:3: inputs: expected 1 for tanh, got 0");
  EXPECT_EQ(broken("inputs: [0], results", "inputs: [[0, 0]], results"),
            "[load] net.yaml:9:25: x: expected one value, got 2");
  EXPECT_EQ(broken("inputs: [0], results", "inputs: [~], results"),
            "[load] net.yaml:9:25: x: expected one value, got 0");
  EXPECT_EQ(broken("inputs: [[8]]", "inputs: [~]"),
            "[load] net.yaml:25:3: [metadata] xs: expected one tensor for shape, got 0");
  EXPECT_EQ(broken("inputs: [6], attributes: {shape", "inputs: [9], attributes: {shape"),
            "[load] net.yaml:26:3: [expand] x: expected a tensor, got %9, numbers int64[1]");
  EXPECT_THAT(broken("inputs: [1]", "inputs: [0]"),
              HasSubstr("[cond] condition: expected one truth value, bool[], got float64[2]"));
  EXPECT_THAT(broken("inputs: [0, 3]", "inputs: 3"),
              HasSubstr("net.yaml:21:27: inputs: expected a list, got \"3\""));
}

TEST(ProgramLoadRefuses, AttributesThatDoNotFit) {
  GTEST_SKIP() << "open: written for hand-made ops whose names the registry now has";
  EXPECT_EQ(broken("keepdim: true", "keepdim: 1"),
            "[load] net.yaml:23:61: keepdim: expected true or false, got \"1\"");
  EXPECT_EQ(broken("keepdim: true", "keepdims: true"),
            "[load] net.yaml:23:52: attributes: expected a key that is known, got \"keepdims\"; "
            "did you mean keepdim?");
  EXPECT_EQ(broken("axis: [0]", "axis: [zero]"),
            "[load] net.yaml:23:48: axis: expected a whole number, got \"zero\"");
  EXPECT_EQ(broken("axis: [0]", "axis: ~"),
            "[load] net.yaml:23:47: axis: expected an attribute of type axes, got nothing");
  EXPECT_EQ(broken("attributes: {index: [\"0:1:1\"]}, ", ""),
            "[load] net.yaml:27:3: index: expected an attribute of type index, got none");
  EXPECT_EQ(
      broken("\"0:1:1\"", "\"0:1\""),
      "[load] net.yaml:27:51: index: expected a number, start:stop:step, None or ..., got \"0:1\"");
  EXPECT_THAT(broken("\"0:1:1\"", "\"0:1:0\""), HasSubstr("expected a positive step"));
  EXPECT_THAT(broken("[\"0:1:1\"]", "[\"7\"]"),
              HasSubstr("net.yaml:27:3: [slice] index: expected -2 to 1 on axis 0"));
  EXPECT_THAT(broken("function: \"shape\"", "function: \"form\""),
              HasSubstr("[metadata] function: expected shape, numel, size or sizes, got \"form\""));
  EXPECT_THAT(
      broken("metadata: {shape: 9}", "metadata: {shape: 6}"),
      HasSubstr(
          "[expand] shape: expected metadata for an attribute of type int[], got %6, float64[1]"));
}

TEST(ProgramLoadRefuses, TypesThatAreWrong) {
  EXPECT_EQ(
      broken("type: \"float64[2]\"", "type: \"float65[2]\""),
      "[load] net.yaml:4:20: type: expected a type such as \"float32[2, ?]\", got \"float65[2]\"");
  EXPECT_EQ(broken("{value: 3, type: \"float64[2]\"", "{value: 3, type: \"float64[3]\""),
            "[load] net.yaml:9:39: type: expected float64[2], got float64[3]");
  EXPECT_THAT(
      broken("results: [{value: 3, type: \"float64[2]\", needs_grad: true}]", "results: []"),
      HasSubstr("results: expected 1 for tanh, got 0"));
  EXPECT_THAT(
      broken("type: \"float64[2]\", name: \"x\", needs_grad: true", "type: \"list\", name: \"x\""),
      HasSubstr("type: expected a tensor's type for an argument, got list"));
  EXPECT_THAT(broken("type: \"float32[?]\"", "type: \"weak float32[]\""),
              HasSubstr("expected no weak number as input"));
  EXPECT_THAT(broken("type: \"float64[1]\"", "type: \"float64[?]\""),
              HasSubstr("expected known lengths for a parameter"));
  EXPECT_THAT(
      broken("name: \"p\", stopped: true", "name: \"p\", needs_grad: true"),
      HasSubstr("needs_grad: expected false for a value that is stopped or not of a float dtype"));
}

TEST(ProgramLoadRefuses, ArgumentsThatAreWrong) {
  EXPECT_EQ(broken("role: input", "role: guest"),
            "[load] net.yaml:4:69: role: expected input or parameter, got \"guest\"");
  EXPECT_EQ(broken("name: \"p\"", "name: \"x\""),
            "[load] net.yaml:5:3: name: expected each input once, got \"x\" again");
  EXPECT_EQ(broken("name: \"p\", ", ""),
            "[load] net.yaml:5:3: name: expected the name of an input, got none");
  EXPECT_EQ(broken("role: input", "role: input, data: \"\""),
            "[load] net.yaml:4:82: data: expected none for an input, got one");
  EXPECT_EQ(broken("writes: 1", "writes: -1"),
            "[load] net.yaml:6:99: writes: expected 0 to 4294967295, got -1");
}

TEST(ProgramLoadRefuses, DataThatDoesNotFit) {
  EXPECT_EQ(broken("AAAAAAAA8D8=", "AAAAAAAA8D8"),
            "[load] net.yaml:6:108: data: expected base64, got something else");
  EXPECT_EQ(broken("AAAAAAAA8D8=", "AAAA"),
            "[load] net.yaml:6:108: data: expected 1 elements of float64, got 3 bytes");
  EXPECT_THAT(broken("type: \"float64[1]\", name: \"w\", needs_grad: true",
                     "type: \"bool[8]\", name: \"w\""),
              HasSubstr("data: expected bytes 0 and 1 for bool, got others"));
  EXPECT_THAT(broken("float64[1]", "float64[4611686018427387904, 4]"),
              HasSubstr("expected less than 2^63 elements"));
  EXPECT_THAT(broken("float64[1]", "float64[4611686018427387904]"),
              HasSubstr("expected 4611686018427387904 elements"));
}

TEST(ProgramLoadRefuses, RegionsThatDoNotFit) {
  EXPECT_THAT(broken("  - arguments: []\n    ops: []\n    yields: [3]\n", ""),
              HasSubstr("net.yaml:10:3: [if] expected 2 regions, got 1"));
  EXPECT_THAT(broken("yields: [3]", "yields: []"),
              HasSubstr("[cond] false_fn: expected 0 results, got 1"));
  EXPECT_THAT(broken("yields: [3]", "yield: [3]"),
              HasSubstr("net.yaml:18:5: region: expected a key that is known, got \"yield\""));
  EXPECT_THAT(broken("- arguments: []", "- arguments: [{value: 20, type: \"bool[]\"}]"),
              HasSubstr("[if] expected branches without arguments, got %20"));
  EXPECT_THAT(broken("number: 4, ", "number: 4, regions: [{arguments: [], ops: [], yields: []}], "),
              HasSubstr("[sum] expected 0 regions, got 1"));
}

TEST(ProgramLoadRefuses, MarksWithoutAPair) {
  GTEST_SKIP() << "open: written for hand-made ops whose names the registry now has";
  EXPECT_THAT(
      broken("number: 4, ", "number: 4, inplace: true, "),
      HasSubstr(
          "net.yaml:1:1: [sum] expected no in-place mark, since it has no in-place form, got one"));
}

TEST(ProgramLoadRefuses, NestsThatAreTooDeep) {
  std::string open =
      "oploom_program: 1\nnext: {value: 200, op: 200}\narguments: [{value: 0, type: \"bool[]\", "
      "name: p, role: input}]\nops: ";
  std::string close;
  for (int i = 0; i < 65; ++i) {
    open +=
        "[{op: if, inputs: [0], number: 1, results: [], regions: [{arguments: [], ops: [], yields: "
        "[]}, {arguments: [], yields: [], ops: ";
    close += "}]}]";
  }
  EXPECT_THAT(refused(open + "[]" + close),
              HasSubstr("regions: expected at most 64 in each other, got more"));
}

// Any cut, and any byte in place of another: an error or a program, never more.
TEST(ProgramLoadRefuses, AnyDamageWithoutCrash) {
  const std::string text = kFile;
  for (std::size_t length = 0; length < text.size(); length += 17) refused(text.substr(0, length));
  for (std::size_t i = 0; i < text.size(); i += 19) {
    for (const char c : {'\0', '"', '[', '}', '9', '-', '\n', '\xFF', '&', '*', '!', '%'}) {
      std::string damaged = text;
      damaged[i] = c;
      refused(damaged);
    }
  }
}

}  // namespace
}  // namespace oploom::program
