#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/cpp/program_recording.h"

// Straight-line recording: in-place ops, views, families, leaves, parameters (docs/inplace.md).
namespace oploom::program {
namespace {

using ::testing::DoubleNear;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using List = std::vector<double>;

// --- Cases (1) to (10).

TEST(ProgramRecord, GradientOfOnePartOfASplit) {
  Recorded b;
  const Variable x = b.input({3}, {1, 2, 3});
  const auto parts = b.recorder.call(toy_op("split"), {Argument(x)}, {std::vector<std::int64_t>{1, 1, 1}});
  EXPECT_EQ(b.values(b.grad(b.times(parts[0], 2), x)), (List{2, 0, 0}));
}

TEST(ProgramRecord, SecondOrderThroughAGradient) {
  Recorded b;
  const Variable x = b.scalar(3);
  const Variable g = b.grad(b.op("square", {x}), x);
  const Variable z = b.op("square", {b.op("subtract", {x, g})});
  EXPECT_EQ(b.value(g), 6);
  EXPECT_EQ(b.value(b.grad(z, x)), 6);
  Recorded c;
  const Variable x1 = c.scalar(1);
  const Variable y = c.op("square", {x1});
  const Variable dy = c.grad(y, x1);
  EXPECT_EQ(c.value(c.grad(c.add(c.op("square", {dy}), c.op("square", {y})), x1)), 12);
}

TEST(ProgramRecord, DummySeed) {
  Recorded b;
  const Variable x = b.scalar(1);
  const Variable u = b.scalar(1);
  const Variable g = b.recorder.grad({b.mul(x, x)}, {x}, {u})[0];
  EXPECT_EQ(b.value(b.recorder.grad({g}, {u}, {b.filled({}, 1)})[0]), 2);
}

TEST(ProgramRecord, SeveralTargets) {
  Recorded b;
  const Variable x = b.scalar(3);
  const Variable y = b.op("square", {x});
  EXPECT_EQ(b.value(b.recorder.grad({y, y}, {x})[0]), 12);
  const Variable z = b.op("square", {y});
  EXPECT_EQ(b.value(b.recorder.grad({z, y}, {x})[0]), 4 * 27 + 6);
  EXPECT_FALSE(b.grad(y, b.scalar(1)).defined());
  EXPECT_EQ(b.value(b.grad(x, x)), 1);
  const Variable again = b.grad(y, x);
  EXPECT_EQ(b.value(again), 6);
}

TEST(ProgramRecord, NoMoreGradientOpsThanNeeded) {
  Recorded b;
  const Variable x = b.input({2}, {1, 2});
  const Variable y = b.mean(b.add(b.op("tanh", {x}), b.op("tanh", {x})));
  const std::size_t before = b.program.main.ops.size();
  EXPECT_FALSE(b.recorder.grad({y}, {x}, {}, {x})[0].defined());
  EXPECT_EQ(b.program.main.ops.size(), before);
  const Variable seed = b.scalar(1, true);
  b.recorder.grad({y}, {x}, {seed});
  EXPECT_EQ(b.count("add"), 2U);
  EXPECT_EQ(b.count("ones"), 0U);
}

TEST(ProgramRecord, FlagClearedOnAResult) {
  Recorded b;
  const Variable x = b.input({2}, {1, -2}, true);
  const Variable y = b.op("relu", {x});
  y.set_stop_gradient(false);
  const Variable g = b.grad(b.mean(b.op("relu", {y})), y);
  EXPECT_EQ(b.count("relu_grad"), 1U);
  EXPECT_EQ(b.values(g), (List{0.5, 0}));
}

TEST(ProgramRecord, StoppedLaterStopsLaterReadersAlone) {
  Recorded b;
  const Variable x = b.scalar(3);
  const Variable t = b.times(x, 2);
  const Variable early = b.op("square", {t});
  t.set_stop_gradient(true);
  const Variable late = b.op("square", {t});
  EXPECT_EQ(b.value(b.grad(early, x)), 24);
  EXPECT_FALSE(b.grad(late, x).defined());
}

// --- Writes.

TEST(ProgramRecord, ReadersKeepTheOldValue) {  // case (40)
  for (const auto& [at, expected] : {std::pair{1.5, 14.0}, std::pair{-1.0, -8.0}}) {
    Recorded b;
    const Variable x = b.scalar(at);
    const Variable t = b.times(x, 2);
    const Variable u = b.mul(t, t);
    const Variable same = b.op("relu_", {t});
    EXPECT_EQ(same.handle(), t.handle());
    EXPECT_EQ(b.value(b.grad(b.add(u, t), x)), expected);
    EXPECT_TRUE(is_inplace_net(b.program));
    functionalize(b.program);
    EXPECT_FALSE(is_inplace_net(b.program));
  }
}

TEST(ProgramRecord, BufferIsRewritten) {  // case (41)
  Recorded b;
  const Variable x = b.scalar(3);
  const Variable first = b.scalar(7);
  const Variable buffer = b.op("clone", {first});
  const Index all{IndexItem::ellipsis()};
  b.op("set_item_", {buffer, x}, {all});
  const Variable y = b.mul(buffer, buffer);
  b.op("set_item_", {buffer, b.times(x, 2)}, {all});
  const Variable out = b.add(y, buffer);
  const auto g = b.recorder.grad({out}, {x, first});
  EXPECT_EQ(b.value(g[0]), 8);
  EXPECT_TRUE(!g[1].defined() || b.value(g[1]) == 0);
}

TEST(ProgramRecord, WriteIntoAViewReachesBaseAndViews) {
  Recorded b;
  const Variable x = b.input({4}, {1, 2, 3, 4});
  const Variable base = b.times(x, 1);
  const Variable head = b.part(base, 0, 2);
  const Variable middle = b.part(base, 1, 3);
  const Variable inner = b.item(middle, 0);  // base[1]
  b.op("square_", {head});
  EXPECT_EQ(b.values(base), (List{1, 4, 3, 4}));
  EXPECT_EQ(b.values(middle), (List{4, 3}));
  EXPECT_EQ(b.value(inner), 4);
  b.op("add_", {inner, b.number(10)});
  EXPECT_EQ(b.values(head), (List{1, 14}));
  EXPECT_EQ(b.values(base), (List{1, 14, 3, 4}));
  EXPECT_EQ(b.values(b.grad(b.sum(base), x)), (List{2, 4, 1, 1}));
}

TEST(ProgramRecord, WriteOfWhatNeedsGradMakesTheFamilyNeedIt) {
  Recorded b;
  const Variable w = b.scalar(5);
  const Variable base = b.filled({3}, 1);
  const Variable tail = b.part(base, 1, 3);
  const Variable before = b.part(base, 0, 1);
  b.op("multiply_", {tail, w});
  EXPECT_FALSE(base.stop_gradient());
  EXPECT_FALSE(base.is_leaf());
  EXPECT_FALSE(before.stop_gradient());
  EXPECT_EQ(b.value(b.grad(b.sum(base), w)), 2);
}

TEST(ProgramRecord, UnrecordedWriteLetsTheGradientThrough) {
  Recorded b;
  const Variable x = b.input({2}, {1, 2});
  const Variable y = b.times(x, 3);
  {
    const NoGrad no_grad;
    b.op("square_", {y});
  }
  EXPECT_EQ(b.values(y), (List{9, 36}));
  EXPECT_EQ(b.values(b.grad(b.sum(b.mul(y, y)), x)), (List{54, 216}));
}

TEST(ProgramRecord, DetachSharesTheMemoryAndNotTheHistory) {
  Recorded b;
  const Variable x = b.input({2}, {1, 2});
  const Variable y = b.times(x, 3);
  const Variable d = b.recorder.detach(y);
  EXPECT_TRUE(d.stop_gradient());
  b.op("add_", {d, b.number(1)});
  EXPECT_EQ(b.values(y), (List{4, 7}));
  b.op("add_", {y, b.number(1)});
  EXPECT_EQ(b.values(d), (List{5, 8}));
  EXPECT_FALSE(b.grad(b.sum(d), x).defined());
  EXPECT_EQ(b.values(b.grad(b.sum(y), x)), (List{3, 3}));
  const Variable leaf = b.recorder.detach(x);
  EXPECT_EQ(refused([&] { b.op("add_", {leaf, b.number(1)}); }), "");
  EXPECT_EQ(b.values(x), (List{2, 3}));
}

TEST(ProgramRecord, DetachKeepsAHistoryOfItsOwn) {
  Recorded b;
  const Variable w = b.scalar(2);
  const Variable y = b.filled({2}, 1);
  const Variable d = b.recorder.detach(y);
  b.op("multiply_", {d, w});
  b.op("add_", {y, b.number(1)});
  EXPECT_EQ(b.values(d), (List{3, 3}));
  EXPECT_EQ(b.value(b.grad(b.sum(d), w)), 2);
  EXPECT_FALSE(b.grad(b.sum(y), w).defined());
}

TEST(ProgramRecord, NewShapeInPlace) {  // E1a
  Recorded b;
  const Variable x = b.input({4}, {1, 2, 3, 4});
  const Variable base = b.times(x, 1);
  const Variable view = b.part(base, 0, 4);
  const Variable same = b.op("reshape_", {base}, {std::vector<std::int64_t>{2, 2}});
  EXPECT_EQ(same.handle(), base.handle());
  EXPECT_EQ(base.type().shape, Dims({2, 2}));
  EXPECT_EQ(view.type().shape, Dims({4}));
  b.op("square_", {base});
  EXPECT_EQ(b.values(view), (List{1, 4, 9, 16}));
  EXPECT_EQ(b.values(b.grad(b.sum(base), x)), (List{2, 4, 6, 8}));
}

TEST(ProgramRecord, ReshapeOfUnknownLengths) {
  Recorded b;
  const Variable x = b.recorder.input("u", tensor_type(DType::kFloat64, {-1, 2}), true);
  const Variable y = b.times(x, 2);
  const Variable flat = b.op("reshape", {y}, {std::vector<std::int64_t>{-1}});
  b.op("add_", {flat, b.number(1)});  // fresh results are contiguous: a view for sure
  b.feeds.push_back(test::constant({2, 2}, {1, 2, 3, 4}));
  EXPECT_EQ(b.values(y), (List{3, 5, 7, 9}));
  const Variable rows = b.part(y, 0, 1);
  const Variable open = b.op("reshape", {rows}, {std::vector<std::int64_t>{-1}});
  EXPECT_THAT(refused([&] { b.op("add_", {open, b.number(1)}); }), HasSubstr("clone()"));
  EXPECT_EQ(b.values(open), (List{3, 5}));
  b.op("add_", {y, b.number(1)});
  EXPECT_THAT(refused([&] { open.value(); }), HasSubstr("clone()"));
}

// --- Rules.

constexpr const char* kLeaf =
    "(InvalidArgument) Leaf Tensor (x1) that doesn't stop gradient can't use inplace strategy. [add_] x: ";

TEST(ProgramRecord, LeavesAreRefused) {  // C1 C2 C3
  Recorded b;
  const Variable x = b.input({2}, {1, 2});
  const Variable view = b.part(x, 0, 1);
  const std::size_t before = b.program.main.ops.size();
  EXPECT_EQ(refused([&] { b.recorder.call_inplace(toy_op("add_"), {Argument(x), Argument(view)}); }),
            std::string(kLeaf) + "it is the target, of shape [2]. Call it under no_grad(), set stop_gradient = True, "
                                 "or use the plain form.");
  EXPECT_THAT(refused([&] { b.recorder.call_inplace(toy_op("add_"), {Argument(view), Argument(view)}); }),
              HasSubstr(std::string(kLeaf) + "Tensor '%"));
  EXPECT_EQ(b.program.main.ops.size(), before);
  {
    const NoGrad no_grad;
    b.op("add_", {view, view});
    b.op("add_", {x, x});
  }
  EXPECT_EQ(b.values(x), (List{4, 4}));
  EXPECT_TRUE(x.is_leaf());
  EXPECT_THAT(refused([&] { b.recorder.call_inplace(toy_op("add_"), {Argument(x), Argument(x)}); }),
              HasSubstr("Leaf Tensor"));
  EXPECT_EQ(b.values(b.grad(b.sum(b.mul(x, x)), x)), (List{8, 8}));
  const Variable stopped = b.input({2}, {1, 2}, true);
  b.op("add_", {stopped, x});
  EXPECT_FALSE(stopped.is_leaf());
  EXPECT_EQ(test::values(b.feeds[1]), (List{1, 2}));
}

TEST(ProgramRecord, ViewsMadeUnderNoGrad) {  // C4
  Recorded b;
  const Variable x = b.input({2}, {1, 2});
  const Variable y = b.times(x, 2);
  Variable view;
  {
    const NoGrad no_grad;
    view = b.part(y, 0, 1);
  }
  EXPECT_TRUE(view.stop_gradient());
  EXPECT_THAT(refused([&] { b.op("add_", {view, b.number(1)}); }), HasSubstr("made under no_grad() of Tensor"));
  {
    const NoGrad no_grad;
    b.op("multiply_", {view, b.number(5)});
  }
  EXPECT_EQ(b.values(y), (List{10, 4}));
  EXPECT_EQ(b.values(b.grad(b.sum(y), x)), (List{2, 2}));
  Variable plain = b.filled({2}, 1);
  Variable of_plain;
  {
    const NoGrad no_grad;
    of_plain = b.part(plain, 0, 1);
  }
  EXPECT_EQ(refused([&] { b.op("add_", {of_plain, b.number(1)}); }), "");
  EXPECT_THAT(refused([&] { b.op("add_", {of_plain, b.part(x, 0, 1)}); }), HasSubstr("would be lost"));
}

TEST(ProgramRecord, ResultsThatDoNotFit) {  // C5 C6 C7
  Recorded b;
  const Variable x = b.filled({2}, 1);
  const std::size_t before = b.program.main.ops.size();
  const Variable wide = b.input({3, 2}, List(6, 1.0));
  EXPECT_EQ(refused([&] { b.op("add_", {x, wide}); }),
            "[add_] x: the result has shape [3, 2], which is not the shape [2] of the target; use the plain form, or "
            "expand the target first");
  EXPECT_EQ(b.program.main.ops.size(), before);
  const Variable i = b.whole(1);
  EXPECT_THAT(refused([&] { b.op("add_", {i, b.filled({}, 1)}); }), HasSubstr("does not fit a target of int64"));
  const Variable spread = b.op("expand", {x}, {std::vector<std::int64_t>{3, 2}});
  EXPECT_THAT(refused([&] { b.op("relu_", {spread}); }), HasSubstr("elements that share an address"));
  EXPECT_THAT(refused([&] { b.op("relu_", {b.number(1)}); }), HasSubstr("got a number"));
}

TEST(ProgramRecord, GradientOfAnEarlierValue) {
  Recorded b;
  const Variable x = b.scalar(3);
  const Variable t = b.times(x, 2);
  const Variable u = b.op("square", {t});
  b.op("tanh_", {t});
  EXPECT_THAT(refused([&] { b.grad(u, t); }), HasSubstr("which tanh_ replaced"));
  EXPECT_EQ(b.value(b.grad(b.add(u, t), t)), 1);
}

// --- Parameters.

TEST(ProgramRecord, ParametersAreWrittenByRuns) {
  Recorded b;
  const Tensor eager = test::leaf({2}, {1, 2});
  const Variable w = b.recorder.variable(eager);
  EXPECT_EQ(w.handle(), b.recorder.variable(eager).handle());
  const Variable loss = b.sum(b.mul(w, w));
  const auto pairs = b.recorder.append_backward(loss);
  ASSERT_EQ(pairs.size(), 1U);
  EXPECT_EQ(pairs[0].first.handle(), w.handle());
  EXPECT_THAT(refused([&] { b.op("add_", {w, w}); }), HasSubstr("Leaf Tensor"));
  b.op("sgd_", {w, pairs[0].second, b.number(0.25)});
  {
    const NoGrad no_grad;
    b.op("add_", {b.part(w, 0, 1), b.number(1)});
  }
  const auto version = eager.impl()->storage->version;
  EXPECT_EQ(b.value(loss), 5);
  EXPECT_EQ(test::values(eager), (List{1.5, 1}));
  EXPECT_EQ(eager.impl()->storage->version, version + 2);
}

TEST(ProgramRecord, ParametersOnOneMemory) {
  Recorded b;
  const Tensor eager = test::constant({1, 2});
  const Variable w = b.recorder.variable(eager);
  b.recorder.variable(detach(eager));
  EXPECT_THAT(refused([&] { b.op("relu_", {w}); }), HasSubstr("another parameter"));
}

TEST(ProgramRecord, HandlesOutliveTheRecorderAndPasses) {
  Program program;
  Variable base, view;
  {
    Recorder recorder(program);
    const Variable x = recorder.input("x", tensor_type(DType::kFloat64, {2}), true);
    base = recorder.call(toy_op("square"), {Argument(x)})[0];
    view = recorder.call(toy_op("slice"), {Argument(base)}, {Index{IndexItem::number(0)}})[0];
    recorder.call_inplace(toy_op("tanh_"), {Argument(base)});
  }
  clean_up(program);
  Value* const fetch[] = {view.value()};
  EXPECT_THAT(test::values(run(program, {{test::constant({0.5, 2})}}, fetch).fetched[0]),
              ElementsAre(DoubleNear(0.244918662403709, 1e-12)));
}

}  // namespace
}  // namespace oploom::program
