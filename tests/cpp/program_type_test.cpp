#include <gmock/gmock.h>

#include <limits>

#include "runtime/program/type.h"
#include "tests/cpp/errors.h"
#include "tests/cpp/program_building.h"

// Types and attributes of programs.
namespace oploom::program {
namespace {

using test::error_of;
using testing::HasSubstr;

// --- Types.

TEST(ProgramType, TextAndBack) {
  const Type float32 = tensor_type(DType::kFloat32, {2, -1});
  EXPECT_EQ(written(float32), "float32[2, ?]");
  EXPECT_EQ(written(tensor_type(DType::kInt64, {}, true)), "weak int64[]");
  EXPECT_EQ(written(numbers_type(2)), "numbers int64[2]");
  EXPECT_EQ(written(number_type(DType::kFloat64)), "numbers float64[]");
  EXPECT_EQ(written(list_of(float32)), "list of float32[2, ?]");
  EXPECT_EQ(written(list_of(list_of(numbers_type(3)))), "list of list of numbers int64[3]");
  EXPECT_EQ(written(open_list()), "list");
  EXPECT_EQ(written(list_of(open_list())), "list of list");
  for (const Type& type :
       {float32, tensor_type(DType::kBool, {}), tensor_type(DType::kInt64, {}, true),
        numbers_type(0), number_type(DType::kFloat64), list_of(float32),
        list_of(list_of(numbers_type(3))), open_list(), list_of(open_list())}) {
    const auto back = parse_type(written(type));
    ASSERT_TRUE(back.has_value()) << type;
    EXPECT_EQ(*back, type);
  }
}

TEST(ProgramType, TextThatIsNone) {
  for (const char* text :
       {"",
        "float",
        "float32",
        "float32[",
        "float32[2",
        "float32[2,3]",
        "float32[-1]",
        "float32[2, ]",
        "float32[2] ",
        " float32[2]",
        "float32[99999999999999999999]",
        "float32[1, 1, 1, 1, 1, 1, 1, 1, 1]",
        "weak float32[2]",
        "numbers float32[]",
        "numbers float64[2]",
        "numbers int64[?]",
        "numbers int64[2, 2]",
        "numbers weak int64[]",
        "numbers int64[99999999]",
        "list of",
        "listof int64[]",
        "lists",
        "numbers list",
        "list of list of list of list of list of list of list of list of list of int64[]"}) {
    EXPECT_FALSE(parse_type(text).has_value()) << text;
  }
}

TEST(ProgramType, JoinMakesDifferingLengthsUnknown) {
  const Type a = tensor_type(DType::kFloat32, {2, 3});
  const Type b = tensor_type(DType::kFloat32, {2, 4});
  EXPECT_EQ(join("x", a, a), a);
  EXPECT_EQ(join("x", a, b), tensor_type(DType::kFloat32, {2, -1}));
  EXPECT_EQ(join("x", list_of(a), list_of(b)), list_of(tensor_type(DType::kFloat32, {2, -1})));
  EXPECT_EQ(join("x", open_list(), list_of(a)), list_of(a));
  EXPECT_EQ(join("x", list_of(a), open_list()), list_of(a));
  EXPECT_EQ(join("x", list_of(open_list()), open_list()), list_of(open_list()));
}

TEST(ProgramType, JoinRefusesWhatDiffersInKindDtypeOrRank) {
  const Type a = tensor_type(DType::kFloat32, {2});
  const auto message = [&a](const Type& b) {
    const Error error = error_of([&] { join("[cond] result 0", a, b); });
    EXPECT_EQ(error.kind(), ErrorKind::kType);
    return std::string(error.what());
  };
  EXPECT_EQ(message(tensor_type(DType::kFloat64, {2})),
            "[cond] result 0: expected one dtype, got float32[2] and float64[2]; cast one of them");
  EXPECT_THAT(message(tensor_type(DType::kFloat32, {2, 1})), HasSubstr("one number of dimensions"));
  EXPECT_THAT(message(list_of(a)),
              HasSubstr("values of one kind, got float32[2] and list of float32[2]"));
  EXPECT_THAT(error_of([] {
                join("x", tensor_type(DType::kInt64, {}), tensor_type(DType::kInt64, {}, true));
              }).what(),
              HasSubstr("make the number a tensor"));
  EXPECT_THAT(error_of([] { join("x", numbers_type(2), numbers_type(3)); }).what(),
              HasSubstr("as many numbers"));
}

TEST(ProgramType, HoldsIsJoinThatChangesNothing) {
  const Type unknown = tensor_type(DType::kFloat32, {-1});
  const Type two = tensor_type(DType::kFloat32, {2});
  EXPECT_TRUE(holds(unknown, two));
  EXPECT_TRUE(holds(two, two));
  EXPECT_FALSE(holds(two, unknown));
  EXPECT_FALSE(holds(unknown, tensor_type(DType::kFloat64, {2})));
  EXPECT_FALSE(holds(unknown, tensor_type(DType::kFloat32, {2, 2})));
  EXPECT_TRUE(holds(list_of(two), open_list()));
  EXPECT_FALSE(holds(open_list(), list_of(two)));
  EXPECT_FALSE(holds(list_of(two), list_of(open_list())));
}

TEST(ProgramType, ListsOfLists) {
  const Type two = tensor_type(DType::kFloat32, {2});
  EXPECT_EQ(element_of(list_of(list_of(two))), list_of(two));
  EXPECT_EQ(element_of(list_of(two)), two);
  EXPECT_EQ(element_of(list_of(numbers_type(2))), numbers_type(2));
  EXPECT_EQ(element_of(list_of(open_list())), open_list());
  Type deep = two;
  for (int i = 0; i < kMaxListDepth; ++i) deep = list_of(deep);
  EXPECT_EQ(error_of([&] { list_of(deep); }).kind(), ErrorKind::kType);
}

// --- Attributes.

TEST(ProgramAttribute, EqualComparesFloatsByBits) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_TRUE(equal(Attribute(nan), Attribute(nan)));
  EXPECT_FALSE(equal(Attribute(0.0), Attribute(-0.0)));
  EXPECT_FALSE(equal(Attribute(Scalar(1)), Attribute(Scalar(1.0))));
  EXPECT_FALSE(equal(Attribute(std::int64_t{1}), Attribute(1.0)));
  EXPECT_TRUE(equal(Attribute(), Attribute()));
  EXPECT_TRUE(equal(Attribute(Index{IndexItem::number(3)}),
                    Attribute(Index{IndexItem{IndexItem::Kind::kNumber, 3, 4, 1}})));
  EXPECT_FALSE(
      equal(Attribute(Index{IndexItem::slice(0, 2)}), Attribute(Index{IndexItem::slice(0, 2, 2)})));
}

TEST(ProgramAttribute, Text) {
  EXPECT_EQ(written(Attribute()), "none");
  EXPECT_EQ(written(Attribute(true)), "true");
  EXPECT_EQ(written(Attribute(1.0)), "1.0");
  EXPECT_EQ(written(Attribute(Scalar(2))), "2");
  EXPECT_EQ(written(Attribute(std::string("a\"\n\x01"))), R"("a\"\n\x01")");
  EXPECT_EQ(written(Attribute(DType::kInt32)), "int32");
  EXPECT_EQ(written(Attribute(std::vector<std::int64_t>{1, -2})), "[1, -2]");
  EXPECT_EQ(written(Attribute(Index{IndexItem::slice(0, 2), IndexItem::new_axis()})),
            "[0:2, None]");
}

}  // namespace
}  // namespace oploom::program
