// Which positives need conjunctions of their own.
#pragma once

#include "reach.hpp"

namespace joiner {

// Large sets of positives no two of which a conjunction covers together; a part of such a set is one too.
// Two are covered together if for each obligation both are inside one coverage of its row. From each
// positive one set grows, each time by the one that conflicts with the most of those that are left. Those with the
// same conflicts grow the same set, so one of them is enough. Pairs are quadratic, so of thousands of positives some are
// looked at, as different from each other as can be. Not all of the sets if it takes too much work.
std::vector<Bits> conflicts(Reach& reach, const Obligations& obligations, uint64_t most_work, Poll& poll);

}  // namespace joiner
