#include <gmock/gmock.h>

#include "tests/cpp/errors.h"
#include "tests/cpp/program_file.h"

// One broken file for each thing that load refuses: kFile with one text in place of another.
namespace oploom::program {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

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
  EXPECT_EQ(broken("inputs: [0], results: [{value: 3", "inputs: [5], results: [{value: 3"),
            "[load] net.yaml:9:25: x: expected the number of a value that is made before and can "
            "be seen, got 5");
  EXPECT_EQ(broken("inputs: [5]", "inputs: [4]"),
            "[load] net.yaml:23:24: x: expected the number of a value that is made before and can "
            "be seen, got 4");
  EXPECT_THAT(broken("yields: [3]", "yields: [4]"),
              StartsWith("[load] net.yaml:18:14: yields: expected the number"));
  EXPECT_THAT(broken("metadata: {shape: 10}", "metadata: {shape: 99}"),
              StartsWith("[load] net.yaml:26:76: shape: expected the"));
  EXPECT_THAT(broken("result: 7", "result: 4"),
              StartsWith("[load] net.yaml:6:88: result: expected the number"));
  EXPECT_THAT(broken("inputs: [0]", "inputs: [-1]"),
              HasSubstr("x: expected 0 to 4294967294, got -1"));
  EXPECT_THAT(broken("inputs: [0]", "inputs: [99999999999999999999]"),
              HasSubstr("x: expected a whole number"));
}

TEST(ProgramLoadRefuses, NumbersGivenTwice) {
  EXPECT_EQ(broken("{value: 3,", "{value: 0,"),
            "[load] net.yaml:9:47: value: expected each number once, got 0 again");
  EXPECT_EQ(broken("next: {value: 14", "next: {value: 12"),
            "[load] net.yaml:2:15: value: expected 13 to 4294967294, got 12");
  EXPECT_EQ(broken("next: {value: 14, op: 8}", "next: {value: 14, op: 7}"),
            "[load] net.yaml:2:23: op: expected 8 to 9223372036854775806, got 7");
}

TEST(ProgramLoadRefuses, InputsThatDoNotFit) {
  EXPECT_EQ(broken("inputs: [0, 3]", "inputs: [0]"),
            "[load] net.yaml:21:27: inputs: expected 2 for add, got 1");
  EXPECT_EQ(broken("inputs: [0], results", "results"),
            "[load] net.yaml:9:3: inputs: expected 1 for tanh, got 0");
  EXPECT_EQ(broken("inputs: [0], results", "inputs: [[0, 0]], results"),
            "[load] net.yaml:9:25: x: expected one value, got 2");
  EXPECT_EQ(broken("inputs: [0], results", "inputs: [~], results"),
            "[load] net.yaml:9:25: x: expected one value, got 0");
  EXPECT_EQ(broken("inputs: [[9]]", "inputs: [~]"),
            "[load] net.yaml:25:3: [metadata] xs: expected one tensor for shape, got 0");
  EXPECT_EQ(broken("inputs: [6], attributes: {shape", "inputs: [10], attributes: {shape"),
            "[load] net.yaml:26:3: [expand] x: expected a tensor, got %10, numbers int64[1]");
  EXPECT_THAT(broken("inputs: [1]", "inputs: [0]"),
              HasSubstr("[cond] condition: expected one truth value, bool[], got float64[2]"));
  EXPECT_THAT(broken("inputs: [0, 3]", "inputs: 3"),
              HasSubstr("net.yaml:21:27: inputs: expected a list, got \"3\""));
}

TEST(ProgramLoadRefuses, AttributesThatDoNotFit) {
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
      broken("metadata: {shape: 10}", "metadata: {shape: 6}"),
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
  EXPECT_THAT(
      broken("number: 4, ", "number: 4, inplace: true, "),
      HasSubstr(
          "net.yaml:1:1: [sum] expected no in-place mark, since it has no in-place form, got one"));
}

TEST(ProgramLoadRefuses, MarksOfAPassOnOpsThatAreNotInPlace) {
  EXPECT_EQ(broken("number: 4, ", "number: 4, applied: true, "),
            "[load] net.yaml:23:149: applied: expected inplace: true with it, got none");
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
