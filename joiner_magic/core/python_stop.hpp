// Asking Python whether to stop, from native code that runs without its lock.
#pragma once

#include <nanobind/nanobind.h>

#include <chrono>
#include <functional>

#include "evaluate.hpp"

namespace joiner {

// To be called as often as one likes: every 50 ms it asks `stop`, which must outlive it, and looks at signals.
// Throws Stopped if `stop` says so, and what an interrupt raises.
inline std::function<void()> asking(nanobind::handle stop) {
    auto last = std::chrono::steady_clock::now();
    return [stop, last]() mutable {
        const auto now = std::chrono::steady_clock::now();
        if (now - last < std::chrono::milliseconds(50)) return;
        last = now;
        nanobind::gil_scoped_acquire python;
        if (PyErr_CheckSignals() != 0) throw nanobind::python_error();
        if (nanobind::cast<bool>(stop())) throw Stopped{};
    };
}

}  // namespace joiner
