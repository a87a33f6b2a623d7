// Branch and bound over hitting sets of obligations. The header says why the tree stays small.
#include "hitting_sets.hpp"

#include <algorithm>

namespace joiner {

// Prepares bitsets for the search: which pieces meet each obligation and the other way around, and which pieces are
// affordable within each budget. Pieces of a table are sorted by cost, so the last one is the dearest.
HittingSets::HittingSets(const Table& table, size_t positives, Poll& poll)
    : table_(table),
      poll_(poll),
      words_(table.words()),
      rows_words_(words_for(table.owed.size() + table.demands.size())),
      covered_words_(words_for(positives)),
      merit_words_(covered_words_ + rows_words_ * (table.demands.empty() ? 1 : 2)),
      everything_(covered_words_),
      meeting_(table.owed),
      demanded_(rows_words_),
      meets_(table.size(), Bits(rows_words_)),
      merits_(table.size() * merit_words_) {
    for (size_t i = 0; i < positives; ++i) insert(everything_.data(), i);
    if (!table.demands.empty()) brings_.assign(table.size(), Bits(rows_words_));
    for (const Demand& demand : table.demands) {
        const size_t row = meeting_.size();
        insert(demanded_.data(), row);
        for_each(demand.bringing.data(), words_, [&](size_t piece) { insert(brings_[piece].data(), row); });
        meeting_.push_back(demand.meeting);
    }
    for (size_t row = 0; row < meeting_.size(); ++row)
        for_each(meeting_[row].data(), words_, [&](size_t piece) { insert(meets_[piece].data(), row); });
    const size_t dearest = table.size() ? table.costs.back() : 0;
    within_.assign(dearest + 1, Bits(words_));
    for (size_t piece = 0; piece < table.size(); ++piece)
        for (size_t cost = table.costs[piece]; cost <= dearest; ++cost) insert(within_[cost].data(), piece);
}

// Starts at the root: every ordinary obligation is owed and none is met, all positives are still covered, and demands
// come with the pieces that bring them.
void HittingSets::search(uint64_t budget) {
    if (!table_.size()) return;
    budget_ = budget;
    chosen_.clear();
    nodes_.clear();
    nodes_.push_back({Bits(rows_words_), Bits(rows_words_), everything_, everything_, within_.back(), Bits(words_)});
    for (size_t row = 0; row < table_.owed.size(); ++row) insert(nodes_[0].owed.data(), row);
    branch(0, 0);
}

// One node of the tree. `spent` is the cost of what was chosen. First come the conjunctions that one more piece
// completes. What is left needs at least two more pieces, so a piece must leave room for the cheapest one. Pieces that
// finish the conjunction are not branched on, because a conjunction with one of them and more is larger and covers no
// more.
void HittingSets::branch(size_t depth, uint64_t spent) {
    if (nodes_.size() == depth + 1) nodes_.push_back(nodes_.back());
    Node& node = nodes_[depth];
    keep_affordable(node.among, static_cast<int64_t>(budget_) - static_cast<int64_t>(spent));
    finish(depth, spent);
    const int64_t budget = static_cast<int64_t>(budget_) - static_cast<int64_t>(spent);
    keep_affordable(node.among, budget - table_.costs[0]);  // there is a second piece to come
    for (size_t w = 0; w < words_; ++w) node.among[w] &= ~node.here[w];
    if (budget > deep * table_.costs[0]) {
        if (covered_words_ && !narrow(node)) return;
        drop_dominated(node);
    }
    const size_t row = fewest(node, budget);
    if (row == meeting_.size()) return;
    // Any conjunction below meets this obligation by one of the pieces of the row. Each branch excludes the pieces of
    // those before it, so no conjunction is made twice.
    for (size_t w = 0; w < words_; ++w) node.here[w] = node.among[w] & meeting_[row][w];
    for_each(node.here.data(), words_, [&](size_t piece) {
        erase(node.among.data(), piece);
        descend(depth, static_cast<uint32_t>(piece), spent + table_.costs[piece]);
    });
}

// The conjunctions that need one more piece.
// Each is checked against the budget again, as each find may lower the budget.
void HittingSets::finish(size_t depth, uint64_t spent) {
    Node& node = nodes_[depth];
    Bits& covered = nodes_[depth + 1].covered;
    find_finishing(node);
    for_each(node.here.data(), words_, [&](size_t piece) {
        const uint64_t cost = spent + table_.costs[piece];
        for (size_t w = 0; w < covered_words_; ++w) covered[w] = node.covered[w] & table_.coverages[piece][w];
        if (cost > budget_ || !is_useful(covered.data())) return;
        chosen_.push_back(static_cast<uint32_t>(piece));
        budget_ = found(chosen_, cost, covered.data());
        chosen_.pop_back();
    });
}

// The child node in which `piece` is chosen. It is not entered if nothing useful remains within reach, or if no second
// piece is affordable. What is met before it is brought does not become owed.
void HittingSets::descend(size_t depth, uint32_t piece, uint64_t spent) {
    if (spent + table_.costs[0] > budget_) return;
    const Node& node = nodes_[depth];
    Node& next = nodes_[depth + 1];
    for (size_t w = 0; w < covered_words_; ++w) {
        next.covered[w] = node.covered[w] & table_.coverages[piece][w];
        next.reach[w] = node.reach[w] & table_.coverages[piece][w];
    }
    if (!is_useful(next.reach.data())) return;
    next.among = node.among;
    for (size_t w = 0; w < rows_words_; ++w) {
        next.met[w] = node.met[w] | meets_[piece][w];
        next.owed[w] = (node.owed[w] | (brings_.empty() ? 0 : brings_[piece][w])) & ~next.met[w];
    }
    chosen_.push_back(piece);
    branch(depth + 1, spent);
    chosen_.pop_back();
}

// Takes out the pieces that cost more than the budget. Above the dearest piece every piece is affordable.
void HittingSets::keep_affordable(Bits& among, int64_t budget) const {
    if (budget < 0) {
        std::fill(among.begin(), among.end(), 0);
    } else if (static_cast<size_t>(budget) + 1 < within_.size()) {
        for (size_t w = 0; w < words_; ++w) among[w] &= within_[static_cast<size_t>(budget)][w];
    }
}

// Those of the pieces to choose from that by themselves complete the conjunction.
void HittingSets::find_finishing(Node& node) const {
    node.here = node.among;
    for_each(node.owed.data(), rows_words_, [&](size_t row) {
        for (size_t w = 0; w < words_; ++w) node.here[w] &= meeting_[row][w];
    });
    // With demands, a piece must also bring none that is unmet afterwards.
    if (brings_.empty()) return;
    for_each(node.here.data(), words_, [&](size_t piece) {
        for (size_t w = 0; w < rows_words_; ++w)
            if (brings_[piece][w] & ~(node.met[w] | meets_[piece][w])) return erase(node.here.data(), piece);
    });
}

// Leaves out what cannot be in a useful conjunction with what was chosen; false if there is none.
// This repeats until nothing changes. A smaller reach makes more pieces useless, and fewer pieces make the reach of an
// obligation smaller. What remains of the coverage of each piece stays in its merit for `drop_dominated`.
bool HittingSets::narrow(Node& node) {
    for (bool changed = true; changed;) {
        for_each(node.among.data(), words_, [&](size_t piece) {
            uint64_t* left = merit(piece);
            for (size_t w = 0; w < covered_words_; ++w) left[w] = node.reach[w] & table_.coverages[piece][w];
            if (!is_useful(left)) erase(node.among.data(), piece);
        });
        changed = false;
        for (size_t row = 0; row < meeting_.size(); ++row) {
            if (!has(node.owed.data(), row)) continue;
            find_unreached(node, row);
            if (unreached_ == node.reach) return false;
            for (size_t w = 0; w < covered_words_; ++w) {
                changed |= unreached_[w] != 0;
                node.reach[w] &= ~unreached_[w];
            }
        }
        if (changed && !is_useful(node.reach.data())) return false;
    }
    return true;
}

// What none of the pieces that meet an obligation covers.
// These positives cannot be covered below this node, as each conjunction has one of the pieces. The loop ends as soon
// as every positive is reached.
void HittingSets::find_unreached(const Node& node, size_t row) {
    unreached_ = node.reach;
    uint64_t some = 1;
    for (size_t w = 0; w < words_ && some; ++w)
        for (uint64_t rest = node.among[w] & meeting_[row][w]; rest && some; rest &= rest - 1) {
            const uint64_t* left = merit(w * 64 + lowest_one(rest));
            some = 0;
            for (size_t c = 0; c < covered_words_; ++c) some |= unreached_[c] &= ~left[c];
        }
}

// What is left of the coverages is in the merits already. A dominator is cheaper, or as cheap: it comes first.
// The merit of a piece has what it covers of the reach, which obligations it meets of those that are owed or may come,
// and which demands it does not bring. A piece whose merit is inside that of another kept piece is left out: the other
// one can replace it in each conjunction below.
void HittingSets::drop_dominated(Node& node) {
    kept_.clear();
    for_each(node.among.data(), words_, [&](size_t piece) {
        uint64_t* rows = merit(piece) + covered_words_;
        for (size_t w = 0; w < rows_words_; ++w) {
            const uint64_t demands = demanded_[w] & ~node.met[w];
            rows[w] = meets_[piece][w] & (node.owed[w] | demands);
            if (!brings_.empty()) rows[rows_words_ + w] = ~brings_[piece][w] & demands;
        }
        for (const uint32_t other : kept_)
            if (inside(merit(piece), merit(other), merit_words_)) return erase(node.among.data(), piece);
        kept_.push_back(static_cast<uint32_t>(piece));
    });
    poll_.spend(kept_.size() * kept_.size() / 2);
}

// The obligation that the fewest of the pieces meet; none if they cannot meet all within the budget.
// The second part is a lower bound on the cost. Going through the obligations from the hardest, one is counted if none
// of its pieces meets an obligation that was counted before: then their cheapest pieces must be paid separately.
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
    apart_ = node.among;  // pieces that meet none of the obligations whose price was counted
    for (const auto& [count, row] : ranked_) {
        const uint64_t* meeting = meeting_[row].data();
        size_t cheapest = table_.size();
        bool counts = true;
        for (size_t w = 0; w < words_ && counts; ++w) {
            const uint64_t here = node.among[w] & meeting[w];
            counts = !(here & ~apart_[w]);
            if (here && cheapest == table_.size()) cheapest = w * 64 + lowest_one(here);
        }
        if (!counts) continue;
        budget -= table_.costs[cheapest];
        if (budget < 0) return meeting_.size();
        for (size_t w = 0; w < words_; ++w) apart_[w] &= ~meeting[w];
    }
    return ranked_[0].second;
}

}  // namespace joiner
