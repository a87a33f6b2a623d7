// A conjunction without negatives that covers the most of some positives.
#pragma once

#include "reach.hpp"

namespace joiner {

struct Coverable {
    Bits examples;
    bool is_most;  // proven
};

// Positives that a conjunction covers: as many of `uncovered` as can be, as far as so much work shows, and in
// any case a set that cannot grow. Empty if no conjunction covers any of them.
//
// Whether some conjunction covers a set of positives is easy to see: let all pieces that cover the set join. If
// one does, then also for each subset. So growing a set one by one ends in one that cannot grow, and this is
// tried from many positives. Positives that the same pieces cover are one for this purpose.
//
// That there is nothing better is proven by a search: a set that no conjunction covers is cut down to what the
// coverages for one of its obligations leave of it (see Reach). It is given up where no more is left than was
// found, or where it is inside a set that was cut down before.
Coverable most_covering(Obligations& obligations, Reach& reach, const Bits& uncovered, bool exact, Poll& poll);

}  // namespace joiner
