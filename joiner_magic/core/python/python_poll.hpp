// Asking Python whether to stop, from native code that may run without its lock.
#pragma once

#include <nanobind/nanobind.h>

#include "../facts/evaluate.hpp"
#include "../poll.hpp"

namespace joiner {

// Asks Python, whose thread this is, for its signals and then `stop`.
inline Poll poll_of(nanobind::callable stop) {
    return Poll([stop] {
        nanobind::gil_scoped_acquire python;
        if (PyErr_CheckSignals() != 0) throw nanobind::python_error();
        if (nanobind::cast<bool>(stop())) throw Stopped{};
    });
}

}  // namespace joiner
