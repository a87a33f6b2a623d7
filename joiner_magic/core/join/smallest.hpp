// A smallest conjunction of some pieces.
#pragma once

#include "table.hpp"

namespace joiner {

// Numbers of pieces of a smallest legal conjunction of some of these, which must be one by themselves. If that
// takes more than `most` work, it is the best one that was found, and has no piece too many.
std::vector<uint32_t> smallest(Obligations& obligations, const Bits& among, uint64_t most, Poll& poll);

}  // namespace joiner
