// Unions of parts by budget, by dynamic programming over the budget. They tell which sets of positives known parts
// already cover at a given price, so that the miner can drop bodies that cover no more.
#include "unions.hpp"

#include <algorithm>

#include "../join/front.hpp"

namespace joiner {

namespace {

// Those that are inside no other one.
std::vector<Bits> maximal(std::vector<Bits> sets, size_t words, Poll& poll) {
    std::sort(sets.begin(), sets.end());
    sets.erase(std::unique(sets.begin(), sets.end()), sets.end());
    std::vector<std::pair<size_t, size_t>> order;
    // Larger sets come first: a set can only be inside one that is at least as large. The complement of the count sorts
    // in descending order.
    for (size_t i = 0; i < sets.size(); ++i) order.emplace_back(~count_ones(sets[i].data(), words), i);
    std::sort(order.begin(), order.end());
    Front front(words);
    std::vector<Bits> kept;
    for (const auto& [size, i] : order) {
        poll.spend(front.size() / 8);
        if (front.add(0, sets[i].data())) kept.push_back(std::move(sets[i]));
    }
    return kept;
}

}  // namespace

// Adds a part. The unions that were made before do not take it into account.
void Unions::add(uint32_t price, Bits coverage) {
    if (parts_.size() <= price) parts_.resize(price + 1);
    parts_[price].push_back(std::move(coverage));
}

// Unions are made for one budget after the other, up to the one that is asked for.
const std::vector<Bits>* Unions::within(uint32_t budget, Poll& poll) {
    while (within_.size() <= budget && !given_up_) grow(poll);
    return budget < within_.size() ? &within_[budget] : nullptr;
}

// The unions for the next budget: those for the budget before, and each part on top of the unions that the rest of the
// budget allows. Nothing is added where the part is inside the union already. If no union is new, the old ones are
// maximal as they are.
void Unions::grow(Poll& poll) {
    const size_t budget = within_.size();
    std::vector<Bits> sets = within_.back();
    const size_t before = sets.size();
    for (size_t price = 1; price <= budget && price < parts_.size(); ++price)
        for (const Bits& part : parts_[price]) {
            const std::vector<Bits>& others = within_[budget - price];
            poll.spend(others.size() * words_);
            for (const Bits& other : others) {
                if (inside(part.data(), other.data(), words_)) continue;
                sets.push_back(other);
                for (size_t w = 0; w < words_; ++w) sets.back()[w] |= part[w];
            }
            if (sets.size() > most_) {
                given_up_ = true;
                return;
            }
        }
    within_.push_back(sets.size() == before ? std::move(sets) : maximal(std::move(sets), words_, poll));
}

}  // namespace joiner
