#include <gmock/gmock.h>

#include <vector>

#include "runtime/program/control_run.h"
#include "runtime/program/interpreter.h"
#include "tests/cpp/errors.h"
#include "tests/cpp/program_building.h"
#include "tests/cpp/tensors.h"

// Runs of the program's own ops, one call at a time: values, errors, and that a last reader changes
// a list in place.
namespace oploom::program {
namespace {

using test::constant;
using test::error_of;
using test::values;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr std::uint64_t kAllDying = ~std::uint64_t{0};

Tensor whole(std::int64_t value) { return scalar_tensor(value, DType::kInt64); }

// Ops are built in b for their types; run() then takes slots.
class ProgramLists : public testing::Test {
 protected:
  Building b;
  Type row = tensor_type(DType::kFloat64, {-1});
  Value* x = b.input("x", row);
  Value* i = b.input("i", scalar_type(DType::kInt64));
  Value* list = new_list(list_of(row));

  static std::vector<Slot> run(const Op& op, std::vector<Slot*> inputs,
                               std::uint64_t dying = kAllDying) {
    std::vector<Slot> outputs(op.results.size());
    std::vector<Slot*> to;
    for (Slot& output : outputs) to.push_back(&output);
    RunFrame frame{
        .op = op, .inputs = inputs, .outputs = to, .attributes = op.attributes, .dying = dying};
    op.def->run(frame);
    return outputs;
  }
  std::vector<Slot> run(const OpDef& def, const Values& types, std::vector<Slot*> inputs,
                        std::uint64_t dying = kAllDying) {
    std::vector<std::uint32_t> groups;
    if (!def.inputs.empty() && def.inputs[0].kind == InputDef::Kind::kList) {
      groups = {static_cast<std::uint32_t>(types.size())};
    }
    return run(b.builder.append(def, types, {}, groups), std::move(inputs), dying);
  }

  static Slot slot(const Tensor& tensor) { return {tensor, nullptr}; }
  static Slot list_slot(const std::vector<Tensor>& tensors) {
    Slot made;
    made.list = Ref<ListData>::adopt(new ListData);
    for (const Tensor& tensor : tensors) made.list->items.push_back(slot(tensor));
    return made;
  }
  static std::vector<std::vector<double>> rows(const Slot& from) {
    std::vector<std::vector<double>> found;
    for (const Slot& item : from.list->items) found.push_back(values(item.tensor));
    return found;
  }
};

using Rows = std::vector<std::vector<double>>;

TEST_F(ProgramLists, PushAndPop) {
  Slot a = list_slot({});
  Slot one = slot(constant({1}));
  Slot two = slot(constant({2, 3}));
  auto pushed = run(kPush, {list, x}, {&a, &one});
  pushed = run(kPush, {list, x}, {&pushed[0], &two});
  EXPECT_EQ(rows(pushed[0]), (Rows{{1}, {2, 3}}));
  const auto popped = run(kPop, {list}, {&pushed[0]});
  EXPECT_EQ(rows(popped[0]), (Rows{{1}}));
  EXPECT_THAT(values(popped[1].tensor), ElementsAre(2, 3));
  Slot none = list_slot({});
  EXPECT_THAT(error_of([&] { run(kPop, {list}, {&none}); }).what(),
              HasSubstr("[list_pop] list: expected at least one entry"));
}

TEST_F(ProgramLists, TheLastReaderChangesTheListItself) {
  Slot a = list_slot({constant({1})});
  const ListData* data = a.list.get();
  Slot two = slot(constant({2}));
  const auto pushed = run(kPush, {list, x}, {&a, &two});
  EXPECT_EQ(pushed[0].list.get(), data);
  EXPECT_FALSE(a.list);
}

TEST_F(ProgramLists, OtherReadersKeepWhatTheyHave) {
  Slot a = list_slot({constant({1})});
  Slot two = slot(constant({2}));
  Slot at = slot(whole(0));
  const auto living = run(kPush, {list, x}, {&a, &two}, 0);
  EXPECT_EQ(rows(a), (Rows{{1}}));
  EXPECT_EQ(rows(living[0]), (Rows{{1}, {2}}));
  Slot held = a;  // dies here, but is held elsewhere
  const auto put = run(kPut, {list, i, x}, {&a, &at, &two}, 1);
  EXPECT_EQ(rows(held), (Rows{{1}}));
  EXPECT_EQ(rows(put[0]), (Rows{{2}}));
}

TEST_F(ProgramLists, OneValueGivenTwiceIsNotMovedOut) {
  Slot a = list_slot({constant({1})});
  Value* nested = new_list(list_of(list_of(row)));
  Slot outer = list_slot({});
  run(kPush, {nested, list}, {&outer, &a}, 1);
  Slot self = list_slot({constant({1}), constant({2})});
  const auto sum = run(kAddLists, {list, list}, {&self, &self});
  EXPECT_EQ(rows(sum[0]), (Rows{{2}, {4}}));
}

TEST_F(ProgramLists, AtPutAndLength) {
  Slot a = list_slot({constant({1}), constant({2}), constant({3})});
  Slot last = slot(whole(-1));
  Slot end = slot(whole(3));
  Slot beyond = slot(whole(4));
  Slot nine = slot(constant({9}));
  EXPECT_THAT(values(run(kAt, {list, i}, {&a, &last})[0].tensor), ElementsAre(3));
  EXPECT_EQ(*run(kLength, {list}, {&a})[0].tensor.data<std::int64_t>(), 3);
  EXPECT_EQ(error_of([&] { run(kAt, {list, i}, {&a, &end}); }).kind(), ErrorKind::kIndex);
  EXPECT_STREQ(
      error_of([&] { run(kAt, {list, i}, {&a, &end}); }).what(),
      "[read] index: expected -3 to 2 for a list of length 3, got 3; give an index in that range");
  EXPECT_THAT(error_of([&] { run(kPut, {list, i, x}, {&a, &beyond, &nine}); }).what(),
              HasSubstr("expected -3 to 3"));
  EXPECT_EQ(rows(run(kPut, {list, i, x}, {&a, &end, &nine}, 0)[0]), (Rows{{1}, {2}, {3}, {9}}));
  EXPECT_EQ(rows(run(kPut, {list, i, x}, {&a, &last, &nine}, 0)[0]), (Rows{{1}, {2}, {9}}));
  Slot none = list_slot({});
  EXPECT_THAT(error_of([&] { run(kAt, {list, i}, {&none, &end}); }).what(),
              HasSubstr("got one of length 0"));
}

TEST_F(ProgramLists, StackAndUnstack) {
  Slot a = list_slot({constant({1, 2}), constant({3, 4}), constant({5, 6})});
  auto stacked = run(kStack, {list}, {&a});
  EXPECT_EQ(Dims(stacked[0].tensor.shape()), (Dims{3, 2}));
  EXPECT_THAT(values(stacked[0].tensor), ElementsAre(1, 2, 3, 4, 5, 6));
  Value* matrix = b.input("m", tensor_type(DType::kFloat64, {-1, -1}));
  EXPECT_EQ(rows(run(kUnstack, {matrix}, {&stacked[0]})[0]), (Rows{{1, 2}, {3, 4}, {5, 6}}));
}

TEST_F(ProgramLists, StackOfScalarsAndOfStridedRows) {
  Value* scalars = new_list(list_of(scalar_type()));
  Slot a = list_slot({constant({}, {7}), constant({}, {8})});
  EXPECT_THAT(values(run(kStack, {scalars}, {&a})[0].tensor), ElementsAre(7, 8));
  const Tensor every_other = alias(constant({1, 2, 3, 4}), {2}, {2}, 1);
  Slot strided = list_slot({every_other, constant({9, 9})});
  EXPECT_THAT(values(run(kStack, {list}, {&strided})[0].tensor), ElementsAre(2, 4, 9, 9));
}

TEST_F(ProgramLists, EntriesThatDoNotFitAreNamed) {
  Slot a = list_slot({constant({1, 2}), constant({3})});
  EXPECT_STREQ(error_of([&] { run(kStack, {list}, {&a}); }).what(),
               "[stack] list: expected entries that agree in dtype and in the lengths [2], "
               "got float64[1]; reshape "
               "or cast one of them");
}

TEST_F(ProgramLists, AnEmptyListHasAShapeOnlyWhereItsTypeSaysSo) {
  Slot none = list_slot({});
  EXPECT_THAT(
      error_of([&] { run(kStack, {list}, {&none}); }).what(),
      HasSubstr("[stack] list: expected at least one entry, got an empty list of float64[?]"));
  Value* known = new_list(list_of(tensor_type(DType::kFloat64, {2})));
  EXPECT_EQ(Dims(run(kStack, {known}, {&none})[0].tensor.shape()), (Dims{0, 2}));
  EXPECT_EQ(Dims(run(kConcatList, {list}, {&none})[0].tensor.shape()), (Dims{0}));
}

TEST_F(ProgramLists, ConcatAndSplit) {
  Slot a = list_slot({constant({1, 2}), constant({}), constant({3})});
  auto joined = run(kConcatList, {list}, {&a}, 0);
  EXPECT_THAT(values(joined[0].tensor), ElementsAre(1, 2, 3));
  auto lengths = run(kRowLengths, {list}, {&a});
  const auto* first = lengths[0].tensor.data<std::int64_t>();
  EXPECT_THAT(std::vector<std::int64_t>(first, first + 3), ElementsAre(2, 0, 1));
  Value* n = b.input("n", tensor_type(DType::kInt64, {-1}));
  EXPECT_EQ(rows(run(kSplit, {x, n}, {&joined[0], &lengths[0]}, 0)[0]), (Rows{{1, 2}, {}, {3}}));
  lengths[0].tensor.data<std::int64_t>()[2] = 2;
  EXPECT_THAT(error_of([&] { run(kSplit, {x, n}, {&joined[0], &lengths[0]}, 0); }).what(),
              HasSubstr("expected lengths that sum to 3"));
  lengths[0].tensor.data<std::int64_t>()[2] = 0;
  EXPECT_THAT(error_of([&] { run(kSplit, {x, n}, {&joined[0], &lengths[0]}, 0); }).what(),
              HasSubstr("expected lengths that sum to 3, got 2"));
}

TEST_F(ProgramLists, TheShapeOfAnEntry) {
  Slot a = list_slot({constant({1, 2}), constant({3})});
  const auto shape = [&](std::int64_t position) {
    Slot at = slot(whole(position));
    const Tensor found = run(kEntryShape, {list, i}, {&a, &at}, 0)[0].tensor;
    return std::vector(found.data<std::int64_t>(), found.data<std::int64_t>() + found.numel());
  };
  EXPECT_THAT(shape(0), ElementsAre(2));
  EXPECT_THAT(shape(-1), ElementsAre(1));
  EXPECT_THAT(shape(2), ElementsAre(0));  // not there yet
  EXPECT_THAT(error_of([&] { shape(3); }).what(), HasSubstr("index"));
}

TEST_F(ProgramLists, PartsAreOfTheTypeAskedFor) {
  Slot parts = list_slot({constant({1, 2}), constant({3})});
  auto joined = run(kConcatList, {list}, {&parts}, 0);
  auto lengths = run(kRowLengths, {list}, {&parts});
  Value* n = b.input("n", tensor_type(DType::kInt64, {-1}));
  const auto split = [&](const char* type) {
    const Op& op = b.builder.append(kSplit, {x, n}, {std::string(type)});
    return run(op, {&joined[0], &lengths[0]}, 0);
  };
  EXPECT_EQ(b.builder.append(kSplit, {x, n}, {std::string("list of float64[2]")}).results[0]->type,
            list_of(tensor_type(DType::kFloat64, {2})));
  EXPECT_THAT(error_of([&] { b.builder.append(kSplit, {x, n}, {std::string("list of float32[2]")}); }).what(),
              HasSubstr("[list_split] type"));
  EXPECT_THAT(error_of([&] { b.builder.append(kSplit, {x, n}, {std::string("float64[2]")}); }).what(),
              HasSubstr("[list_split] type: expected a list of parts of float64[?], got float64[2]"));
  EXPECT_THAT(error_of([&] { split("list of float64[2]"); }).what(),
              HasSubstr("[list_split] lengths: expected parts of type float64[2], got float64[1]"));
}

// --- What gradients are made of.

TEST_F(ProgramLists, ZerosLike) {
  Slot a = list_slot({constant({1, 2}), constant({3})});
  EXPECT_EQ(rows(run(kZerosLikeList, {list}, {&a}, 0)[0]), (Rows{{0, 0}, {0}}));
  EXPECT_EQ(rows(a), (Rows{{1, 2}, {3}}));
  Slot one = slot(constant({5}));
  EXPECT_THAT(values(run(kZerosLikeList, {x}, {&one})[0].tensor), ElementsAre(0));
}

TEST_F(ProgramLists, SumsCountShorterOnesAsZeros) {
  Slot a = list_slot({constant({1})});
  Slot c = list_slot({constant({10}), constant({20})});
  Slot d = list_slot({constant({100}), constant({200}), constant({300})});
  EXPECT_EQ(rows(run(kAddLists, {list, list, list}, {&a, &c, &d}, 0)[0]),
            (Rows{{111}, {220}, {300}}));
  EXPECT_EQ(rows(a), (Rows{{1}}));
  EXPECT_EQ(rows(d), (Rows{{100}, {200}, {300}}));
  EXPECT_EQ(rows(run(kAddLists, {list, list, list}, {&a, &c, &d})[0]), (Rows{{111}, {220}, {300}}));
}

TEST_F(ProgramLists, SumsOfListsOfLists) {
  Slot inner = list_slot({constant({1})});
  Slot a;
  a.list = Ref<ListData>::adopt(new ListData);
  a.list->items = {inner, inner};
  Slot c = a;
  Value* nested = new_list(list_of(list_of(row)));
  const auto sum = run(kAddLists, {nested, nested}, {&a, &c});
  EXPECT_EQ(rows(sum[0].list->items[0]), (Rows{{2}}));
  EXPECT_EQ(rows(sum[0].list->items[1]), (Rows{{2}}));
  EXPECT_EQ(rows(inner), (Rows{{1}}));
}

TEST_F(ProgramLists, AddAtWritesIntoAnEntryThatNobodyElseHolds) {
  Slot a = list_slot({constant({1}), constant({2})});
  const std::byte* bytes = a.list->items[1].tensor.bytes();
  Slot at = slot(whole(1));
  Slot ten = slot(constant({10}));
  auto sum = run(kAddAt, {list, i, x}, {&a, &at, &ten}, 1);
  EXPECT_EQ(rows(sum[0]), (Rows{{1}, {12}}));
  EXPECT_EQ(sum[0].list->items[1].tensor.bytes(), bytes);
  const Tensor held = sum[0].list->items[1].tensor;
  const auto more = run(kAddAt, {list, i, x}, {&sum[0], &at, &ten}, 1);
  EXPECT_EQ(rows(more[0]), (Rows{{1}, {22}}));
  EXPECT_THAT(values(held), ElementsAre(12));
  Slot wide = slot(constant({1, 1}));
  Slot again = more[0];
  EXPECT_THAT(error_of([&] { run(kAddAt, {list, i, x}, {&again, &at, &wide}); }).what(),
              HasSubstr("[list_add_at] x: expected an entry of shape [1] and dtype float64, got "
                        "[2] and float64"));
}

TEST_F(ProgramLists, CutKeepsTheFirst) {
  Slot a = list_slot({constant({1}), constant({2})});
  Slot one = slot(whole(1));
  Slot three = slot(whole(3));
  const auto cut = run(kCut, {list, i}, {&a, &one}, 0);
  EXPECT_EQ(rows(cut[0]), (Rows{{1}}));
  EXPECT_EQ(rows(cut[1]), (Rows{{2}}));
  EXPECT_EQ(rows(a), (Rows{{1}, {2}}));
  EXPECT_THAT(error_of([&] { run(kCut, {list, i}, {&a, &three}); }).what(),
              HasSubstr("expected -2 to 2"));
}

TEST_F(ProgramLists, ExtendUndoesCut) {
  Slot a = list_slot({constant({1}), constant({2}), constant({3})});
  Slot one = slot(whole(1));
  auto cut = run(kCut, {list, i}, {&a, &one});
  const ListData* data = cut[0].list.get();
  const auto whole_again = run(kExtend, {list, list}, {&cut[0], &cut[1]});
  EXPECT_EQ(rows(whole_again[0]), (Rows{{1}, {2}, {3}}));
  EXPECT_EQ(whole_again[0].list.get(), data);
  Slot more = list_slot({constant({4})});
  Slot first = list_slot({constant({1})});
  EXPECT_EQ(rows(run(kExtend, {list, list}, {&first, &more}, 0)[0]), (Rows{{1}, {4}}));
  EXPECT_EQ(rows(more), (Rows{{4}}));
}

TEST_F(ProgramLists, ALongListIsFilledAndEmptiedInItsBuffer) {
  Slot a = list_slot({});
  const Op& push = b.builder.append(kPush, {list, x}, {});
  const Op& pop = b.builder.append(kPop, {list}, {});
  const ListData* data = a.list.get();
  for (int n = 0; n < 100000; ++n) {
    Slot element = slot(constant({1}));
    a = std::move(run(push, {&a, &element})[0]);
  }
  EXPECT_EQ(a.list->items.size(), 100000U);
  for (int n = 0; n < 100000; ++n) a = std::move(run(pop, {&a})[0]);
  EXPECT_EQ(a.list.get(), data);
  EXPECT_THAT(a.list->items, IsEmpty());
}

// --- Metadata and the rest.

TEST_F(ProgramLists, Metadata) {
  Slot matrix = slot(constant({2, 3}, {1, 2, 3, 4, 5, 6}));
  Value* m = b.input("m", tensor_type(DType::kFloat64, {-1, -1}));
  const auto found = [&](Value* value) {
    const Tensor out = run(*value->op, {&matrix})[0].tensor;
    const auto* first = out.data<std::int64_t>();
    return std::vector<std::int64_t>(first, first + out.numel());
  };
  EXPECT_THAT(found(shape(m).value()), ElementsAre(2, 3));
  EXPECT_THAT(found(numel(m).value()), ElementsAre(6));
  EXPECT_THAT(found(size(m, 1).value()), ElementsAre(3));
  Slot other = slot(constant({5, 3}, std::vector<double>(15)));
  const Values ms = {m, m};
  const Op& lengths = *sizes(ms, 0).value()->op;
  EXPECT_EQ(run(lengths, {&matrix, &other})[0].tensor.data<std::int64_t>()[1], 5);
}

TEST_F(ProgramLists, NumbersAsAttributes) {
  const Tensor half = scalar_tensor(0.5, DType::kFloat64);
  EXPECT_TRUE(equal(attribute_of(whole(3), "int"), std::int64_t{3}));
  EXPECT_TRUE(equal(attribute_of(whole(3), "float"), 3.0));
  EXPECT_TRUE(equal(attribute_of(whole(3), "scalar"), Scalar(3)));
  EXPECT_TRUE(equal(attribute_of(half, "scalar"), Scalar(0.5)));
  Tensor list_of_two = empty({2}, DType::kInt64);
  list_of_two.data<std::int64_t>()[0] = 4;
  list_of_two.data<std::int64_t>()[1] = 5;
  EXPECT_TRUE(equal(attribute_of(list_of_two, "shape"), std::vector<std::int64_t>{4, 5}));
}

TEST_F(ProgramLists, ArithmeticAndOperands) {
  const Op& half = b.builder.append(kArithmetic, {}, {std::string("/"), Scalar(1), Scalar(2)});
  EXPECT_EQ(*run(half, {})[0].tensor.data<double>(), 0.5);
  const Op& five = b.builder.append(kArithmetic, {}, {std::string("-"), Scalar(7), Scalar(2)});
  EXPECT_EQ(*run(five, {})[0].tensor.data<std::int64_t>(), 5);
  const Tensor weak = run(*operand(2.5)->op, {})[0].tensor;
  EXPECT_TRUE(weak.weak());
  EXPECT_EQ(*weak.data<double>(), 2.5);
}

TEST_F(ProgramLists, ShiftHandsTheNewValueOn) {
  Slot old = slot(constant({1}));
  Slot fresh = slot(constant({2}));
  EXPECT_THAT(values(run(kShift, {x, x}, {&old, &fresh})[0].tensor), ElementsAre(2));
}

TEST_F(ProgramLists, UndefinedValuesTakeNoMemory) {
  const Tensor big = run(*undefined(tensor_type(DType::kFloat64, {1000000, -1}))->op, {})[0].tensor;
  EXPECT_EQ(Dims(big.shape()), (Dims{1000000, 0}));
  const Tensor known =
      run(*undefined(tensor_type(DType::kFloat64, {1000, 1000}))->op, {})[0].tensor;
  EXPECT_EQ(Dims(known.strides()), (Dims{0, 0}));
  EXPECT_LT(known.impl()->storage->nbytes, 64U);
  EXPECT_TRUE(run(*undefined(list_of(row))->op, {})[0].list);
  EXPECT_EQ(run(*undefined(numbers_type(3))->op, {})[0].tensor.numel(), 3);
}

TEST_F(ProgramLists, SoleHolders) {
  const Tensor mine = constant({1, 2});
  EXPECT_TRUE(solely_held(mine));
  {
    const Tensor copy = mine;
    EXPECT_FALSE(solely_held(mine));
  }
  {
    const Tensor view = alias(mine, {1}, {1}, 0);
    EXPECT_FALSE(solely_held(mine));
  }
  EXPECT_TRUE(solely_held(mine));
  mine.impl()->storage->guard = Storage::kReadOnly;
  EXPECT_FALSE(solely_held(mine));
  mine.impl()->storage->guard = 0;
}

}  // namespace
}  // namespace oploom::program
