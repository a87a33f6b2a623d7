// Which positives no conjunction covers together.
#pragma once

#include "reach.hpp"

namespace joiner {

// By positive, those that no conjunction covers together with it. Two are covered together if for each obligation
// both are inside one coverage of its row, as for any set: so each row leaves what its coverages join.
std::vector<Bits> conflicts(const std::vector<Reach::Row>& rows, size_t positives, Poll& poll);

}  // namespace joiner
