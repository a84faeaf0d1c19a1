#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <oploom/oploom.h>

#include <functional>
#include <string>
#include <vector>

#include "runtime/autograd/engine.h"
#include "tests/cpp/errors.h"
#include "tests/cpp/program_net.h"

// The rules of docs/inplace.md while a program is recorded, with the ops of the registry. What is
// refused is refused in the very words of eager mode: most tests make both raise and compare.
namespace oploom::program {
namespace {

using test::constant;
using test::error_of;
using test::leaf;
using ::testing::HasSubstr;
using ::testing::StartsWith;
using List = std::vector<double>;
using Lengths = std::vector<std::int64_t>;

Index from_to(std::int64_t start, std::int64_t stop) { return {IndexItem::slice(start, stop)}; }
Variable part(Net& b, const Variable& x, std::int64_t start, std::int64_t stop) {
  return b.op("slice", {x}, {from_to(start, stop)});
}
Tensor part(const Tensor& x, std::int64_t start, std::int64_t stop) {
  return imperative_slice(x, from_to(start, stop));
}

// Both raise the same error, and the program is as before.
void expect_alike(Net& b, const std::function<void()>& recorded,
                  const std::function<void()>& eager) {
  const std::string before = b.printed();
  const Error found = error_of(recorded);
  const Error expected = error_of(eager);
  EXPECT_EQ(found.kind(), expected.kind());
  EXPECT_STREQ(found.what(), expected.what());
  EXPECT_EQ(before, b.printed());
}
// So that messages name it as they name x.
Tensor named(Tensor tensor, const Variable& x) {
  tensor.set_name(x.name());
  return tensor;
}

TEST(ProgramRules, C1LeafIsRefused) {
  Net b;
  const Variable x = b.input({2}, {1, 2});
  const Variable one = b.number(1);
  Tensor w = named(leaf({1, 2}), x);
  expect_alike(b, [&] { b.op("add_", {x, one}); }, [&] { imperative_add_(w, 1); });
  expect_alike(b, [&] { b.op("relu_", {x}); }, [&] { imperative_relu_(w); });
  expect_alike(
      b, [&] { b.op("unsqueeze_", {x}, {Lengths{0}}); }, [&] { imperative_unsqueeze_(w, {0}); });
  const Tensor eager = leaf({1, 2});
  const Variable parameter = b.parameter(eager);
  Tensor same = named(leaf({1, 2}), parameter);
  expect_alike(b, [&] { b.op("exp_", {parameter}); }, [&] { imperative_exp_(same); });
}

TEST(ProgramRules, C2ViewOfLeafIsRefused) {
  Net b;
  const Variable x = b.input({2}, {1, 2});
  const Variable view = part(b, x, 0, 1);
  const Tensor w = named(leaf({1, 2}), x);
  Tensor same = named(part(w, 0, 1), view);
  expect_alike(b, [&] { b.op("relu_", {view}); }, [&] { imperative_relu_(same); });
  const Variable detached = b.recorder.detach(x);  // a family of its own
  b.op("relu_", {part(b, detached, 0, 1)});
  EXPECT_EQ(b.values(x), (List{1, 2}));
}

TEST(ProgramRules, C3NoGradAllowsBoth) {
  Net b;
  const Variable x = b.input({2}, {1, -2});
  const Variable view = part(b, x, 1, 2);
  {
    const NoGrad scope;
    b.op("scale_", {part(b, x, 0, 1)}, {Scalar(3.0)});
    b.op("relu_", {view});
  }
  EXPECT_EQ(b.values(x), (List{3, 0}));
  EXPECT_TRUE(x.is_leaf());
  EXPECT_FALSE(x.stop_gradient());
}

TEST(ProgramRules, C4ViewMadeUnderNoGrad) {
  Net b;
  const Variable x = b.op("scale", {b.input({2}, {1, 2})}, {Scalar(2.0)});
  Tensor y = named(imperative_scale(leaf({1, 2}), 2.0), x);
  Variable view;
  Tensor same;
  {
    const NoGrad scope;
    view = part(b, x, 0, 1);
    same = named(part(y, 0, 1), view);
  }
  EXPECT_TRUE(view.stop_gradient());
  EXPECT_TRUE(view.is_leaf());
  expect_alike(b, [&] { b.op("relu_", {view}); }, [&] { imperative_relu_(same); });
  const Variable inner = b.op("unsqueeze", {view}, {Lengths{0}});  // inherits it
  EXPECT_THAT(b.refusal("relu_", {inner}),
              HasSubstr("made under no_grad() of Tensor '" + x.name()));
}

TEST(ProgramRules, C5ShapeIsTheTargets) {
  Net b;
  const Variable x = b.filled({3}, 1);
  const Variable wide = b.input({2, 3}, List(6, 1.0));
  Tensor same = named(constant({1, 1, 1}), x);
  const Tensor other = constant({2, 3}, List(6, 1.0));
  expect_alike(b, [&] { b.op("add_", {x, wide}); }, [&] { imperative_add_(same, other); });
  const Variable row = b.filled({1, 3}, 1);  // rank counts, too
  Tensor same_row = imperative_full({1, 3}, 1.0);
  expect_alike(b, [&] { b.op("add_", {x, row}); }, [&] { imperative_add_(same, same_row); });
}

TEST(ProgramRules, C6ResultFitsTheDtype) {
  Net b;
  const Variable n = b.op("full", {}, {Lengths{2}, Scalar(std::int64_t{1}), DType::kInt64});
  Tensor same = named(imperative_full({2}, 1), n);
  const Variable half = b.number(1.5);
  expect_alike(b, [&] { b.op("add_", {n, half}); }, [&] { imperative_add_(same, 1.5); });
  const Variable truth = b.op("full", {}, {Lengths{2}, Scalar(true), DType::kBool});
  Tensor same_truth = named(imperative_full({2}, true), truth);
  expect_alike(b, [&] { b.op("add_", {truth, n}); }, [&] { imperative_add_(same_truth, same); });
}

TEST(ProgramRules, C6ReplacementTakesNewMemory) {
  Net b;
  const Variable w = b.input({2}, {1.5, 2.5});
  const Variable x = b.op("clone", {w});
  const Variable y = b.op("square", {x});
  const Variable same = b.op("cast_", {x}, {DType::kFloat32});
  EXPECT_EQ(same.handle(), x.handle());
  EXPECT_EQ(x.type(), tensor_type(DType::kFloat32, {2}));
  EXPECT_EQ(b.values(b.grad(b.op("sum", {y}), w)), (List{3, 5}));
  const Variable back = b.op("cast", {x}, {DType::kFloat64});
  EXPECT_EQ(b.values(b.grad(b.op("sum", {back}), w)), (List{1, 1}));
  {
    const NoGrad scope;  // the gradient passes through the cast
    b.op("cast_", {x}, {DType::kFloat64});
  }
  EXPECT_EQ(b.values(b.grad(b.op("sum", {x}), w)), (List{1, 1}));
  EXPECT_THAT(refused([&] { b.grad(b.op("sum", {y}), x); }),
              HasSubstr("earlier value of '" + x.name() + "', which cast_ replaced"));
}

TEST(ProgramRules, C6ComparisonsMakeALeaf) {
  Net b;
  const Variable x = b.op("clone", {b.input({2}, {1, 3})});
  b.op("less_than_", {x, b.number(2)});
  EXPECT_EQ(x.type(), tensor_type(DType::kBool, {2}));
  EXPECT_TRUE(x.stop_gradient());
  EXPECT_TRUE(x.is_leaf());
  EXPECT_EQ(b.values(b.op("cast", {x}, {DType::kFloat64})), (List{1, 0}));
}

TEST(ProgramRules, C6ReplacementIsRefusedWhereOthersSeeTheMemory) {
  Net b;
  const Variable base = b.filled({2}, 1);
  Tensor same = named(constant({1, 1}), base);
  {
    const Variable view = part(b, base, 0, 1);
    const Tensor same_view = part(same, 0, 1);
    expect_alike(
        b, [&] { b.op("cast_", {base}, {DType::kInt64}); },
        [&] { imperative_cast_(same, DType::kInt64); });
    Tensor of_same = named(same_view, view);
    expect_alike(
        b, [&] { b.op("cast_", {view}, {DType::kInt64}); },
        [&] { imperative_cast_(of_same, DType::kInt64); });
  }
  {
    const Variable other = b.recorder.detach(base);
    EXPECT_THAT(b.refusal("less_than_", {base, b.number(1)}), HasSubstr("shares its memory with"));
  }
  b.op("cast_", {base}, {DType::kInt64});  // once they are gone
  EXPECT_EQ(base.type().dtype, DType::kInt64);
  const Variable w = b.parameter(constant({1, 2}));
  EXPECT_THAT(b.refusal("cast_", {w}, {DType::kInt64}),
              HasSubstr("is a parameter of the program, so it keeps its shape and dtype"));
}

TEST(ProgramRules, C7OverlapIsRefused) {
  Net b;
  const Variable base = b.filled({2, 1}, 1);
  const Variable wide = b.op("expand", {base}, {Lengths{2, 3}});
  Tensor same = named(imperative_expand(constant({2, 1}, {1, 1}), {2, 3}), wide);
  expect_alike(b, [&] { b.op("relu_", {wide}); }, [&] { imperative_relu_(same); });
  // Lengths of 1 never count.
  b.op("scale_", {part(b, b.op("expand", {base}, {Lengths{2, 1}}), 0, 1)}, {Scalar(3.0)});
  EXPECT_EQ(b.values(base), (List{3, 1}));
}

TEST(ProgramRules, C8SharedInputsAreReadAsTheyWere) {
  Net b;
  const Variable w = b.input({4}, {1, 2, 3, 4});
  const Variable x = b.op("clone", {w});
  b.op("copy_", {part(b, x, 1, 4), part(b, x, 0, 3)});  // x[1:] = x[:-1]
  EXPECT_EQ(b.values(x), (List{1, 1, 2, 3}));
  EXPECT_EQ(b.values(b.grad(b.op("sum", {x}), w)), (List{2, 1, 1, 0}));
  b.op("multiply_", {x, x});
  EXPECT_EQ(b.values(b.grad(b.op("sum", {x}), w)), (List{4, 4, 6, 0}));

  const Variable a = b.op("clone", {b.input({2, 2}, {1, 2, 3, 4}, true)});
  b.op("add_", {a, b.op("transpose", {a}, {Lengths{1, 0}})});  // a += a.T
  EXPECT_EQ(b.values(a), (List{2, 5, 5, 8}));
  const IndexItem all = IndexItem::slice(IndexItem::kNone, IndexItem::kNone);
  b.op("subtract_",
       {a, b.op("slice", {a}, {Index{all, IndexItem::slice(0, 1)}})});  // a -= a[:, :1]
  EXPECT_EQ(b.values(a), (List{0, 3, 0, 3}));
}

TEST(ProgramRules, C8AnIndexThatIsWritten) {  // idx[idx] = v
  Net b;
  const Variable index = b.op("cast", {b.input({3}, {2, 0, 1}, true)}, {DType::kInt64});
  const Variable v = b.op("cast", {b.input({3}, {5, 6, 7}, true)}, {DType::kInt64});
  b.all("index_put_", {index, Variables{index}, v});
  EXPECT_EQ(b.values(b.op("cast", {index}, {DType::kFloat64})), (List{6, 7, 5}));
}

TEST(ProgramRules, C9SeveralTargets) {
  const List data = {1, 2, 3, 4};
  const auto attributes = [] { return std::vector<Attribute>{0.9}; };
  Net b;
  const Variable buffer = b.op("clone", {b.input({4}, data, true)});
  const Variable velocity = part(b, buffer, 2, 4);
  const Variable grad = b.input({2}, {1, -1}, true);
  const Variable half = b.number(0.5);
  Tensor same = constant(data);
  const Tensor same_grad = constant({1, -1});
  Tensor absent;
  {
    const Variable crossing = part(b, buffer, 1, 3);
    Tensor same_crossing = named(part(same, 1, 3), crossing);
    Tensor same_velocity = named(part(same, 2, 4), velocity);
    expect_alike(
        b, [&] { b.all("momentum_", {crossing, grad, velocity, half, {}}, attributes()); },
        [&] {
          imperative_momentum_(same_crossing, same_grad, same_velocity, 0.5, absent, {.mu = 0.9});
        });
    expect_alike(
        b, [&] { b.all("momentum_", {velocity, grad, velocity, half, {}}, attributes()); },
        [&] {
          imperative_momentum_(same_velocity, same_grad, same_velocity, 0.5, absent, {.mu = 0.9});
        });
  }
  const Variable param = part(b, buffer, 0, 2);  // disjoint views of one buffer
  const Variables results =
      b.all("momentum_", {param, grad, velocity, b.number(0.5), {}}, attributes());
  EXPECT_EQ(results[0].handle(), param.handle());
  EXPECT_EQ(results[1].handle(), velocity.handle());
  EXPECT_FALSE(results[2].defined());
  Tensor same_param = part(same, 0, 2);
  Tensor same_velocity = part(same, 2, 4);
  imperative_momentum_(same_param, same_grad, same_velocity, 0.5, absent, {.mu = 0.9});
  EXPECT_EQ(b.values(buffer), test::values(same));
}

TEST(ProgramRules, C9OneBumpForEachStorage) {
  Net b;
  const Tensor buffer = constant({1, 2, 3, 4});
  const Tensor alone = constant({1, 2});
  const Variable w = b.parameter(buffer);
  const Variable grad = b.input({2}, {1, -1}, true);
  b.all("momentum_", {part(b, w, 0, 2), grad, part(b, w, 2, 4), b.number(0.5), {}}, {0.9});
  b.all("momentum_", {b.parameter(alone), grad, part(b, w, 2, 4), b.number(0.5), {}}, {0.9});
  b.values(grad);
  EXPECT_EQ(buffer.inplace_version(), 2U);
  EXPECT_EQ(alone.inplace_version(), 1U);
}

TEST(ProgramRules, C10ReadOnlyMemoryIsRefused) {
  Net b;
  const Tensor eager = constant({1, 2});
  eager.impl()->storage->guard |= Storage::kReadOnly;
  const Variable w = b.parameter(eager);
  Tensor same = eager;
  expect_alike(b, [&] { b.op("relu_", {w}); }, [&] { imperative_relu_(same); });
  const Variable view = part(b, w, 0, 1);
  EXPECT_THAT(b.refusal("relu_", {view}),
              HasSubstr("lies in read-only memory taken in without a copy"));
  b.op("relu_", {b.op("clone", {w})});
}

TEST(ProgramRules, C11UpdatesWriteLeaves) {
  Net b;
  const Tensor eager = leaf({1, 2});
  const Variable w = b.parameter(eager);
  const Variable loss = b.op("sum", {b.op("square", {w})});
  const Variable g = b.grad(loss, w);
  b.all("sgd_", {w, b.number(0.25), g, {}});
  EXPECT_TRUE(w.is_leaf());
  EXPECT_EQ(b.value(loss), 5);
  EXPECT_EQ(test::values(eager), (List{0.5, 1}));
  EXPECT_EQ(eager.inplace_version(), 1U);
}

TEST(ProgramRules, NumbersAndArraysAreNoTargets) {
  Net b;
  EXPECT_EQ(b.refusal("relu_", {b.number(1)}),
            "[relu_] x: expected a tensor to write into, got a number");
  EXPECT_EQ(b.refusal("relu_", {b.recorder.array()}),
            "[relu_] x: expected a tensor to write into, got a list");
}

// --- What a call does.

TEST(ProgramRules, E1aOnlyTheMapOfTheTargetChanges) {
  Net b;
  const Variable w = b.input({2}, {1, 2});
  const Variable x = b.op("clone", {w});
  const Variable view = b.op("unsqueeze", {x}, {Lengths{0}});
  {
    const NoGrad scope;
    b.op("squeeze_", {view}, {Lengths{0}});
  }
  EXPECT_EQ(view.type().shape, Dims({2}));
  b.op("unsqueeze_", {x}, {Lengths{1}});
  EXPECT_EQ(view.type().shape, Dims({2}));
  EXPECT_EQ(x.type().shape, Dims({2, 1}));
  EXPECT_EQ(b.values(b.grad(b.op("sum", {b.op("scale", {view}, {Scalar(3.0)})}), w)), (List{3, 3}));
  b.op("square_", {view});
  EXPECT_EQ(b.values(x), (List{1, 4}));
}

TEST(ProgramRules, E1aALayoutThatCannotSayIt) {  // as C6: new memory, refused where it is shared
  Net b;
  const Variable base = b.op("clone", {b.input({2, 2}, {1, 2, 3, 4}, true)});
  const Variable turned = b.op("transpose", {base}, {Lengths{1, 0}});
  Tensor same = imperative_transpose(constant({2, 2}, {1, 2, 3, 4}), {1, 0});
  const Tensor hold = same;
  Tensor named_same = named(same, turned);
  const Tensor keep = part(named_same, 0, 1);
  expect_alike(
      b, [&] { b.op("reshape_", {turned}, {Lengths{4}}); },
      [&] { imperative_reshape_(named_same, {4}); });
}

TEST(ProgramRules, E3AllFourCombinationsOfFlags) {
  for (const bool x_stops : {true, false}) {
    for (const bool y_stops : {true, false}) {
      Net b;
      const Variable given = b.input({2}, {1, 2}, x_stops);
      const Variable y = b.input({2}, {3, 4}, y_stops);
      const Variable x = b.op("clone", {given});
      const Variable view = part(b, x, 0, 1);
      b.op("multiply_", {x, y});
      EXPECT_EQ(x.stop_gradient(), x_stops && y_stops);
      EXPECT_EQ(x.is_leaf(), x_stops && y_stops);
      EXPECT_EQ(view.stop_gradient(), x.stop_gradient());
      const Variables g = b.recorder.grad({b.op("sum", {x})}, {given, y});
      EXPECT_EQ(g[0].defined(), !x_stops);
      EXPECT_EQ(g[1].defined(), !y_stops);
      if (!x_stops) {
        EXPECT_EQ(b.values(g[0]), (List{3, 4}));
      }
      if (!y_stops) {
        EXPECT_EQ(b.values(g[1]), (List{1, 2}));
      }
    }
  }
}

TEST(ProgramRules, E3ZeroGradientEndsTheHistory) {
  Net b;
  const Variable w = b.input({3}, {1, 2, 3});
  for (const char* name : {"floor_", "fill_", "normal_"}) {
    const Variable x = b.op("clone", {w});
    b.op(name, {x});
    const Variable g = b.grad(b.op("sum", {b.op("square", {x})}), w);
    if (g.defined()) {
      EXPECT_EQ(b.values(g), (List{0, 0, 0})) << name;
    }
  }
}

TEST(ProgramRules, E5PartsOfASplitAreWritten) {
  Net b;
  const Variable w = b.input({4}, {1, 2, 3, 4});
  const Variable x = b.op("clone", {w});
  const Variables parts = b.all("split", {x}, {Lengths{1, 3}});
  b.op("square_", {parts[1]});
  b.op("square_", {part(b, parts[1], 0, 1)});
  EXPECT_EQ(b.values(x), (List{1, 16, 9, 16}));
  EXPECT_EQ(b.values(parts[0]), (List{1}));
  EXPECT_EQ(b.values(b.grad(b.op("sum", {x}), w)), (List{1, 4 * 8, 6, 8}));
  EXPECT_THAT(refused([&] { b.op("square_", {b.all("split", {w}, {Lengths{1, 3}})[0]}); }),
              HasSubstr("is a view of it"));
}

// What the recorder takes for granted of the registry.
TEST(ProgramRules, E5EveryViewOpSaysHowItIsWritten) {
  for (const OpDef* def : all_ops()) {
    const bool view = (def->flags & (OpDef::kView | OpDef::kViewMayCopy)) != 0;
    if (view && def->compose == nullptr) {
      EXPECT_NE(def->write, nullptr) << def->name;
    }
    if (def->compose != nullptr) {
      EXPECT_TRUE(def->inplace_pairs.empty()) << def->name << ": its parts would be several writes";
    }
  }
}

TEST(ProgramRules, E5ZeroIsAssigned) {  // not multiplied: 0 * inf is NaN
  Net b;
  const Variable v = b.input({2}, {1, 2});
  const Variable x = b.op("clone", {v});
  b.op("set_item_", {x, b.number(5)}, {Index{IndexItem::number(0)}});
  const Variable seed = b.input({2}, {std::numeric_limits<double>::infinity(), 1}, true);
  EXPECT_EQ(b.values(b.recorder.grad({x}, {v}, {seed})[0]), (List{0, 1}));
}

TEST(ProgramRules, E6WritesByIndex) {
  Net b;
  const Variable w = b.input({4}, {1, 2, 3, 4});
  const Variable v = b.input({2}, {10, 20});
  const Variable x = b.op("clone", {w});
  b.op("set_item_", {x, v}, {Index{IndexItem::slice(0, 4, 2)}});
  EXPECT_EQ(b.values(x), (List{10, 2, 20, 4}));
  const Variables g = b.recorder.grad({b.op("sum", {b.op("square", {x})})}, {w, v});
  EXPECT_EQ(b.values(g[0]), (List{0, 4, 0, 8}));
  EXPECT_EQ(b.values(g[1]), (List{20, 40}));
}

TEST(ProgramRules, E6WritesByIndexArraysAndMasks) {
  Net b;
  const Variable w = b.input({4}, {1, 2, 3, 4});
  const Variable v = b.input({3}, {10, 20, 30});
  const Variable x = b.op("clone", {w});
  const Variable tail = part(b, x, 1, 4);
  const Variable index = b.op("cast", {b.input({3}, {2, 0, 2}, true)}, {DType::kInt64});
  b.all("index_put_", {tail, Variables{index}, v});  // the last of two values wins
  EXPECT_EQ(b.values(x), (List{1, 20, 3, 30}));
  const Variables g = b.recorder.grad({b.op("sum", {b.op("square", {x})})}, {w, v});
  EXPECT_EQ(b.values(g[0]), (List{2, 0, 6, 0}));
  EXPECT_EQ(b.values(g[1]), (List{0, 40, 60}));
  // A mask chooses between the value and what was there.
  const Variable mask = b.op("less_than", {x, b.number(10)});
  const Variable y = b.op("clone", {x});
  b.op("copy_", {y, b.op("where", {mask, b.number(7), y})});
  EXPECT_EQ(b.values(y), (List{7, 20, 7, 30}));
  const Variable h = b.grad(b.op("sum", {b.op("square", {y})}), v);
  EXPECT_EQ(b.values(h), (List{0, 40, 60}));
}

TEST(ProgramRules, E7TheGradientGoesStraightThrough) {
  Net b;
  const Variable w = b.input({2}, {1, 2});
  const Variable x = b.op("scale", {w}, {Scalar(3.0)});
  const Variable outside = b.recorder.detach(x);
  b.op("fill_", {outside}, {Scalar(5.0)});
  EXPECT_EQ(b.values(b.grad(b.op("sum", {b.op("square", {x})}), w)), (List{30, 30}));
}

// --- Rule E7 for what a gradient is asked of: no number that was not recorded ends a history, so
// the gradient of a tensor counts readers before and after. Eager mode gives the expected numbers.

// What eager mode answers for the same steps.
TEST(ProgramRules, E7ALeafIsOneLeafBeforeAndAfter) {
  const auto steps = [](auto&& square, auto&& scale, auto&& add, auto&& x) {
    auto before = square(x);
    {
      const NoGrad scope;
      add(x);
    }
    return std::pair(before, scale(square(x)));
  };
  Net b;
  const Variable x = b.input({2}, {1, 2});
  const auto [first, second] =
      steps([&](const Variable& v) { return b.op("square", {v}); },
            [&](const Variable& v) { return b.op("scale", {v}, {Scalar(10.0)}); },
            [&](const Variable& v) { b.op("add_", {v, b.number(1)}); }, x);
  const Variable g = b.grad(b.op("sum", {b.op("add", {first, second})}), x);
  EXPECT_EQ(b.values(g), (List{2 + 40, 4 + 60}));
  EXPECT_EQ(b.values(b.grad(b.op("sum", {first}), x)), (List{2, 4}));
  EXPECT_EQ(b.values(b.grad(b.op("sum", {second}), x)), (List{40, 60}));
  EXPECT_FALSE(b.recorder.grad({b.op("sum", {first})}, {x}, {}, {x})[0].defined());

  const Tensor w = leaf({1, 2});
  Tensor twin = w;
  const Tensor kept =
      imperative_scale(w, 2.0);  // keeps nothing, so eager mode has no version error
  {
    const NoGrad scope;
    imperative_add_(twin, 1);
  }
  backward(imperative_sum(imperative_add(kept, imperative_square(w))));
  EXPECT_EQ(test::gradient(w), (List{2 + 4, 2 + 6}));
}

TEST(ProgramRules, E7AViewIsOneViewBeforeAndAfter) {
  Net b;
  const Variable w = b.input({3}, {1, 2, 3});
  const Variable x = b.op("scale", {w}, {Scalar(1.0)});
  const Variable view = part(b, x, 0, 2);
  const Variable before = b.op("scale", {view}, {Scalar(5.0)});
  {
    const NoGrad scope;
    b.op("add_", {x, b.number(1)});
  }
  const Variable after = b.op("square", {view});
  const Variable total = b.op("sum", {b.op("add", {before, after})});
  EXPECT_EQ(b.values(b.grad(total, view)), (List{5 + 4, 5 + 6}));
  EXPECT_EQ(b.values(b.grad(total, w)), (List{5 + 4, 5 + 6, 0}));

  const Tensor leaf_w = leaf({1, 2, 3});
  Tensor same = imperative_scale(leaf_w, 1.0);
  const Tensor same_view = part(same, 0, 2);
  const Tensor same_before = imperative_scale(same_view, 5.0);
  {
    const NoGrad scope;
    imperative_add_(same, 1);
  }
  const Tensor loss = imperative_sum(imperative_add(same_before, imperative_square(same_view)));
  EXPECT_EQ(test::values(grad({&loss, 1}, {&same_view, 1})[0]), (List{9, 11}));
}

TEST(ProgramRules, E7ARecordedWriteEndsTheHistory) {
  Net b;
  const Variable w = b.input({2}, {1, 2});
  const Variable x = b.op("clone", {w});
  const Variable before = b.op("square", {x});
  b.op("exp_", {x});
  const Variable between = b.op("scale", {x}, {Scalar(3.0)});
  {
    const NoGrad scope;
    b.op("fill_", {x}, {Scalar(7.0)});
  }
  const Variable after = b.op("square", {x});
  const Variable total = b.op("sum", {b.op("add", {before, b.op("add", {between, after})})});
  EXPECT_EQ(b.values(b.grad(total, x)), (List{3 + 14, 3 + 14}));
  EXPECT_EQ(
      refused([&] { b.grad(b.op("sum", {before}), x); }),
      "[grad] inputs[0]: expected a value that the outputs depend on, but they depend only on an "
      "earlier value of '" +
          x.name() +
          "', which exp_ replaced; ask for the gradient before that "
          "call, or use its plain form");
}

TEST(ProgramRules, E7InBranchesAndLoops) {
  Net b;
  const Variable x = b.input({}, {2});
  const Variable before = b.op("scale", {x}, {Scalar(5.0)});
  const Variable pred = b.op("less_than", {x, b.number(9)});
  const auto raise_it = [&] {
    const NoGrad scope;
    b.op("add_", {x, b.number(1)});
  };
  b.recorder.cond(pred, [&] { return raise_it(), Variables{}; }, [] { return Variables{}; });
  EXPECT_TRUE(x.is_leaf());
  const auto sums = b.repeat(3, {b.filled({}, 0)}, [&](const Variables& v) {
    const Variable next = b.op("add", {v[0], b.op("square", {x})});  // 9, 16, 25
    raise_it();
    return Variables{next};
  });
  EXPECT_TRUE(x.is_leaf());
  EXPECT_EQ(b.value(sums[0]), 50);
  EXPECT_EQ(b.value(x), 6);
  const Variable total = b.op("add", {before, b.op("add", {sums[0], b.op("square", {x})})});
  EXPECT_EQ(b.value(b.grad(total, x)), 5 + 2 * (3 + 4 + 5) + 2 * 6);
}

TEST(ProgramRules, E7AViewInALoopThatWritesItsBase) {
  for (const bool recorded : {false, true}) {
    Net b;
    const Variable w = b.input({2}, {1, 2});
    const Variable x = b.op("clone", {w});
    const Variable view = part(b, x, 0, 1);
    const auto sums = b.repeat(3, {b.filled({1}, 0)}, [&](const Variables& v) {
      const Variable next = b.op("add", {v[0], view});
      const GradMode mode(recorded);
      b.op("scale_", {x}, {Scalar(2.0)});
      return Variables{next};
    });
    EXPECT_EQ(b.values(sums[0]), (List{1 + 2 + 4}));
    // Unrecorded, every trip's view is one; recorded, each trip's is twice that of the one before.
    EXPECT_EQ(b.values(b.grad(sums[0], w)), (recorded ? List{7, 0} : List{3, 0}));
    if (!recorded) {
      EXPECT_EQ(b.values(b.grad(sums[0], view)), (List{3}));
    }
    if (recorded) {
      EXPECT_THAT(refused([&] { b.grad(sums[0], view); }), HasSubstr("which scale_ replaced"));
    }
  }
}

TEST(ProgramRules, StopGradientSetAndClearedKeepsTheLeaf) {
  Net b;
  const Variable x = b.input({1}, {3});
  const Variable first = b.op("square", {x});
  x.set_stop_gradient(true);
  const Variable second = b.op("scale", {x}, {Scalar(2.0)});
  x.set_stop_gradient(false);
  const Variable third = b.op("scale", {x}, {Scalar(5.0)});
  EXPECT_TRUE(x.is_leaf());
  const Variable total = b.op("add", {first, b.op("add", {second, third})});
  EXPECT_EQ(b.values(b.grad(total, x)), (List{6 + 5}));
}

}  // namespace
}  // namespace oploom::program
