#include "reach.hpp"

#include <algorithm>

namespace joiner {

bool inside_any(const uint64_t* set, const Reach::Row& row, size_t words) {
    for (const Bits& whole : row)
        if (inside(set, whole.data(), words)) return true;
    return false;
}

bool Reach::update(uint64_t most_work, Poll& poll) {
    const uint64_t end = poll.spent() + most_work;
    for (; pieces_ < obligations_.size(); ++pieces_) {
        if (poll.spent() > end) return false;
        for (size_t row = 0; row < all_.size(); ++row)
            if (has(obligations_.meeting(row).data(), pieces_)) add(all_[row], obligations_.coverage(pieces_), poll);
    }
    if (reduced_ != pieces_) reduce(poll);
    return true;
}

void Reach::add(Row& row, const uint64_t* coverage, Poll& poll) const {
    const size_t words = obligations_.coverage_words();
    poll.spend(row.size() / 2 + 1);
    if (inside_any(coverage, row, words)) return;
    poll.spend(row.size() * words);
    row.erase(std::remove_if(row.begin(), row.end(), [&](const Bits& set) { return inside(set.data(), coverage, words); }),
              row.end());
    row.emplace_back(coverage, coverage + words);
}

void Reach::reduce(Poll& poll) {
    const size_t words = obligations_.coverage_words();
    std::vector<const Row*> order;
    for (const Row& row : all_) order.push_back(&row);
    std::stable_sort(order.begin(), order.end(), [](const Row* a, const Row* b) { return a->size() < b->size(); });
    std::vector<const Row*> kept;
    for (const Row* row : order) {
        const auto implies = [&](const Row* other) {
            poll.spend(words);
            return std::all_of(other->begin(), other->end(),
                               [&](const Bits& set) { return inside_any(set.data(), *row, words); });
        };
        if (std::none_of(kept.begin(), kept.end(), implies)) kept.push_back(row);
    }
    rows_.clear();
    for (const Row* row : kept) rows_.push_back(*row);
    reduced_ = pieces_;
}

}  // namespace joiner
