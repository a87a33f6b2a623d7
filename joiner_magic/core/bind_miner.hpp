// The Python face of the miner.
#pragma once

#include <nanobind/nanobind.h>

#include "facts.hpp"

namespace joiner {

// A miner over these facts and examples. `space` says which rules there are: see MinerSpace in _core.pyi.
nanobind::object make_miner(FactBase& facts, const ExampleSet& positives, const ExampleSet& negatives, uint32_t arity,
                            nanobind::handle space, size_t memory);

}  // namespace joiner
