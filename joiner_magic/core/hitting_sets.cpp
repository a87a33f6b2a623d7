#include "hitting_sets.hpp"

#include <algorithm>

namespace joiner {

HittingSets::HittingSets(const Table& table, size_t positives, Poll& poll)
    : table_(table), poll_(poll), words_(table.words()), covered_words_(words_for(positives)), meeting_(table.owed) {
    for (const Demand& demand : table.demands) meeting_.push_back(demand.meeting);
    rows_words_ = words_for(meeting_.size());
    meets_.assign(table.size(), Bits(rows_words_));
    for (size_t row = 0; row < meeting_.size(); ++row)
        for_each(meeting_[row].data(), words_, [&](size_t piece) { insert(meets_[piece].data(), row); });
    if (!table.demands.empty()) brings_.assign(table.size(), Bits(rows_words_));
    for (size_t i = 0; i < table.demands.size(); ++i)
        for_each(table.demands[i].bringing.data(), words_,
                 [&](size_t piece) { insert(brings_[piece].data(), table.owed.size() + i); });
    const size_t dearest = table.size() ? table.costs.back() : 0;
    within_.assign(dearest + 1, Bits(words_));
    for (size_t piece = 0; piece < table.size(); ++piece)
        for (size_t cost = table.costs[piece]; cost <= dearest; ++cost) insert(within_[cost].data(), piece);
}

void HittingSets::search(uint64_t budget) {
    if (!table_.size()) return;
    budget_ = budget;
    nodes_.clear();
    chosen_.clear();
    Node root{Bits(rows_words_), Bits(rows_words_), Bits(covered_words_, ~uint64_t(0)), within_.back(), Bits(words_)};
    for (size_t row = 0; row < table_.owed.size(); ++row) insert(root.owed.data(), row);
    nodes_.push_back(std::move(root));
    branch(0, 0);
}

void HittingSets::branch(size_t depth, uint64_t spent) {
    if (nodes_.size() == depth + 1) nodes_.push_back(nodes_.back());
    Node& node = nodes_[depth];
    Node& next = nodes_[depth + 1];
    keep_affordable(node.among, static_cast<int64_t>(budget_ - spent));
    find_last(node);
    for_each(node.last.data(), words_, [&](size_t piece) {
        const uint64_t cost = spent + table_.costs[piece];
        if (cost > budget_) return;
        for (size_t w = 0; w < covered_words_; ++w) next.covered[w] = node.covered[w] & table_.coverages[piece][w];
        if (!is_useful(next.covered.data())) return;
        chosen_.push_back(static_cast<uint32_t>(piece));
        budget_ = found(chosen_, cost, next.covered.data());
        chosen_.pop_back();
    });
    const int64_t budget = static_cast<int64_t>(budget_) - static_cast<int64_t>(spent);
    keep_affordable(node.among, budget - table_.costs[0]);
    for (size_t w = 0; w < words_; ++w) node.among[w] &= ~node.last[w];
    const size_t row = fewest(node, budget);
    if (row == meeting_.size()) return;
    // `last` is not needed any more: it holds the branches.
    for (size_t w = 0; w < words_; ++w) node.last[w] = node.among[w] & meeting_[row][w];
    for_each(node.last.data(), words_, [&](size_t piece) {
        erase(node.among.data(), piece);
        if (spent + table_.costs[piece] + table_.costs[0] > budget_) return;
        descend(depth, static_cast<uint32_t>(piece));
        if (!is_useful(next.covered.data())) return;
        chosen_.push_back(static_cast<uint32_t>(piece));
        branch(depth + 1, spent + table_.costs[piece]);
        chosen_.pop_back();
    });
}

void HittingSets::keep_affordable(Bits& among, int64_t budget) const {
    if (budget < 0) {
        std::fill(among.begin(), among.end(), 0);
    } else if (static_cast<size_t>(budget) + 1 < within_.size()) {
        for (size_t w = 0; w < words_; ++w) among[w] &= within_[static_cast<size_t>(budget)][w];
    }
}

// Those of the pieces to choose from that by themselves complete the conjunction.
void HittingSets::find_last(Node& node) {
    node.last = node.among;
    for_each(node.owed.data(), rows_words_, [&](size_t row) {
        for (size_t w = 0; w < words_; ++w) node.last[w] &= meeting_[row][w];
    });
    if (brings_.empty()) return;
    for_each(node.last.data(), words_, [&](size_t piece) {
        for (size_t w = 0; w < rows_words_; ++w)
            if (brings_[piece][w] & ~(node.met[w] | meets_[piece][w])) return erase(node.last.data(), piece);
    });
}

// The obligation that the fewest of the pieces meet; none if they cannot meet all within the budget.
size_t HittingSets::fewest(const Node& node, int64_t budget) {
    ranked_.clear();
    for_each(node.owed.data(), rows_words_, [&](size_t row) {
        size_t count = 0;
        for (size_t w = 0; w < words_; ++w) count += count_ones(node.among[w] & meeting_[row][w]);
        ranked_.emplace_back(count, row);
    });
    poll_.spend(ranked_.size() * words_ * 3);
    std::sort(ranked_.begin(), ranked_.end());
    if (!ranked_[0].first) return meeting_.size();
    free_ = node.among;
    for (const auto& [count, row] : ranked_) {
        const uint64_t* meeting = meeting_[row].data();
        // The cheapest piece is the first one. Only if none was counted before is its price an additional one.
        size_t cheapest = table_.size();
        bool apart = true;
        for (size_t w = 0; w < words_ && apart; ++w) {
            const uint64_t here = node.among[w] & meeting[w];
            if (here & ~free_[w]) apart = false;
            if (here && cheapest == table_.size()) cheapest = w * 64 + lowest_one(here);
        }
        if (!apart) continue;
        budget -= table_.costs[cheapest];
        if (budget < 0) return meeting_.size();
        for (size_t w = 0; w < words_; ++w) free_[w] &= ~meeting[w];
    }
    return ranked_[0].second;
}

void HittingSets::descend(size_t depth, uint32_t piece) {
    const Node& node = nodes_[depth];
    Node& next = nodes_[depth + 1];
    next.among = node.among;
    for (size_t w = 0; w < covered_words_; ++w) next.covered[w] = node.covered[w] & table_.coverages[piece][w];
    for (size_t w = 0; w < rows_words_; ++w) {
        next.met[w] = node.met[w] | meets_[piece][w];
        next.owed[w] = (node.owed[w] | (brings_.empty() ? 0 : brings_[piece][w])) & ~next.met[w];
    }
}

}  // namespace joiner
