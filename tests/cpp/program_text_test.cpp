#include <gmock/gmock.h>

#include <bit>
#include <limits>

#include "runtime/program/base64.h"
#include "runtime/program/text.h"
#include "runtime/program/yaml_tree.h"
#include "tests/cpp/errors.h"
#include "tests/cpp/program_building.h"
#include "tests/cpp/tensors.h"

// The texts of programs. What is expected was written by hand.
namespace oploom::program {
namespace {

using test::error_of;
using testing::HasSubstr;
using testing::Not;

// --- print.

TEST(ProgramPrint, StraightLine) {
  Building b;
  b.builder.position = "net.py:12";
  Value* x = b.input("x", tensor_type(DType::kFloat32, {2, -1}), false);
  const Tensor w = test::leaf({1.0, 2.0});
  w.set_name("w");
  b.program.parameter(w);
  Value* y = Building::mark(toy::tanh(x));
  toy::multiply(y, operand(2.0));
  b.builder.position = "C++";
  toy::sum(y, {0, 1});
  b.builder.recorded = false;
  toy::sum(y, {1}, true);
  b.builder.position = "net.py:14";
  toy::full({2}, 0.5);
  EXPECT_EQ(b.printed(),
            "input %0 x : float32[2, ?], stop_gradient=False\n"
            "parameter %1 w : float64[2], stop_gradient=False\n"
            "%2 = tanh_(%0) : float32[2, ?]  # net.py:12\n"
            "%3 = to_operand(value=2.0) : weak float64[]  # net.py:12\n"
            "%4 = multiply(%2, %3) : float32[2, ?]  # net.py:12\n"
            "%5 = sum(%2, axis=[0, 1]) : float32[]\n"
            "%6 = sum(%2, axis=[1], keepdim=true) : float32[2, 1]  # no_grad\n"
            "%7 = full(shape=[2], value=0.5) : float32[2]  # net.py:14, no_grad\n");
}

TEST(ProgramPrint, ListsMetadataAndIndices) {
  Building b;
  Value* x = b.input("x", tensor_type(DType::kFloat32, {-1}));
  Value* one = b.input("a b", tensor_type(DType::kFloat32, {}));
  toy::concat({x, x}, 0);
  toy::expand(one, shape(x));
  toy::slice(b.input("m", tensor_type(DType::kFloat32, {4, 5})),
             Index{IndexItem::number(1), IndexItem::slice(0, 3)});
  toy::split(b.input("r", tensor_type(DType::kFloat32, {3})), {1, 2});
  b.append(kPush, {new_list(open_list()), x});
  toy::uniform({2}, 0, 1);
  EXPECT_EQ(b.printed(),
            "input %0 x : float32[?]\n"
            "input %1 \"a b\" : float32[]\n"
            "input %5 m : float32[4, 5]\n"
            "input %7 r : float32[3]\n"
            "%2 = concat([%0, %0], axis=0) : float32[?]\n"
            "%3 = metadata([%0], function=\"shape\") : numbers int64[1]\n"
            "%4 = expand(%1, shape=%3) : float32[?]\n"
            "%6 = slice(%5, index=[1, 0:3]) : float32[3]\n"
            "%8, %9 = split(%7, lengths=[1, 2]) : float32[1], float32[2]\n"
            "%10 = list_new() : list\n"
            "%11 = list_push(%10, %0) : list of float32[?]\n"
            "%12 = uniform(shape=[2], low=0.0, high=1.0) : float32[2]\n");
}

// Case 32 of the specification: if in while.
TEST(ProgramPrint, RegionsAreIndented) {
  Building b;
  b.builder.position = "net.py:9";
  Value* x = b.input("x", scalar_type(), false);
  Value* y = b.input("y", scalar_type(), false);
  Value* two = operand(2);
  Value* start = toy::full({}, Scalar(0), DType::kInt64);
  b.loop(
      {start, x}, [](const Values& v) { return toy::less_than(v[0], operand(4)); },
      [&](const Values& v) {
        const Op& branch = b.cond(
            toy::greater_than(v[1], two), [&] { return Values{toy::multiply(v[1], y)}; },
            [&] { return Values{Building::mark(toy::add(v[1], y))}; });
        return Values{toy::add(v[0], operand(1)), branch.results[0].get()};
      });
  EXPECT_EQ(b.printed(),
            "input %0 x : float64[], stop_gradient=False\n"
            "input %1 y : float64[], stop_gradient=False\n"
            "%2 = to_operand(value=2) : weak int64[]  # net.py:9\n"
            "%3 = full(shape=[], value=0, dtype=int64) : int64[]  # net.py:9\n"
            "%16, %17 = while(%3, %0) : int64[], float64[]  # net.py:9\n"
            "  condition(%4 : int64[], %5 : float64[]):\n"
            "    %6 = to_operand(value=4) : weak int64[]\n"
            "    %7 = less_than(%4, %6) : bool[]\n"
            "    yield %7\n"
            "  body(%8 : int64[], %9 : float64[]):\n"
            "    %10 = greater_than(%9, %2) : bool[]\n"
            "    %13 = if(%10) : float64[]\n"
            "      then:\n"
            "        %11 = multiply(%9, %1) : float64[]\n"
            "        yield %11\n"
            "      else:\n"
            "        %12 = add_(%9, %1) : float64[]\n"
            "        yield %12\n"
            "    %14 = to_operand(value=1) : weak int64[]\n"
            "    %15 = add(%8, %14) : int64[]\n"
            "    yield %15, %13\n");
}

TEST(ProgramPrint, EffectsOnParameters) {
  Building b;
  const Tensor w = test::leaf({1.0});
  w.set_name("w");
  Value* value = b.program.parameter(w);
  Value* grad = toy::tanh(value);
  Value* rate = operand(0.1);
  Value* next = Building::mark(toy::sgd(value, grad, rate));
  b.program.parameters[0].result = next;
  b.program.parameters[0].rebound_grad = grad;
  EXPECT_EQ(b.printed(),
            "parameter %0 w : float64[1], stop_gradient=False -> %3, grad %1\n"
            "%1 = tanh(%0) : float64[1]\n"
            "%2 = to_operand(value=0.1) : weak float64[]\n"
            "%3 = sgd_(%0, %1, %2) : float64[1]\n");
}

TEST(ProgramPrint, NothingAtAll) { EXPECT_EQ(Building().printed(), ""); }

TEST(ProgramPrint, APositionCannotBreakTheLine) {
  Building b;
  b.builder.position = "a\nb.py:1";
  toy::tanh(b.input("x", scalar_type()));
  EXPECT_THAT(b.printed(), HasSubstr("# a\\nb.py:1\n"));
}

// --- The picture.

TEST(ProgramDot, StraightLine) {
  Building b;
  b.builder.position = "net.py:1";
  Value* x = b.input("x", scalar_type());
  Building::mark(toy::tanh(toy::sum(x, {}, true)));
  const std::string text = dot(b.program);
  EXPECT_THAT(text, HasSubstr("digraph program {\n"));
  EXPECT_THAT(text, HasSubstr("  v0 [label=\"%0 x\\nfloat64[]\", shape=oval, "
                              "fillcolor=\"#d9f2d9\", color=\"#3c8c3c\"];\n"
                              "  op0 [label=\"sum\\nkeepdim=true\", tooltip=\"net.py:1\"];\n"
                              "  v0 -> op0 [label=\"%0 float64[]\"];\n"
                              "  op1 [label=\"tanh_\", fillcolor=\"#f9d5d3\", color=\"#c0392b\", "
                              "tooltip=\"net.py:1\"];\n"
                              "  op0 -> op1 [label=\"%1 float64[]\"];\n"
                              "}\n"));
}

TEST(ProgramDot, RegionsAreClustersAndParametersBlue) {
  Building b;
  Value* p = b.input("p", scalar_type(DType::kBool));
  Value* w = b.program.parameter(test::constant({1.0}));
  const Op& branch = b.cond(
      p, [&] { return Values{toy::tanh(w)}; }, [&] { return Values{w}; });
  b.program.parameters[0].result = branch.results[0].get();
  const std::string text = dot(b.program);
  EXPECT_THAT(text, HasSubstr("fillcolor=\"#d9e6f7\""));
  EXPECT_THAT(text,
              HasSubstr("  subgraph cluster_op0_0 {\n    label=\"if then (%3)\"; style=rounded"));
  EXPECT_THAT(text, HasSubstr("    op1 [label=\"tanh\", tooltip=\"C++\"];\n"));
  EXPECT_THAT(text, HasSubstr("    yield_op0_0 [label=\"yield\", shape=plaintext, style=\"\"];\n"
                              "    op1 -> yield_op0_0 [label=\"%2 float64[1]\"];\n"));
  EXPECT_THAT(
      text,
      HasSubstr(
          "  op0 -> v1 [style=dashed, color=\"#3a6ea5\", constraint=false, label=\"%3\"];\n"));
}

TEST(ProgramDot, NamesAreQuoted) {
  Building b;
  b.input("a\"b\\", scalar_type());
  EXPECT_THAT(dot(b.program), HasSubstr(R"(label="%0 a\"b\\\nfloat64[]")"));
}

// --- Helpers.

TEST(ProgramTextHelpers, Quoted) {
  EXPECT_EQ(quoted("a\"b\\c\nd\te\rf\x01g\x7F"), R"("a\"b\\c\nd\te\rf\x01g\x7F")");
  EXPECT_EQ(quoted("äöü"), "\"äöü\"");
}

TEST(ProgramTextHelpers, Closest) {
  constexpr std::string_view kNames[] = {"tanh", "tan", "relu", "to_operand"};
  EXPECT_EQ(closest("tahn", kNames), "tan");
  EXPECT_EQ(closest("tanhh", kNames), "tanh");
  EXPECT_EQ(closest("to_operant", kNames), "to_operand");
  EXPECT_EQ(closest("convolution", kNames), "");
  EXPECT_EQ(closest("", kNames), "");
}

TEST(ProgramTextHelpers, Utf8) {
  for (const char* good : {"", "abc", "ä", "€", "😀"}) EXPECT_TRUE(is_utf8(good)) << good;
  for (const char* bad : {"\xFF", "\xC3", "\xC0\x80", "\xE2\x82", "\xED\xA0\x80",
                          "\xF4\x90\x80\x80", "\x80", "\xE0\x80\x80"}) {
    EXPECT_FALSE(is_utf8(bad)) << quoted(bad);
  }
}

TEST(ProgramTextHelpers, Base64) {
  const auto encoded = [](std::string_view text) {
    return to_base64({reinterpret_cast<const std::byte*>(text.data()), text.size()});
  };
  // RFC 4648, 10.
  EXPECT_EQ(encoded(""), "");
  EXPECT_EQ(encoded("f"), "Zg==");
  EXPECT_EQ(encoded("fo"), "Zm8=");
  EXPECT_EQ(encoded("foo"), "Zm9v");
  EXPECT_EQ(encoded("foob"), "Zm9vYg==");
  EXPECT_EQ(encoded("fooba"), "Zm9vYmE=");
  EXPECT_EQ(encoded("foobar"), "Zm9vYmFy");
  for (const char* text : {"", "f", "fo", "foo", "foobar", "\xFF\xFE"}) {
    const auto back = from_base64(encoded(text));
    ASSERT_TRUE(back.has_value());
    EXPECT_EQ(std::string(reinterpret_cast<const char*>(back->data()), back->size()), text);
  }
  for (const char* bad :
       {"Z", "Zg", "Zg=", "Zh==", "Zm9=", "Zg==Zg==", "Z===", "====", "Zm 9", "Zm9v\n", "Zg=a"}) {
    EXPECT_FALSE(from_base64(bad).has_value()) << bad;
  }
}

TEST(ProgramTextHelpers, FloatsReadBackBitByBit) {
  using Limits = std::numeric_limits<double>;
  const double payload = std::bit_cast<double>(std::uint64_t{0x7FF8000000000123});
  for (const double value :
       {0.0, -0.0, 1.0, 0.1, 1e300, Limits::denorm_min(), Limits::infinity(), -Limits::infinity(),
        Limits::quiet_NaN(), -Limits::quiet_NaN(), payload}) {
    double back = 1;
    ASSERT_TRUE(yaml::read_double(yaml::text_of(value), back)) << yaml::text_of(value);
    EXPECT_EQ(std::bit_cast<std::uint64_t>(back), std::bit_cast<std::uint64_t>(value)) << value;
  }
  double value = 0;
  for (const char* bad :
       {"", "x", "1.0x", " 1", "nan:", "nan:0", "nan:7ff0000000000000", "nan:zz", "1e999"}) {
    EXPECT_FALSE(yaml::read_double(bad, value)) << bad;
  }
}

}  // namespace
}  // namespace oploom::program
