// Depth-first search for the rule that is worth most.
//
// A node is a conjunction. What it can still become covers no more positives, and pays for its literals: so a piece is no
// candidate below it if even without any negative the conjunction with it would be worth no more than the best rule so far, or
// if P5 (priced_pieces.hpp) excludes it. Candidates are tried by what the conjunction with each is worth. Below the i-th, only
// later ones are added, so at least those negatives stay that all of these cover.
#include "best_rule.hpp"

#include <algorithm>

namespace joiner {
namespace {

struct Candidate {
    uint32_t piece;
    int64_t earns, worth;  // of the conjunction with it: without its negatives, and with them
};

struct OutOfNodes {};

class BestRuleSearch {
  public:
    BestRuleSearch(const PricedPieces& pieces, const Market& market, int64_t above, uint64_t most_nodes, Poll& poll)
        : pieces_(pieces), market_(market), best_(above), left_(most_nodes), poll_(poll) {}

    BestRule run(std::vector<uint32_t> candidates) {
        BestRule result;
        PricedRule root = pieces_.nothing();
        root.pos = market_.wanted;
        root.neg = market_.unwanted;
        try {
            search(root, candidates);
        } catch (const OutOfNodes&) {
            result.is_best = false;
        }
        if (!found_.empty()) result.rule = pieces_.conjunction(found_);
        result.worth = best_;
        return result;
    }

    int64_t best() const { return best_; }
    void raise(int64_t worth) { best_ = std::max(best_, worth); }

  private:
    void search(const PricedRule& node, const std::vector<uint32_t>& among) {
        if (!left_--) throw OutOfNodes{};
        if (!node.pieces.empty() && pieces_.is_legal(node.given)) {
            const int64_t worth = market_.earning.sum(node.pos.data()) - market_.paying.sum(node.neg.data()) - node.size;
            if (worth > best_) {
                best_ = worth;
                found_ = node.pieces;
            }
        }
        std::vector<Candidate> candidates = worthwhile(node, among);
        if (candidates.empty()) return;
        // By candidate the negatives that it and all later ones cover.
        const size_t words = node.neg.size();
        Bits staying(candidates.size() * words);
        Bits common = node.neg;
        for (size_t i = candidates.size(); i--;) {
            const uint64_t* const neg = pieces_.neg(candidates[i].piece);
            for (size_t w = 0; w < words; ++w) staying[i * words + w] = common[w] &= neg[w];
        }
        std::vector<uint32_t> later(candidates.size());
        std::transform(candidates.begin(), candidates.end(), later.begin(), [](const Candidate& c) { return c.piece; });
        for (size_t i = 0; i < candidates.size(); ++i) {
            if (candidates[i].earns - market_.paying.sum(staying.data() + i * words) <= best_) continue;
            search(pieces_.extended(node, candidates[i].piece), {later.begin() + static_cast<ptrdiff_t>(i) + 1, later.end()});
        }
    }

    // The pieces that a better rule below this node may have, by what the conjunction with each is worth.
    std::vector<Candidate> worthwhile(const PricedRule& node, const std::vector<uint32_t>& among) {
        std::vector<Candidate> candidates;
        const bool is_root = node.pieces.empty();
        for (const uint32_t piece : among) {
            poll_.spend(node.pos.size() + node.neg.size());
            const int64_t cost = pieces_.cost(piece);
            const int64_t earns = market_.earning.sum_of_both(node.pos.data(), pieces_.pos(piece)) - node.size - cost;
            if (earns <= best_) continue;
            const bool excludes = market_.paying.sum_without(node.neg.data(), pieces_.neg(piece)) > cost;
            if (!is_root && !excludes && !pieces_.brings(piece, node.given)) continue;
            const int64_t pays = market_.paying.sum_of_both(node.neg.data(), pieces_.neg(piece));
            candidates.push_back({piece, earns, earns - pays});
        }
        const auto better = [](const Candidate& one, const Candidate& other) {
            return one.worth != other.worth ? one.worth > other.worth : one.piece < other.piece;
        };
        std::sort(candidates.begin(), candidates.end(), better);
        return candidates;
    }

    const PricedPieces& pieces_;
    const Market& market_;
    int64_t best_;
    uint64_t left_;
    Poll& poll_;
    std::vector<uint32_t> found_;
};

}  // namespace

BestRule best_rule(const PricedPieces& pieces, const Market& market, int64_t above, uint64_t most_nodes, Poll& poll,
                   std::optional<size_t> seed) {
    BestRuleSearch search(pieces, market, above, most_nodes, poll);
    const PricedRule* best_whole = nullptr;
    for (const PricedRule& rule : pieces.whole()) {
        if (seed && !has(rule.pos.data(), *seed)) continue;
        const int64_t worth = market.earning.sum_of_both(market.wanted.data(), rule.pos.data()) -
                              market.paying.sum_of_both(market.unwanted.data(), rule.neg.data()) - rule.size;
        if (worth <= search.best()) continue;
        search.raise(worth);
        best_whole = &rule;
    }
    std::vector<uint32_t> candidates;
    for (uint32_t piece = 0; piece < pieces.size(); ++piece)
        if (!seed || has(pieces.pos(piece), *seed)) candidates.push_back(piece);
    BestRule result = search.run(std::move(candidates));
    if (!result.rule && best_whole) result.rule = *best_whole;
    return result;
}

}  // namespace joiner
