// The maximal sets of positives that conjunctions of any size can cover.
#pragma once

#include <optional>

#include "reach.hpp"

namespace joiner {

// Directions are left out: each conjunction's coverage is inside one of the sets. One obligation after the other
// cuts the sets down to what its coverages leave of them. None beyond `most` sets, or where it takes too long.
std::optional<std::vector<Bits>> coverages(Reach& reach, size_t positives, size_t most, Poll& poll);

}  // namespace joiner
