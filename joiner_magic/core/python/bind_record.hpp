// The Python face of what a miner has tested.
#pragma once

#include <nanobind/nanobind.h>

#include "../mining/language.hpp"

namespace joiner {

// A body's literals as (predicate, arguments), by their numbers.
nanobind::tuple written(const mining::Language& language, const mining::Body& body);

}  // namespace joiner
