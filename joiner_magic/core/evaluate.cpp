#include "evaluate.hpp"

#include <algorithm>

namespace joiner {

size_t ContextCache::slot(const TermId* key, uint32_t width) const {
    return (hash_terms(key, width) & (slots_.size() / (width + 1) - 1)) * (width + 1);
}

// An entry's stamp holds the epoch above two bits of answer, so old entries die with the epoch.
ContextCache::Answer ContextCache::find(const TermId* key, uint32_t width) const {
    if (width == 1) {
        if (key[0] >= dense_.size()) return unknown;
        const uint32_t stamp = dense_[key[0]];
        return stamp >> 2 == epoch_ ? static_cast<Answer>(stamp & 3) : unknown;
    }
    if (slots_.empty() || width != width_) return unknown;
    const TermId* entry = &slots_[slot(key, width)];
    if (entry[0] >> 2 != epoch_ || !std::equal(key, key + width, entry + 1)) return unknown;
    return static_cast<Answer>(entry[0] & 3);
}

void ContextCache::store(const TermId* key, uint32_t width, bool answer, size_t terms) {
    const uint32_t value = answer ? yes : no;
    if (width == 1) {
        if (dense_.size() < terms) dense_.resize(terms, 0);
        dense_[key[0]] = (epoch_ << 2) | value;
        return;
    }
    const size_t entries = slots_.size() / (width_ + 1);
    if (width != width_ || slots_.empty() || (used_ * 2 > entries && entries < most_slots)) {
        const size_t wanted = width != width_ || slots_.empty() ? 256 : entries * 4;
        width_ = width;
        slots_.assign(wanted * (width + 1), 0);
        used_ = 0;
    }
    TermId* entry = &slots_[slot(key, width)];
    entry[0] = (epoch_ << 2) | value;
    std::copy(key, key + width, entry + 1);
    ++used_;
}

void Machine::load(const Plan& plan, Tables* tables, size_t first_cache) {
    plan_ = &plan;
    tables_ = tables;
    first_cache_ = first_cache;
    values_.assign(plan.variables, no_term);
    while (caches_.size() < first_cache + plan.caches) caches_.emplace_back();
}

void Machine::forget(const Plan& plan, bool pure_too) {
    for (const PlanNode& node : plan.nodes)
        if (node.cache >= 0 && (pure_too || !node.pure)) caches_[first_cache_ + node.cache].forget();
}

Rows Machine::rows(const PlanNode& node) {
    TermId key[32];
    for (size_t i = 0; i < node.key.size(); ++i)
        key[i] = node.key[i].is_variable ? values_[node.key[i].value] : node.key[i].value;
    return node.index ? node.index->find(key) : tables_->ask(node.pattern, key);
}

bool Machine::bind(const PlanNode& node, const TermId* row) {
    for (size_t i = 0; i < node.slots.size(); ++i) {
        const Slot slot = node.slots[i];
        if (!slot.compare) values_[slot.variable] = row[i];
        else if (values_[slot.variable] != row[i]) return false;
    }
    return true;
}

bool Machine::holds(uint32_t id) {
    const PlanNode& node = plan_->nodes[id];
    switch (node.kind) {
        case PlanKind::test: {
            const Rows found = rows(node);
            // Bindings of a mere look-up matter only to a witness.
            if (found.count && keep_witness) bind(node, found.first);
            return found.count > 0;
        }
        case PlanKind::all:
            for (uint32_t child : node.children)
                if (!holds(child)) return false;
            return true;
        case PlanKind::branch: return branch(node);
    }
    return false;
}

bool Machine::branch(const PlanNode& node) {
    const uint32_t width = static_cast<uint32_t>(node.context.size());
    TermId key[64];
    const bool cached = node.cache >= 0 && width <= 64;
    ContextCache* cache = cached ? &caches_[first_cache_ + node.cache] : nullptr;
    if (cached) {
        for (uint32_t i = 0; i < width; ++i) key[i] = values_[node.context[i]];
        const auto answer = cache->find(key, width);
        if (answer == ContextCache::no || (answer == ContextCache::yes && !keep_witness))
            return answer == ContextCache::yes;
    }
    const Rows found = rows(node);
    bool result = false;
    for (uint32_t i = 0; i < found.count && !result; ++i) {
        if (!budget_.spend()) return false;
        result = bind(node, found.first + size_t(i) * found.width) &&
                 (node.children.empty() || holds(node.children[0]));
    }
    // An exhausted budget has answered "no" to what it did not look at: that must not be remembered.
    if (cached && !budget_.exhausted()) cache->store(key, width, result, bank_.size());
    return result;
}

namespace {

bool test_bit(const Bits& bits, uint32_t i) { return (bits[i >> 6] >> (i & 63)) & 1; }
void clear_bit(Bits& bits, uint32_t i) { bits[i >> 6] &= ~(uint64_t(1) << (i & 63)); }

// Constants and repeated variables in the head restrict the examples before the body does.
void keep_matching(const Rule& rule, ExampleSet& examples, Bits& bits) {
    std::vector<TermId> seen(rule.variables, no_term);
    for (uint32_t e = 0; e < examples.count(); ++e) {
        const TermId* row = examples.row(e);
        std::fill(seen.begin(), seen.end(), no_term);
        for (size_t i = 0; i < rule.head.size(); ++i) {
            const Arg& arg = rule.head[i];
            const TermId expected = arg.is_variable ? seen[arg.value] : arg.value;
            if (expected != no_term && expected != row[i]) clear_bit(bits, e);
            if (arg.is_variable) seen[arg.value] = row[i];
        }
    }
}

bool plain_head(const Rule& rule) {
    std::vector<char> seen(rule.variables, 0);
    for (const Arg& arg : rule.head) {
        if (!arg.is_variable || seen[arg.value]) return false;
        seen[arg.value] = 1;
    }
    return true;
}

// Test one part of the body on each distinct tuple of the head arguments it mentions.
void keep_satisfying(Machine& machine, const Root& root, ExampleSet& examples, Bits& bits) {
    const Projection& seen = examples.projection(root.mask);
    for (uint32_t g = 0; g < seen.tuples.count; ++g) {
        const uint32_t* first = seen.members.data() + seen.starts[g];
        const uint32_t* last = seen.members.data() + seen.starts[g + 1];
        if (std::none_of(first, last, [&](uint32_t e) { return test_bit(bits, e); })) continue;
        const TermId* tuple = seen.tuples.first + size_t(g) * seen.tuples.width;
        for (size_t i = 0; i < root.variables.size(); ++i) machine.values()[root.variables[i]] = tuple[i];
        if (!machine.holds(root.node))
            for (; first != last; ++first) clear_bit(bits, *first);
    }
}

const Bits& satisfying(Machine& machine, const Root& root, ExampleSet& examples) {
    if (const Bits* known = examples.known(root.key)) return *known;
    Bits& bits = examples.remember(root.key);
    keep_satisfying(machine, root, examples, bits);
    return bits;
}

}  // namespace

void keep_covered(Machine& machine, const Rule& rule, const Plan& plan, ExampleSet& examples, Bits& bits) {
    if (!plain_head(rule)) keep_matching(rule, examples, bits);
    for (const Root& root : plan.roots) {
        if (std::none_of(bits.begin(), bits.end(), [](uint64_t word) { return word != 0; })) return;
        // A single look-up spends no budget, so what it answers is always final and may be kept.
        if (!root.key.empty() && plan.nodes[root.node].kind == PlanKind::test) {
            const Bits& satisfied = satisfying(machine, root, examples);
            for (size_t w = 0; w < bits.size(); ++w) bits[w] &= satisfied[w];
        } else {
            keep_satisfying(machine, root, examples, bits);
        }
    }
}

}  // namespace joiner
