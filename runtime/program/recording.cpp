#include "runtime/program/recording.h"

#include <algorithm>
#include <utility>

#include "runtime/program/activity.h"
#include "runtime/program/record.h"

namespace oploom::program {
namespace {

// Everything outside as it was before the region; what it was inside counts as earlier.
void restore(Frame& frame) {
  for (Frame::Saved& saved : frame.journal) {
    Memory& memory = *saved.memory;
    const Value* value = memory.cell->value;
    if (value != nullptr && value != saved.value) {
      memory.earlier.push_back({value, value->id, memory.root().state.writer});
    }
  }
  for (Frame::Saved& saved : frame.journal) {
    saved.memory->cell->value = saved.value;
    saved.memory->state = std::move(saved.state);
  }
}

void forget_earlier(const Frame& frame) {
  for (const Frame::Saved& saved : frame.journal) saved.memory->earlier.resize(saved.earlier);
}

}  // namespace

Recording::Recording(Program& p) : program(p) {
  frames.push_back(std::make_unique<Frame>());
  frames.back()->region = &p.main;
}

Recording* Recording::of(const Program& program) {
  const Recorder* recorder = Recorder::current();
  return recorder != nullptr && &recorder->program() == &program ? recorder->recording() : nullptr;
}

Frame& Recording::open(Region& region, bool loop) {
  auto opened = std::make_unique<Frame>();
  opened->region = &region;
  opened->serial = next_serial();
  opened->loop = loop || frame().loop;
  frames.push_back(std::move(opened));
  return frame();
}

Recording::Closed Recording::close() {
  Frame& closing = frame();
  Closed closed;
  for (const Frame::Saved& saved : closing.journal) {
    Memory& memory = *saved.memory;
    const bool root = memory.parent == nullptr;
    const bool detached = !root && memory.view == nullptr;
    Value* value = memory.cell->value;
    if (value == saved.value || (!root && !detached)) continue;
    // A detach() without a history of its own takes its value from its base anew.
    if (detached && !may_need_grad(memory, value) && !saved.value->needs_grad) continue;
    const bool recorded = memory.state.histories != saved.state.histories;
    closed.changes.push_back({saved.memory, value, recorded, memory.root().state.writer});
  }
  restore(closing);
  std::stable_partition(closed.changes.begin(), closed.changes.end(),
                        [](const Change& change) { return change.memory->parent == nullptr; });
  closed.made = std::move(closing.made);
  frames.pop_back();
  return closed;
}

void forget(const std::vector<std::weak_ptr<Cell>>& made) {
  for (const std::weak_ptr<Cell>& weak : made) {
    if (const auto cell = weak.lock()) cell->value = nullptr;
  }
}

void Recording::discard(std::size_t depth) {
  while (frames.size() > depth) {
    restore(frame());
    forget_earlier(frame());
    forget(frame().made);
    frames.pop_back();
  }
}

void touch(Memory& memory) {
  Recording* recording = Recording::of(*memory.program);
  if (recording == nullptr) return;
  Frame& frame = recording->frame();
  if (frame.serial == 0 || memory.born == frame.serial) return;
  if (!frame.saved.try_emplace(&memory, frame.journal.size()).second) return;
  frame.journal.push_back(
      {memory.shared_from_this(), memory.cell->value, memory.state, memory.earlier.size()});
}

bool visible(const Program& program, const Value* value) {
  const Region* region = region_of(value);
  const Recording* recording = Recording::of(program);
  if (recording == nullptr) return region == &program.main;
  for (auto frame = recording->frames.rbegin(); frame != recording->frames.rend(); ++frame) {
    if ((*frame)->region == region) return true;
  }
  return false;
}

}  // namespace oploom::program
