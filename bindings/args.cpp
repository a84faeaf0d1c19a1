#include "bindings/args.h"

#include <algorithm>
#include <cstring>
#include <string>

namespace oploom::python {

namespace {

// How many letters must change.
int distance(std::string_view a, std::string_view b) {
  std::vector<int> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = static_cast<int>(j);
  for (std::size_t i = 1; i <= a.size(); ++i) {
    int diagonal = row[0];
    row[0] = static_cast<int>(i);
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const int change = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, change});
    }
  }
  return row[b.size()];
}

std::string suggestion(const Parameters& p, std::string_view given) {
  const char* best = nullptr;
  int best_distance = 3;
  for (int i = 0; i < p.count; ++i) {
    const int d = distance(given, p.names[i]);
    if (d < best_distance) {
      best_distance = d;
      best = p.names[i];
    }
  }
  return best != nullptr ? text(" (did you mean '", best, "'?)") : "";
}

[[noreturn]] void refuse_keyword(const Parameters& p, PyObject* keyword) {
  const char* given = PyUnicode_AsUTF8(keyword);
  if (given == nullptr) throw PythonError();
  raise(ErrorKind::kType, p.op, "() got an unexpected keyword argument '", given, "'",
        suggestion(p, given));
}

[[noreturn]] void refuse_count(const Parameters& p, bool has_self, Py_ssize_t count) {
  const int allowed = p.positional - (has_self ? 1 : 0);
  raise(ErrorKind::kType, p.op, "() takes at most ", allowed,
        p.positional < p.count ? " positional" : "", allowed == 1 ? " argument (" : " arguments (",
        count, " given)");
}

void intern(const Parameters& p) {
  for (int i = 0; i < p.count; ++i) {
    if (p.keys[i] != nullptr) continue;
    p.keys[i] = PyUnicode_InternFromString(p.names[i]);
    if (p.keys[i] == nullptr) throw PythonError();
  }
}

int find_parameter(const Parameters& p, PyObject* keyword) {
  for (int i = 0; i < p.count; ++i) {
    if (p.keys[i] == keyword) return i;
  }
  for (int i = 0; i < p.count; ++i) {  // a keyword that was made at run time
    if (PyUnicode_Compare(p.keys[i], keyword) == 0) return i;
  }
  refuse_keyword(p, keyword);
}

}  // namespace

void bind_any(const Parameters& p, PyObject** slots, int self, PyObject* const* args,
              Py_ssize_t count, PyObject* keywords) {
  const bool has_self = self >= 0;
  if (count + (has_self ? 1 : 0) > p.positional) refuse_count(p, has_self, count);
  Py_ssize_t next = 0;
  for (int i = 0; i < p.count; ++i) {
    if (i != self) slots[i] = next < count ? args[next++] : nullptr;
  }
  const Py_ssize_t named = keywords == nullptr ? 0 : PyTuple_GET_SIZE(keywords);
  if (named > 0 && p.keys[p.count - 1] == nullptr) intern(p);
  for (Py_ssize_t k = 0; k < named; ++k) {
    PyObject* keyword = PyTuple_GET_ITEM(keywords, k);
    const int i = find_parameter(p, keyword);
    if (slots[i] != nullptr) {
      raise(ErrorKind::kType, p.op, "() got multiple values for argument '", p.names[i], "'");
    }
    slots[i] = args[count + k];
  }
  for (int i = 0; i < p.count; ++i) {
    if (slots[i] == nullptr && (p.required >> i & 1) != 0) refuse_missing({p, i});
  }
}

}  // namespace oploom::python
