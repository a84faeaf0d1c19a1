#include "runtime/program/interpreter.h"

#include <algorithm>
#include <atomic>
#include <new>
#include <string>
#include <utility>

#include "runtime/core/blocking.h"
#include "runtime/core/data_bytes.h"
#include "runtime/core/error.h"
#include "runtime/core/prepare.h"
#include "runtime/core/thread_state.h"
#include "runtime/kernels/generator.h"
#include "runtime/program/control_run.h"
#include "runtime/program/effects.h"
#include "runtime/program/feeds.h"
#include "runtime/program/late.h"
#include "runtime/program/plan.h"
#include "runtime/program/text.h"

namespace oploom::program {
namespace {

std::uint64_t mixed(std::uint64_t x) {  // splitmix64
  x += 0x9e3779b97f4a7c15;
  x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9;
  x = (x ^ x >> 27) * 0x94d049bb133111eb;
  return x ^ x >> 31;
}

// Apart from the loop over steps, which it would take registers from.
[[gnu::cold, gnu::noinline]] void drop_list(Slot& slot) { slot.list = nullptr; }

void empty_slot(Slot& slot) {
  slot.tensor = Tensor();
  if (slot.list) [[unlikely]]
    drop_list(slot);
}

// A tensor that has x's shape and dtype and no memory to speak of: for those who ask for the shape
// of what was overwritten.
Tensor shape_alone(const Tensor& x) {
  const Tensor one = empty({}, x.dtype());
  return alias(one, x.shape(), Dims::filled(x.rank(), 0), 0);
}

// How often a loop asks whether the user wants it to stop.
constexpr std::uint64_t kTripsBetweenChecks = 1024;

// One run: walks a plan. Regions nest on the machine's stack, trips of a loop do not.
class Runner {
 public:
  Runner(Plan& plan, std::uint64_t run_count)
      : plan_(plan), slots_(plan.slots.data()), run_(mixed(run_count)) {}

  void run(std::size_t first, std::size_t last) {
    locate_errors([&] {
      if (first == 0) free_first(plan_.main);
      steps(std::span(plan_.main.steps).subspan(first, last - first));
    });
  }

  void check(std::size_t first) {
    locate_errors([&] {
      for (const Step& step : std::span(plan_.main.steps).subspan(first)) {
        at_ = &step;
        if (step.op->def->check != nullptr) step.op->def->check(*step.frame);
      }
    });
  }

 private:
  template <typename F>
  void locate_errors(F&& f) {
    try {
      f();
    } catch (const Error& error) {
      throw Error(error.kind(), located(error.what()));
    } catch (const std::bad_alloc&) {
      throw Error(ErrorKind::kMemory, located("out of memory"));
    }
  }

  void block(const Block& block) {
    free_first(block);
    steps(block.steps);
  }

  void free_first(const Block& block) {
    for (const std::uint32_t s : block.free_first) empty_slot(slots_[s]);
  }

  void steps(std::span<const Step> steps) {
    for (const Step& step : steps) {
      at_ = &step;
      if (step.special == 0) [[likely]] {
        step.run(*step.frame);
      } else if (step.special == Step::kInplace) {
        inplace(step);
      } else {
        special(step);
      }
      Slot* const* const end = step.frees + step.free_count;
      for (Slot* const* slot = step.frees; slot != end; ++slot) empty_slot(**slot);
    }
  }

  void inplace(const Step& step) {
    const Rare& rare = *plan_.rare[step.rare];
    RunFrame& frame = *step.frame;
    frame.inplace = may_write(rare, frame);
    step.run(frame);
    if (frame.inplace) hand_over(*frame.inputs[rare.written[0]], *frame.outputs[0]);
  }

  // Lets go of what became an output; where both counts are ours without an atomic subtraction.
  static void hand_over(Slot& from, const Slot& to) {
    TensorImpl* impl = from.tensor.impl();
    if (impl == nullptr || to.tensor.impl() != impl) return;
    if (impl->count.load(std::memory_order_acquire) != 2) return;
    from.tensor.release();
    impl->count.store(1, std::memory_order_relaxed);
  }

  [[gnu::noinline]] void special(const Step& step) {
    if ((step.special & Step::kIf) != 0) return branch(*plan_.branches[step.rare]);
    if ((step.special & Step::kWhile) != 0) return loop(*plan_.loops[step.rare], *step.op);
    RunFrame& frame = *step.frame;
    // Made before, for the op may take what it reads last.
    const std::vector<Tensor> ghosts = ghosts_of(step);
    if ((step.special & Step::kPatched) != 0) patch(*plan_.rare[step.rare], *step.op);
    if ((step.special & Step::kInplace) != 0)
      frame.inplace = may_write(*plan_.rare[step.rare], frame);
    if ((step.special & Step::kRandom) != 0) {
      frame.random_key = mixed(mixed(run_ ^ step.op->number) ^ path_);
      const kernels::KeyedDraws draws(frame.random_key);
      step.run(frame);
    } else {
      step.run(frame);
    }
    if ((step.special & Step::kLists) != 0) frame.gathered.clear();
    for (std::size_t i = 0; i < ghosts.size(); ++i) {
      if (ghosts[i].defined()) slots_[plan_.rare[step.rare]->ghosts[i]].tensor = ghosts[i];
    }
  }

  std::vector<Tensor> ghosts_of(const Step& step) const {
    std::vector<Tensor> ghosts;
    if ((step.special & Step::kGhosts) == 0) return ghosts;
    for (const std::uint32_t s : plan_.rare[step.rare]->ghosts) {
      const Tensor& x = slots_[s].tensor;
      ghosts.push_back(x.defined() ? shape_alone(x) : Tensor());
    }
    return ghosts;
  }

  void patch(Rare& rare, const Op& op) {
    for (const auto& [i, s] : rare.patch) {
      rare.attributes[i] = attribute_of(slots_[s].tensor, op.def->attributes[i].type);
      expect_known(op, i, rare.attributes[i]);
    }
  }

  static bool may_write(const Rare& rare, const RunFrame& frame) {
    return std::all_of(rare.written.begin(), rare.written.end(), [&frame](std::uint32_t flat) {
      const Tensor& x = frame.inputs[flat]->tensor;
      return x.contiguous() && !x.weak() && solely_held(x);
    });
  }

  // --- Values handed on.

  Slot handed(const Move& move) {
    Slot& from = slots_[move.from];
    return move.last ? std::exchange(from, Slot()) : from;
  }
  void hand_on(const std::vector<Move>& moves) {
    for (const Move& move : moves) slots_[move.to] = handed(move);
  }
  // All at once: one variable may become another.
  void hand_on_together(const std::vector<Move>& moves) {
    if (moves.size() == 1) return hand_on(moves);
    std::vector<Slot> values = std::exchange(spare_, {});
    for (const Move& move : moves) values.push_back(handed(move));
    for (std::size_t i = 0; i < moves.size(); ++i) slots_[moves[i].to] = std::move(values[i]);
    values.clear();
    spare_ = std::move(values);
  }

  bool truth(std::uint32_t s, bool last) {
    const bool found = *slots_[s].tensor.data<bool>();
    if (last) empty_slot(slots_[s]);
    return found;
  }

  // --- Regions.

  void branch(const Branches& branches) {
    const std::size_t side = truth(branches.condition, branches.condition_dies) ? 0 : 1;
    block(branches.blocks[side]);
    hand_on(branches.results[side]);
  }

  void loop(const Loop& loop, const Op& op) {
    hand_on_together(loop.inits);
    const std::uint64_t path = path_;
    for (std::uint64_t trip = 0;; ++trip) {
      path_ = mixed(mixed(path ^ op.number) + trip);
      if (trip % kTripsBetweenChecks == kTripsBetweenChecks - 1 && lock_hooks.check != nullptr) {
        lock_hooks.check();
      }
      block(loop.condition);
      if (!truth(loop.tested, loop.tested_dies)) break;
      block(loop.body);
      hand_on_together(loop.next);
    }
    path_ = path;
    hand_on(loop.results);
    for (const std::uint32_t s : loop.unread) empty_slot(slots_[s]);
  }

  std::string located(std::string message) const {
    const std::string name = text("[", shown_name(*at_->op), "]");
    if (!message.starts_with('[')) message = name + " " + message;
    const std::string& position = at_->op->position;
    if (position.empty() || position == "C++" || message.find(position) != std::string::npos)
      return message;
    return text(message, " (recorded at ", position, ")");
  }

  Plan& plan_;
  Slot* slots_;
  std::uint64_t run_;
  std::uint64_t path_ = 0;  // which trip of which loops
  const Step* at_ = nullptr;
  std::vector<Slot> spare_;
};

// The thread's peak of data bytes, from here on; the outer one is as it was afterwards.
class Peak {
 public:
  Peak() : start_(thread_data_bytes.live), before_(std::exchange(thread_data_bytes.peak, start_)) {}
  ~Peak() { thread_data_bytes.peak = std::max(before_, thread_data_bytes.peak); }
  Peak(const Peak&) = delete;
  Peak& operator=(const Peak&) = delete;
  std::int64_t bytes() const { return thread_data_bytes.peak - start_; }

 private:
  std::int64_t start_;
  std::int64_t before_;
};

// A plan out of the cache for one run; goes back empty.
class Borrowed {
 public:
  Borrowed(Program& program, std::span<Value* const> roots) {
    if (!program.plans) program.plans = std::make_shared<PlanCache>();
    cache_ = program.plans;
    entry_ = cache_->take(program, roots);
  }
  ~Borrowed() {
    if (!finished) entry_.plan->clear_slots();
    cache_->give_back(std::move(entry_));
  }
  Borrowed(const Borrowed&) = delete;
  Borrowed& operator=(const Borrowed&) = delete;
  Plan& plan() { return *entry_.plan; }
  bool finished = false;

 private:
  std::shared_ptr<PlanCache> cache_;
  PlanCache::Entry entry_;
};

// A result is the caller's own: no feed, parameter or other result sees its bytes.
Tensor own(Tensor x) {
  if (x.contiguous() && solely_held(x)) return x;
  return copied(x);
}

}  // namespace

void run_steps(Plan& plan, std::size_t first, std::size_t last, std::uint64_t run_number) {
  Runner(plan, run_number).run(first, last);
}

void check_steps(Plan& plan, std::size_t first) { Runner(plan, 0).check(first); }

RunResult run(Program& program, std::span<const Tensor> feeds, std::span<Value* const> fetch) {
  check_feeds(program, feeds);
  check_fetch(program, fetch);
  const NoGrad no_grad;
  const Peak peak;
  const std::int64_t entries_before = list_entries_handled;
  const std::vector<Value*> roots = roots_of(program, fetch);
  Borrowed borrowed(program, roots);
  Plan& plan = borrowed.plan();
  fill_arguments(program, plan, feeds);
  const std::uint64_t number = ++program.run_count;
  run_steps(plan, 0, plan.first_late, number);
  LateUpdates late(program, plan);
  if (!late.in_place()) run_steps(plan, plan.first_late, plan.main.steps.size(), number);

  RunResult result;
  for (const Value* value : fetch)
    result.fetched.push_back(plan.slots[plan.slot_of(*value)].tensor);
  Effects effects(program, plan, late);
  for (const Value* value : roots) {
    Slot& slot = plan.slots[plan.slot_of(*value)];
    if (!late.reads(slot)) empty_slot(slot);
  }
  for (Tensor& tensor : result.fetched) tensor = own(std::move(tensor));
  effects.commit();
  borrowed.finished = true;
  result.peak_bytes = peak.bytes();
  result.list_entries = list_entries_handled - entries_before;
  return result;
}

// --- Tensors for results.

// The buffer's tensor is solely ours, so its count needs no atomic addition: it costs 5 ns.
Tensor RunFrame::buffer_or_fresh(std::size_t i, Ints shape, DType dtype) const {
  for (const OpDef::Pair pair : op.def->inplace_pairs) {
    if (pair.output != i) continue;
    const Tensor& x = input(pair.input);
    if (!(x.shape() == shape) || x.dtype() != dtype) break;
    std::atomic<std::uint32_t>& count = x.impl()->count;
    count.store(count.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
    return Tensor::adopt(x.impl());
  }
  return empty(shape, dtype);
}

void RunFrame::replace(Tensor& place, TensorImpl* made) { place = Tensor::adopt(made); }

Tensor RunFrame::writable(std::size_t group) const {
  const Tensor& x = input(group);
  return inplace ? x : copied(x);
}

}  // namespace oploom::program
