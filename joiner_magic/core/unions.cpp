#include "unions.hpp"

#include <algorithm>

#include "front.hpp"

namespace joiner {

namespace {

Bits united(const Bits& one, const Bits& other) {
    Bits both = one;
    for (size_t i = 0; i < both.size(); ++i) both[i] |= other[i];
    return both;
}

std::vector<std::vector<Bits>> by_price(const std::vector<PricedSet>& parts, uint32_t budget) {
    std::vector<std::vector<Bits>> sets(size_t(budget) + 1);
    for (const PricedSet& part : parts)
        if (part.price <= budget) sets[part.price].push_back(part.set);
    return sets;
}

}  // namespace

std::vector<Bits> maximal_sets(std::vector<Bits> sets, Poll& poll) {
    if (sets.empty()) return sets;
    std::sort(sets.begin(), sets.end());
    sets.erase(std::unique(sets.begin(), sets.end()), sets.end());
    const size_t words = sets.front().size();
    std::stable_sort(sets.begin(), sets.end(), [&](const Bits& a, const Bits& b) {
        return count_ones(a.data(), words) > count_ones(b.data(), words);
    });
    Front front(words);
    std::vector<Bits> maximal;
    for (size_t i = 0; i < sets.size(); ++i) {
        poll.spend(front.size() / 8);
        if (front.add(0, sets[i].data())) maximal.push_back(std::move(sets[i]));
    }
    return maximal;
}

std::optional<std::vector<Bits>> maximal_unions(const std::vector<PricedSet>& parts, uint32_t budget, size_t words,
                                                size_t most, Poll& poll) {
    const std::vector<std::vector<Bits>> priced = by_price(parts, budget);
    std::vector<std::vector<Bits>> within{{Bits(words)}};  // by budget: the maximal unions
    for (uint32_t price = 1; price <= budget; ++price) {
        std::vector<Bits> sets = within[price - 1];
        for (uint32_t last = 1; last <= price; ++last)
            for (const Bits& part : priced[last]) {
                poll.spend(within[price - last].size() * words);
                for (const Bits& rest : within[price - last])
                    if (!inside(part.data(), rest.data(), words)) sets.push_back(united(rest, part));
                if (sets.size() > most) return std::nullopt;
            }
        within.push_back(maximal_sets(std::move(sets), poll));
    }
    return std::move(within.back());
}

}  // namespace joiner
