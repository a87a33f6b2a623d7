#include "conflicts.hpp"

#include <algorithm>

namespace joiner {

namespace {

// By positive, those that no conjunction covers together with it.
std::vector<Bits> pairwise(const std::vector<Reach::Row>& rows, size_t positives, Poll& poll) {
    const size_t words = words_for(positives);
    std::vector<Bits> together(positives, Bits(words)), apart = together;
    for (const Reach::Row& row : rows) {
        for (Bits& set : together) std::fill(set.begin(), set.end(), 0);
        for (const Bits& coverage : row)
            for_each(coverage.data(), words, [&](size_t one) {
                for (size_t w = 0; w < words; ++w) together[one][w] |= coverage[w];
                poll.spend(words);
            });
        for (size_t one = 0; one < positives; ++one)
            for (size_t w = 0; w < words; ++w) apart[one][w] |= ~together[one][w];
    }
    for (size_t one = 0; one < positives; ++one) {
        if (positives % 64) apart[one].back() &= (uint64_t(1) << (positives % 64)) - 1;
        erase(apart[one].data(), one);
    }
    return apart;
}

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

std::vector<Bits> conflicts(Reach& reach, size_t positives, uint64_t most_work, Poll& poll) {
    const uint64_t end = poll.spent() + most_work;
    std::vector<Bits> sets;
    if (!reach.update(most_work, poll)) return sets;
    const std::vector<Bits> apart = pairwise(reach.rows(), positives, poll);
    std::vector<size_t> first(positives);
    for (size_t one = 0; one < positives; ++one) first[one] = one;
    std::stable_sort(first.begin(), first.end(), [&](size_t a, size_t b) { return apart[a] < apart[b]; });
    first.erase(std::unique(first.begin(), first.end(), [&](size_t a, size_t b) { return apart[a] == apart[b]; }),
                first.end());
    for (size_t i = 0; i < first.size() && poll.spent() < end; ++i) sets.push_back(grown(first[i], apart, poll));
    std::sort(sets.begin(), sets.end());
    sets.erase(std::unique(sets.begin(), sets.end()), sets.end());
    return sets;
}

}  // namespace joiner
