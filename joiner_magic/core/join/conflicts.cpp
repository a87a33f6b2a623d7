// Sets of positives that pairwise exclude each other in one conjunction. Each member needs a conjunction of its own, so
// a hypothesis that covers the set has at least as many rules as it has members. This gives lower bounds for the
// search.
#include "conflicts.hpp"

#include <algorithm>

namespace joiner {

namespace {

// Pairs are quadratic in the number of examples: more than so many are not compared.
constexpr size_t most_examples = 1024;

// Pairs are looked at: where positives are many, one of each kind that the same pieces cover, and not of all kinds.
std::vector<size_t> representatives(const Obligations& obligations) {
    std::vector<size_t> order(obligations.positives());
    for (size_t one = 0; one < order.size(); ++one) order[one] = one;
    if (order.size() <= most_examples) return order;
    std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) { return obligations.covering(a) < obligations.covering(b); });
    order.erase(std::unique(order.begin(), order.end(), [&](size_t a, size_t b) { return obligations.covering(a) == obligations.covering(b); }),
                order.end());
    std::sort(order.begin(), order.end());
    order.resize(std::min(order.size(), most_examples));
    return order;
}

// By example, those that no conjunction covers together with it; fewer where there is no time for all obligations.
// For one obligation, two examples are together if one maximal coverage of its row contains both. They conflict as soon
// as some obligation keeps them apart. Leaving obligations out when work runs out loses conflicts, but those that are
// reported remain true.
std::vector<Bits> pairwise(const std::vector<Reach::Row>& rows, const std::vector<size_t>& examples, uint64_t end, Poll& poll) {
    const size_t words = words_for(examples.size());
    std::vector<Bits> together(examples.size(), Bits(words)), apart = together;
    for (const Reach::Row& row : rows) {
        if (poll.spent() > end) break;
        for (Bits& set : together) std::fill(set.begin(), set.end(), 0);
        for (const uint64_t* coverage : row) {
            Bits covered(words);
            for (size_t one = 0; one < examples.size(); ++one)
                if (has(coverage, examples[one])) insert(covered.data(), one);
            for_each(covered.data(), words, [&](size_t one) {
                for (size_t w = 0; w < words; ++w) together[one][w] |= covered[w];
                poll.spend(words);
            });
        }
        for (size_t one = 0; one < examples.size(); ++one)
            for (size_t w = 0; w < words; ++w) apart[one][w] |= ~together[one][w];
    }
    // Clears the bits beyond the last example, and the example itself, which may be in no coverage at all.
    for (size_t one = 0; one < examples.size(); ++one) {
        if (examples.size() % 64) apart[one].back() &= (uint64_t(1) << (examples.size() % 64)) - 1;
        erase(apart[one].data(), one);
    }
    return apart;
}

// A set of pairwise conflicting examples that starts with `first`. `left` has those that conflict with all members so
// far. Taking the one with the most conflicts inside `left` keeps the most candidates for later.
Bits grown(size_t first, const std::vector<Bits>& apart, Poll& poll) {
    Bits left = apart[first], set(left.size());
    insert(set.data(), first);
    while (any(left.data(), left.size())) {
        size_t best = 0, most = 0;
        for_each(left.data(), left.size(), [&](size_t one) {
            size_t shared = 1;
            for (size_t w = 0; w < left.size(); ++w) shared += count_ones(left[w] & apart[one][w]);
            if (shared > most) {
                best = one;
                most = shared;
            }
            poll.spend(left.size());
        });
        insert(set.data(), best);
        for (size_t w = 0; w < left.size(); ++w) left[w] &= apart[best][w];
    }
    return set;
}

}  // namespace

std::vector<Bits> conflicts(Reach& reach, const Obligations& obligations, uint64_t most_work, Poll& poll) {
    const uint64_t end = poll.spent() + most_work;
    std::vector<Bits> sets;
    if (!reach.update(most_work, poll)) return sets;
    const std::vector<size_t> examples = representatives(obligations);
    const std::vector<Bits> apart = pairwise(reach.rows(), examples, end, poll);
    // Examples with the same conflicts would grow the same set but for themselves, so one start of each kind is enough.
    std::vector<size_t> first(examples.size());
    for (size_t one = 0; one < first.size(); ++one) first[one] = one;
    std::stable_sort(first.begin(), first.end(), [&](size_t a, size_t b) { return apart[a] < apart[b]; });
    first.erase(std::unique(first.begin(), first.end(), [&](size_t a, size_t b) { return apart[a] == apart[b]; }),
                first.end());
    for (size_t i = 0; i < first.size() && poll.spent() < end; ++i) {
        sets.emplace_back(obligations.coverage_words());
        const Bits set = grown(first[i], apart, poll);
        for_each(set.data(), set.size(), [&](size_t one) { insert(sets.back().data(), examples[one]); });
    }
    std::sort(sets.begin(), sets.end());
    sets.erase(std::unique(sets.begin(), sets.end()), sets.end());
    return sets;
}

}  // namespace joiner
