// The Python face of the miner.
#pragma once

#include <nanobind/nanobind.h>

#include "../facts/facts.hpp"

namespace joiner {

// All of this exists twice, for rules of usual width and for wide ones: see mining/width.hpp.
#ifdef JOINER_WIDE
#define JOINER_NAMED(name) name##_wide
#else
#define JOINER_NAMED(name) name##_narrow
#endif

// A miner over these facts and examples. `space` says which rules there are: see MinerSpace in _core.pyi.
nanobind::object make_miner_narrow(FactBase& facts, const ExampleSet& positives, const ExampleSet& negatives,
                                   uint32_t arity, nanobind::handle space, size_t memory);
nanobind::object make_miner_wide(FactBase& facts, const ExampleSet& positives, const ExampleSet& negatives,
                                 uint32_t arity, nanobind::handle space, size_t memory);

}  // namespace joiner
