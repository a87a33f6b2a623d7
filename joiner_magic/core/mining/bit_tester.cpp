#include "bit_tester.hpp"

#include <algorithm>

#include "../bits.hpp"

namespace joiner::mining {

BitTester::BitTester(const Language& language, Worlds& worlds)
    : language_(language), worlds_(worlds), positive_words_((worlds.examples().positives + 63) / 64),
      words_(positive_words_ + (worlds.examples().negatives + 63) / 64) {}

// Each thread keeps what it has found once: the worlds are asked under a lock.
const Table& BitTester::table(const Literal& literal, Variables bound, bool reversed) {
    const Table*& known = tables_[worlds_.table_key(literal, bound, reversed)];
    if (!known) known = &worlds_.table(literal, bound, reversed);
    return *known;
}

const Contexts& BitTester::contexts(Variables mask) {
    const Contexts*& known = contexts_[mask];
    if (!known) known = &worlds_.contexts(mask);
    return *known;
}

const uint32_t* BitTester::narrowing(Variables mask, Variables part) {
    const uint32_t*& known = narrowings_[uint64_t(mask) << 32 | part];
    if (!known) known = worlds_.narrowing(mask, part).data();
    return known;
}

void BitTester::load(const Body& body, const uint64_t* coverage) {
    body_ = body;
    mask_ = worlds_.widened(language_.mentioned(body));
    variables_ = 0;
    for (uint32_t i = 0; i < body.length; ++i) variables_ |= language_.literal(body.codes[i]).variables();
    variables_ &= ~language_.head_variables();
    parents_ = &contexts(mask_);
    covered_.clear();
    is_covered_.assign(parents_->count, 0);
    const uint32_t positives = worlds_.examples().positives;
    for (uint32_t c = 0; c < parents_->count; ++c) {
        uint32_t e = parents_->members[parents_->starts[c]];
        const uint64_t* words = coverage;
        if (e >= positives) e -= positives, words += positive_words_;
        if (!(words[e >> 6] >> (e & 63) & 1)) continue;
        is_covered_[c] = 1;
        covered_.push_back(c);
    }
    supported_ = false;
}

// Where each variable's domain begins, and which values it can have.
void BitTester::lay_out() {
    block_ = 0;
    full_.clear();
    for (Variables left = variables_; left; left &= left - 1) single_[lowest_one(left)].clear();
    edges_.clear();
    for (uint32_t i = 0; i < body_.length; ++i) {
        const Literal literal = language_.literal(body_.codes[i]);
        for (uint32_t a = 0; a < literal.arity; ++a) {
            const uint32_t variable = literal.args[a];
            if (variable < language_.head_arity) continue;
            widths_[variable] = worlds_.sort_of(literal.predicate, a);  // its sort, until all are known
        }
    }
    for (Variables left = variables_; left; left &= left - 1) {
        const uint32_t variable = lowest_one(left);
        const Sort& sort = worlds_.sort(widths_[variable]);
        offsets_[variable] = block_;
        widths_[variable] = sort.words;
        block_ += sort.words;
        for (uint32_t w = 0; w < sort.words; ++w) {
            const uint32_t bits = sort.size > 64 * w ? std::min(64u, sort.size - 64 * w) : 0;
            full_.push_back(bits == 64 ? ~uint64_t(0) : (uint64_t(1) << bits) - 1);
        }
    }
    for (uint32_t i = 0; i < body_.length; ++i) connect(language_.literal(body_.codes[i]), variables_, false);
}

void BitTester::connect(const Literal& literal, Variables bound, bool added) {
    Edge edge;
    for (uint32_t a = 0; a < literal.arity; ++a)
        if (bound >> literal.args[a] & 1) edge.variables[edge.count++] = literal.args[a];
    if (!edge.count) return;
    const bool reversed = edge.count == 2 && edge.variables[0] > edge.variables[1];
    if (reversed) std::swap(edge.variables[0], edge.variables[1]);
    const Table& table = this->table(literal, bound, reversed);
    const Facts facts{&table, added ? nullptr : narrowing(mask_, table.mask)};
    if (edge.count == 1) {
        single_[edge.variables[0]].push_back(facts);
        return;
    }
    if (edge.count == 2)
        for (Edge& known : edges_)
            if (known.count == 2 && known.variables[0] == edge.variables[0] && known.variables[1] == edge.variables[1]) {
                known.facts.push_back(facts);
                return;
            }
    edge.facts.push_back(facts);
    edges_.push_back(std::move(edge));
}

void BitTester::start(uint32_t context, Domains& domains) const {
    domains = full_;
    for (Variables left = variables_; left; left &= left - 1) {
        const uint32_t variable = lowest_one(left);
        uint64_t* const domain = domains.data() + offsets_[variable];
        for (const Facts& facts : single_[variable]) {
            const uint64_t* const block = facts.table->block(place(facts, context));
            for (uint32_t w = 0; w < widths_[variable]; ++w) domain[w] &= block[w];
        }
    }
}

void BitTester::find_supports() {
    supported_ = true;
    lay_out();
    supports_.assign(size_t(parents_->count) * block_, 0);
    if (stack_.size() < most_variables + 1) stack_.resize(most_variables + 1);
    for (uint32_t context : covered_) {
        start(context, stack_[0]);
        decide(context, stack_[0], 0, true);
    }
}

bool BitTester::revise_pair(const Edge& edge, uint32_t context, Domains& domains, bool& changed) {
    const uint32_t from = edge.variables[0], to = edge.variables[1];
    uint64_t* const a = domains.data() + offsets_[from];
    uint64_t* const b = domains.data() + offsets_[to];
    const uint32_t words = widths_[to];
    const Facts& first = edge.facts[0];
    const uint64_t* const rows = first.table->block(place(first, context));
    const bool one = edge.facts.size() == 1;
    uint64_t few[4] = {0, 0, 0, 0};
    std::vector<uint64_t> many;
    uint64_t* reached = few;
    if (words > 4) {
        many.assign(words, 0);
        reached = many.data();
    }
    for (uint32_t w = 0; w < widths_[from]; ++w)
        for (uint64_t left = a[w]; left; left &= left - 1) {
            const uint32_t value = 64 * w + lowest_one(left);
            const uint64_t* const row = rows + size_t(value) * words;
            uint64_t any = 0;
            for (uint32_t x = 0; x < words; ++x) {
                uint64_t word = row[x] & b[x];
                if (!one && word)
                    for (size_t i = 1; i < edge.facts.size(); ++i)
                        word &= edge.facts[i].table->block(place(edge.facts[i], context), value)[x];
                any |= word;
                reached[x] |= word;
            }
            if (!any) {
                a[w] &= ~(left & (~left + 1));
                changed = true;
            }
        }
    uint64_t any = 0;
    for (uint32_t x = 0; x < words; ++x) {
        changed = changed || b[x] != reached[x];
        b[x] = reached[x];
        any |= reached[x];
    }
    return any != 0;
}

bool BitTester::revise(const Edge& edge, uint32_t context, Domains& domains, bool& changed) {
    if (edge.count == 2) return revise_pair(edge, context, domains, changed);
    const Table& table = *edge.facts[0].table;
    const uint32_t at = place(edge.facts[0], context);
    Domains reached(domains.size(), 0);
    bool any = false;
    for (uint32_t row = table.starts[at]; row < table.starts[at + 1]; ++row) {
        const uint32_t* const numbers = table.rows.data() + size_t(row) * edge.count;
        bool inside = true;
        for (uint32_t i = 0; i < edge.count && inside; ++i)
            inside = domains[offsets_[edge.variables[i]] + (numbers[i] >> 6)] >> (numbers[i] & 63) & 1;
        if (!inside) continue;
        any = true;
        for (uint32_t i = 0; i < edge.count; ++i)
            reached[offsets_[edge.variables[i]] + (numbers[i] >> 6)] |= uint64_t(1) << (numbers[i] & 63);
    }
    for (uint32_t i = 0; i < edge.count; ++i) {
        const uint32_t variable = edge.variables[i];
        for (uint32_t w = offsets_[variable]; w < offsets_[variable] + widths_[variable]; ++w) {
            changed = changed || domains[w] != reached[w];
            domains[w] = reached[w];
        }
    }
    return any;
}

bool BitTester::propagate(uint32_t context, Domains& domains) {
    for (bool changed = true; changed;) {
        changed = false;
        for (const Edge& edge : edges_)
            if (!revise(edge, context, domains, changed)) return false;
        if (edges_.size() < 2) break;  // a single edge is consistent after one look
    }
    return true;
}

// A variable on a cycle among those that are not assigned; -1 if there is no cycle.
int BitTester::cutting(Variables assigned) const {
    std::array<uint8_t, most_variables> root;
    for (uint32_t v = 0; v < most_variables; ++v) root[v] = static_cast<uint8_t>(v);
    const auto find = [&](uint32_t v) {
        while (root[v] != v) v = root[v];
        return v;
    };
    for (const Edge& edge : edges_) {
        int first = -1;
        for (uint32_t i = 0; i < edge.count; ++i) {
            if (assigned >> edge.variables[i] & 1) continue;
            const uint32_t here = find(edge.variables[i]);
            if (first < 0) first = static_cast<int>(here);
            else if (here == static_cast<uint32_t>(first)) return edge.variables[i];
            else root[here] = static_cast<uint8_t>(first);
        }
    }
    return -1;
}

bool BitTester::decide(uint32_t context, Domains& domains, Variables assigned, bool all) {
    if (!propagate(context, domains)) return false;
    const int variable = cutting(assigned);
    if (variable < 0) {
        for (Variables left = variables_; left; left &= left - 1) {
            const uint32_t v = lowest_one(left);
            uint64_t any = 0;
            for (uint32_t w = 0; w < widths_[v]; ++w) any |= domains[offsets_[v] + w];
            if (!any) return false;
        }
        if (all)
            for (uint32_t w = 0; w < block_; ++w) supports_[size_t(context) * block_ + w] |= domains[w];
        return true;
    }
    bool found = false;
    const Variables now = assigned | Variables(1) << variable;
    Domains& chosen = stack_[count_ones(now)];
    for (uint32_t w = 0; w < widths_[variable]; ++w)
        for (uint64_t left = domains[offsets_[variable] + w]; left; left &= left - 1) {
            chosen = domains;
            std::fill_n(chosen.begin() + offsets_[variable], widths_[variable], 0);
            chosen[offsets_[variable] + w] = left & (~left + 1);
            if (!decide(context, chosen, now, all)) continue;
            found = true;
            if (!all) return true;
        }
    return found;
}

// Whether the body with the added literal, which has several of its variables, holds.
bool BitTester::holds(uint32_t context) {
    Domains& domains = stack_[0];
    const uint64_t* const block = supports_.data() + size_t(context) * block_;
    domains.assign(block, block + block_);
    if (!added_closes_) {
        // The edge was there before, in a graph without cycles: any binding of it extends to all.
        bool changed = false;
        for (Edge& edge : edges_)
            if (edge.facts.back().narrowing == nullptr) return revise(edge, context, domains, changed);
    }
    return decide(context, domains, 0, false);
}

bool BitTester::test(const Literal& added, Coverage& coverage) {
    const Variables joined = added.variables() & variables_;
    const Variables head = added.variables() & language_.head_variables();
    const uint32_t count = count_ones(joined);
    if (joined && !supported_) find_supports();
    const bool pair = count == 2;
    const bool ordered = [&] {
        uint32_t last = 0;
        for (uint32_t a = 0; a < added.arity; ++a)
            if (joined >> added.args[a] & 1) {
                if (added.args[a] < last) return false;
                last = added.args[a];
            }
        return true;
    }();
    const Table& table = this->table(added, joined, pair && !ordered);
    const Variables mask = worlds_.widened(mask_ | head);
    const Contexts& contexts = this->contexts(mask);
    const uint32_t* const to_parent = narrowing(mask, mask_);
    const uint32_t* const to_table = narrowing(mask, table.mask);
    const size_t edges = edges_.size();
    if (count > 1) {
        connect(added, joined, true);
        added_closes_ = edges_.size() != edges || cutting(0) >= 0;
    }
    const uint32_t variable = joined ? lowest_one(joined) : 0;
    const uint64_t* const supports = joined ? supports_.data() + offsets_[variable] : nullptr;
    const auto covers = [&](uint32_t context) {
        const uint32_t parent = to_parent[context];
        added_context_ = to_table[context];
        if (count == 0) return table.block(added_context_)[0] != 0;
        if (count == 1) return meet(supports + size_t(parent) * block_, table.block(added_context_), table.words);
        return holds(parent);
    };
    hits_.clear();
    const auto test_all = [&](uint32_t first, uint32_t last) {
        if (mask == mask_) {
            const auto from = std::lower_bound(covered_.begin(), covered_.end(), first);
            const auto to = std::lower_bound(covered_.begin(), covered_.end(), last);
            for (auto c = from; c != to; ++c)
                if (covers(*c)) hits_.push_back(*c);
        } else {
            for (uint32_t c = first; c < last; ++c)
                if (is_covered_[to_parent[c]] && covers(c)) hits_.push_back(c);
        }
    };
    test_all(0, contexts.positive);
    const bool any = !hits_.empty();
    if (any) test_all(contexts.positive, contexts.count);
    if (count > 1) {  // take the added literal out again
        if (edges_.size() != edges) edges_.pop_back();
        else
            for (Edge& edge : edges_)
                if (edge.facts.back().narrowing == nullptr) edge.facts.pop_back();
    }
    if (any) expand(contexts, coverage);
    return any;
}

void BitTester::expand(const Contexts& contexts, Coverage& coverage) const {
    coverage.assign(words_, 0);
    const uint32_t positives = worlds_.examples().positives;
    for (uint32_t context : hits_)
        for (uint32_t i = contexts.starts[context]; i < contexts.starts[context + 1]; ++i) {
            uint32_t e = contexts.members[i];
            uint64_t* words = coverage.data();
            if (e >= positives) e -= positives, words += positive_words_;
            words[e >> 6] |= uint64_t(1) << (e & 63);
        }
}

}  // namespace joiner::mining
