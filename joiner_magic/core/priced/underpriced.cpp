// Depth-first search for rules that earn more than their price, by the duals of cuts.
//
// A node is a conjunction of pieces. Write `all` for what it would earn if it covered no negative, and `own` for what it earns.
// What it can still become covers no more positives, so it earns at most `all`. And it is larger, by pieces that exclude
// negatives. Let v(n) be the sum of dual times weight of negative n over all cuts: to exclude n adds at most v(n).
//
//   - A piece is no candidate below the node if even with `all` the conjunction with it earns no more than its price.
//   - As in P5 (priced_pieces.hpp), a piece of the rule that earns most beyond its price excludes negatives whose v is more
//     than the price of the piece, unless it brings something to being legal: otherwise the rule is no worse without it.
//   - If no candidate excludes more than `ratio` for each unit that it costs, then to earn x more than `own` costs at least
//     x / ratio units. So below the node nothing earns more beyond its price than `all` less the price of what it takes to
//     get from `own` to `all`.
#include "underpriced.hpp"

#include <algorithm>
#include <limits>

namespace joiner {
namespace {

struct OutOfWork {};

class UnderpricedSearch {
  public:
    UnderpricedSearch(const PricedPieces& pieces, const Cuts& cuts, int64_t price, size_t most_rules, uint64_t most_work,
                      Poll& poll)
        : pieces_(pieces),
          cuts_(cuts),
          earning_(worth_of_positives(pieces, cuts)),
          paying_(worth_of_negatives(pieces, cuts)),
          price_(price),
          most_rules_(most_rules),
          poll_(poll),
          end_(poll.spent() + most_work) {}

    Underpriced run() {
        Underpriced result;
        for (const PricedRule& rule : pieces_.whole()) take(rule, earned(rule));
        std::vector<uint32_t> all(pieces_.size());
        for (uint32_t piece = 0; piece < all.size(); ++piece) all[piece] = piece;
        try {
            search(pieces_.nothing(), all, std::numeric_limits<double>::infinity());
        } catch (const OutOfWork&) {
            result.is_complete = false;
        }
        keep_the_best();
        for (auto& [gain, rule] : found_) result.rules.push_back(std::move(rule));
        return result;
    }

  private:
    struct Candidate {
        uint32_t piece;
        int64_t most, estimate;  // beyond its price: what the conjunction with it can earn at most, and what it may earn
    };

    static Weights worth_of_positives(const PricedPieces& pieces, const Cuts& cuts) {
        std::vector<int64_t> worth(pieces.positives());
        for (const Cut& cut : cuts.each) worth[cut.positive] += cut.dual * cuts.whole;
        return Weights(worth);
    }
    static Weights worth_of_negatives(const PricedPieces& pieces, const Cuts& cuts) {
        std::vector<int64_t> worth(pieces.negatives());
        for (const Cut& cut : cuts.each)
            for (const auto& [negative, weight] : cut.weights) worth[negative] += cut.dual * weight;
        return Weights(worth);
    }

    int64_t earned(const PricedRule& rule) {
        int64_t sum = 0;
        for (const Cut& cut : cuts_.each) {
            if (!has(rule.pos.data(), cut.positive)) continue;
            int64_t left = cuts_.whole;
            for (const auto& [negative, weight] : cut.weights)
                if (has(rule.neg.data(), negative)) left -= weight;
            if (left > 0) sum += cut.dual * left;
        }
        poll_.spend(cuts_.each.size());
        return sum;
    }

    // Rules that gain less than half of the best are not looked for: those that are found should differ, but be good.
    int64_t least() const { return best_ / 2; }

    void take(const PricedRule& rule, int64_t earned) {
        const int64_t gain = earned - price_ * rule.size;
        if (gain <= least()) return;
        best_ = std::max(best_, gain);
        found_.emplace_back(gain, rule);
        if (found_.size() >= 2 * most_rules_) keep_the_best();
    }

    void keep_the_best() {
        const auto better = [](const auto& one, const auto& other) { return one.first > other.first; };
        std::stable_sort(found_.begin(), found_.end(), better);
        if (found_.size() > most_rules_) found_.resize(most_rules_);
    }

    // What conjunctions below one of this size can gain; rounded so that it is too much rather than too little.
    int64_t most_below(int64_t all, int64_t own, int64_t size, double ratio) const {
        const double price = static_cast<double>(price_);
        if (ratio <= price) return own - price_ * size;
        const double for_the_rest = static_cast<double>(all - own) * (price / ratio) * (1 - 1e-12);
        return all - price_ * size - static_cast<int64_t>(for_the_rest);
    }

    void search(const PricedRule& node, const std::vector<uint32_t>& among, double ratio) {
        if (poll_.spent() > end_) throw OutOfWork{};
        if (!node.pieces.empty()) {
            const int64_t own = earned(node);
            if (pieces_.is_legal(node.given)) take(node, own);
            if (most_below(earning_.sum(node.pos.data()), own, node.size, ratio) <= least()) return;
        }
        const auto [candidates, best_ratio] = worthwhile(node, among);
        std::vector<uint32_t> later(candidates.size());
        std::transform(candidates.begin(), candidates.end(), later.begin(), [](const Candidate& c) { return c.piece; });
        for (size_t i = 0; i < candidates.size(); ++i) {
            if (candidates[i].most <= least()) continue;
            const std::vector<uint32_t> rest(later.begin() + static_cast<ptrdiff_t>(i) + 1, later.end());
            search(pieces_.extended(node, candidates[i].piece), rest, best_ratio);
        }
    }

    // The pieces that may be added below this node, the most promising first, and how much one excludes at most per unit.
    std::pair<std::vector<Candidate>, double> worthwhile(const PricedRule& node, const std::vector<uint32_t>& among) {
        std::vector<Candidate> candidates;
        double ratio = 0;
        const bool is_root = node.pieces.empty();
        for (const uint32_t piece : among) {
            poll_.spend(node.pos.size() + node.neg.size());
            const int64_t cost = pieces_.cost(piece);
            const int64_t all = earning_.sum_of_both(node.pos.data(), pieces_.pos(piece));
            const int64_t most = all - price_ * (node.size + cost);
            if (most <= least()) continue;
            const int64_t excluded = paying_.sum_without(node.neg.data(), pieces_.neg(piece));
            if (!is_root && excluded <= price_ * cost && !pieces_.brings(piece, node.given)) continue;
            ratio = std::max(ratio, static_cast<double>(excluded) / static_cast<double>(cost));
            candidates.push_back({piece, most, most - paying_.sum_of_both(node.neg.data(), pieces_.neg(piece))});
        }
        const auto better = [](const Candidate& one, const Candidate& other) {
            return one.estimate != other.estimate ? one.estimate > other.estimate : one.piece < other.piece;
        };
        std::sort(candidates.begin(), candidates.end(), better);
        return {std::move(candidates), ratio};
    }

    const PricedPieces& pieces_;
    const Cuts& cuts_;
    const Weights earning_, paying_;
    const int64_t price_;
    const size_t most_rules_;
    Poll& poll_;
    const uint64_t end_;
    int64_t best_ = 0;
    std::vector<std::pair<int64_t, PricedRule>> found_;
};

}  // namespace

Underpriced underpriced_rules(const PricedPieces& pieces, const Cuts& cuts, int64_t price, size_t most_rules,
                              uint64_t most_work, Poll& poll) {
    return UnderpricedSearch(pieces, cuts, price, most_rules, most_work, poll).run();
}

}  // namespace joiner
