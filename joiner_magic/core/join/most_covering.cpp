// The incomplete join: one conjunction that covers as many of some positives as possible. A greedy search gives a good
// answer quickly, and a proof by cutting sets down shows that it is the best, or finds a better one.
#include "most_covering.hpp"

#include <algorithm>
#include <map>

#include "front.hpp"

namespace joiner {
namespace {

constexpr uint64_t greedy_work = 20'000'000;  // words looked at: a few milliseconds
constexpr uint64_t proof_work = 20'000'000;   // likewise: some ten milliseconds

// Leaves in the set what the other one has too.
void intersect(Bits& set, const uint64_t* other) {
    for (size_t w = 0; w < set.size(); ++w) set[w] &= other[w];
}

// The number of members that both have.
size_t common(const Bits& one, const uint64_t* other) {
    size_t count = 0;
    for (size_t w = 0; w < one.size(); ++w) count += count_ones(one[w] & other[w]);
    return count;
}

// Positives that the same pieces cover.
struct Alike {
    const Bits* covering;
    Bits members;
};

// Groups the uncovered positives by the pieces that cover them. A conjunction covers all of a group or none of it.
std::vector<Alike> alike(const Obligations& obligations, const Bits& uncovered) {
    const auto less = [](const Bits* one, const Bits* other) { return *one < *other; };
    std::map<const Bits*, size_t, decltype(less)> places(less);
    std::vector<Alike> groups;
    for_each(uncovered.data(), uncovered.size(), [&](size_t example) {
        const Bits* covering = &obligations.covering(example);
        const auto [place, is_new] = places.emplace(covering, groups.size());
        if (is_new) groups.push_back({covering, Bits(uncovered.size())});
        insert(groups[place->second].members.data(), example);
    });
    return groups;
}

// Grows a set of positives from the pieces that cover a first group. `among` has the pieces that cover all of the set,
// narrowed to a legal conjunction. A group joins if the pieces that cover it too still make one. The result cannot
// grow: a group that was refused stays refused when the pieces are fewer.
Bits grown(Obligations& obligations, const std::vector<Alike>& groups, const Bits& start, Poll& poll) {
    Bits among = start, joined, covered(obligations.coverage_words());
    if (!obligations.narrow(among)) return covered;
    // Those first that share the most pieces with the start: they leave the most to choose from.
    std::vector<std::pair<size_t, const Alike*>> order;
    for (const Alike& group : groups) order.emplace_back(common(among, group.covering->data()), &group);
    std::stable_sort(order.begin(), order.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
    for (const auto& [shared, group] : order) {
        poll.spend(obligations.words() * obligations.owed().size());
        joined = among;
        intersect(joined, group->covering->data());
        if (!obligations.narrow(joined)) continue;
        among = joined;
        for (size_t w = 0; w < covered.size(); ++w) covered[w] |= group->members[w];
    }
    return covered;
}

// The groups that the most pieces cover first.
std::vector<const Alike*> starts_of(const std::vector<Alike>& groups) {
    std::vector<std::pair<size_t, const Alike*>> order;
    for (const Alike& group : groups) order.emplace_back(count_ones(group.covering->data(), group.covering->size()), &group);
    std::stable_sort(order.begin(), order.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
    std::vector<const Alike*> starts;
    for (const auto& [count, group] : order) starts.push_back(group);
    return starts;
}

// The largest set that was grown from any of the starts. It ends early if everything is covered, or, once something was
// found, when the work is used up.
Bits greedy(Obligations& obligations, const Bits& uncovered, Poll& poll) {
    const std::vector<Alike> groups = alike(obligations, uncovered);
    const uint64_t end = poll.spent() + greedy_work;
    Bits best(uncovered.size()), tried = best;
    size_t most = 0;
    std::vector<const Alike*> starts = starts_of(groups), later;
    // What was grown around an example is mostly what would be grown from it: such starts come later.
    for (const bool again : {false, true}) {
        for (const Alike* start : starts) {
            if (!again && meet(start->members.data(), tried.data(), tried.size())) {
                later.push_back(start);
                continue;
            }
            const Bits covered = grown(obligations, groups, *start->covering, poll);
            for (size_t w = 0; w < tried.size(); ++w) tried[w] |= covered[w];
            const size_t size = count_ones(covered.data(), covered.size());
            if (size > most) best = covered;
            most = std::max(most, size);
            if (best == uncovered || (most && poll.spent() > end)) return best;
        }
        starts = std::move(later);
    }
    return best;
}

// The search for a proof that no conjunction covers more than `best`. Directions are left out, so a set that is found
// here must still be checked for them.
class Proof {
  public:
    Proof(const std::vector<Reach::Row>& rows, const Bits& best, Poll& poll)
        : best(best),
          rows_(rows),
          poll_(poll),
          most_(count_ones(best.data(), best.size())),
          cut_(best.size()),
          end_(poll.spent() + proof_work) {}

    Bits best;

    // Looks at all parts of a set of positives. Afterwards no part of it that a conjunction can cover is larger than
    // `best`. A set inside one that was dealt with before has nothing to add.
    // False if it takes too long.
    bool search(const Bits& set) {
        if (cut_.dominates(0, set.data())) return true;
        if (poll_.spent() > end_) return false;
        const Reach::Row* row = tightest(set);
        if (row)
            for (const Bits& part : parts(set, *row))
                if (count_ones(part.data(), part.size()) > most_ && !search(part)) return false;
        cut_.add(0, set.data());
        return true;
    }

  private:
    // The obligation that leaves the least; none if the set is covered, or not enough of it can be.
    // If every row has a coverage that contains the set, the set is covered, and is the new best. If some row leaves no
    // more than the best of it, no part can be better.
    const Reach::Row* tightest(const Bits& set) {
        const Reach::Row* tightest = nullptr;
        size_t least = ~size_t(0);
        for (const Reach::Row& row : rows_) {
            poll_.spend(row.size() * set.size());
            if (inside_any(set.data(), row, set.size())) continue;
            size_t most = 0;
            for (const uint64_t* coverage : row) most = std::max(most, common(set, coverage));
            if (most < least) {
                least = most;
                tightest = &row;
            }
            if (least <= most_) return nullptr;
        }
        if (!tightest) {
            best = set;
            most_ = count_ones(best.data(), best.size());
        }
        return tightest;
    }

    // What coverages leave of a set, the most first, without what is inside another one.
    std::vector<Bits> parts(const Bits& set, const Reach::Row& row) const {
        std::vector<std::pair<size_t, Bits>> sized;
        for (const uint64_t* coverage : row) {
            Bits part = set;
            intersect(part, coverage);
            sized.emplace_back(count_ones(part.data(), part.size()), std::move(part));
        }
        std::stable_sort(sized.begin(), sized.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
        Front maximal(set.size());
        std::vector<Bits> parts;
        for (auto& [size, part] : sized)
            if (maximal.add(0, part.data())) parts.push_back(std::move(part));
        return parts;
    }

    const std::vector<Reach::Row>& rows_;
    Poll& poll_;
    size_t most_;
    Front cut_;
    uint64_t end_;
};

}  // namespace

// The greedy answer is final if it covers everything or nothing. Otherwise it is proven or improved if `exact` says so
// and the work allows it. Where the proof finds a set that only works without directions, the greedy answer stands,
// unproven.
Coverable most_covering(Obligations& obligations, Reach& reach, const Bits& uncovered, bool exact, Poll& poll) {
    Bits best = greedy(obligations, uncovered, poll);
    if (best == uncovered || !any(best.data(), best.size())) return {best, true};
    if (!exact || !reach.update(proof_work, poll)) return {best, false};
    Proof proof(reach.rows(), best, poll);
    if (!proof.search(uncovered)) return {best, false};
    Bits among = obligations.covering_all(proof.best.data());
    if (!obligations.narrow(among)) return {best, false};  // the directions do not allow it
    return {proof.best, true};
}

}  // namespace joiner
