// The maximal coverages of conjunctions of any size, obligation by obligation. They bound what any part can cover, and
// so what a hypothesis needs at least.
#include "coverages.hpp"

#include <algorithm>

#include "front.hpp"

namespace joiner {
namespace {

constexpr uint64_t most_work = 400'000'000;  // words looked at: less than a second
constexpr size_t most_parts = 100'000;       // of the sets by one obligation, before those inside another are left out

// Sorts sets by their number of members, the largest first, and leaves out repetitions. A set can only be inside one
// that is at least as large, so a front that sees them in this order keeps exactly the maximal ones.
void largest_first(std::vector<Bits>& sets) {
    std::vector<std::pair<size_t, Bits>> sized;
    for (Bits& set : sets) {
        const size_t count = count_ones(set.data(), set.size());
        sized.emplace_back(count, std::move(set));
    }
    std::sort(sized.begin(), sized.end(), [](const auto& a, const auto& b) {
        return a.first != b.first ? a.first > b.first : a.second < b.second;
    });
    sets.clear();
    for (auto& [count, set] : sized)
        if (sets.empty() || sets.back() != set) sets.push_back(std::move(set));
}

// Adds those that are inside no other one; what is there is inside none of them.
void add_maximal(std::vector<Bits>& sets, std::vector<Bits> others, Poll& poll) {
    if (others.empty()) return;
    Front front(others[0].size());
    for (const Bits& set : sets) front.add(0, set.data());
    largest_first(others);
    for (Bits& set : others) {
        poll.spend(front.size() / 8 + 64);
        if (any(set.data(), set.size()) && front.add(0, set.data())) sets.push_back(std::move(set));
    }
}

}  // namespace

// Each step cuts the sets down by one obligation. A set inside one of the row's coverages meets the obligation as it
// is. Any other one is replaced by its intersections with the coverages of the row: whatever a conjunction covers
// inside the set is inside one of these. At the end each set is inside a coverage for each obligation, so it can be
// covered.
std::optional<std::vector<Bits>> coverages(Reach& reach, size_t positives, size_t most, Poll& poll) {
    const uint64_t end = poll.spent() + most_work;
    if (!reach.update(most_work, poll)) return std::nullopt;
    std::vector<Bits> sets(1, Bits(words_for(positives)));
    for (size_t i = 0; i < positives; ++i) insert(sets[0].data(), i);
    for (const Reach::Row& row : reach.rows()) {
        std::vector<Bits> whole, parts;
        for (Bits& set : sets) {
            poll.spend(row.size() * set.size());
            if (parts.size() > most_parts || poll.spent() > end) return std::nullopt;
            if (inside_any(set.data(), row, set.size())) {
                whole.push_back(std::move(set));
                continue;
            }
            // No coverage contains it as a whole, so it is split.
            for (const uint64_t* coverage : row) {
                parts.push_back(set);
                for (size_t w = 0; w < set.size(); ++w) parts.back()[w] &= coverage[w];
            }
        }
        sets = std::move(whole);
        add_maximal(sets, std::move(parts), poll);
        if (sets.size() > most || poll.spent() > end) return std::nullopt;
    }
    return sets;
}

}  // namespace joiner
