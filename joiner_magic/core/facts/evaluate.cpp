// Runs plans: decides nodes recursively, with caches by context and a budget of rows.
#include "evaluate.hpp"

#include <algorithm>

namespace joiner {

// Where the entry of a key is. The number of slots is a power of two; an entry is a stamp and the key.
size_t ContextCache::slot(const TermId* key, uint32_t width) const {
    return (hash_terms(key, width) & (slots_.size() / (width + 1) - 1)) * (width + 1);
}

// An entry's stamp holds the epoch above two bits of answer, so old entries die with the epoch.
ContextCache::Answer ContextCache::find(const TermId* key, uint32_t width) const {
    if (width == 1 && !dense_.empty()) {
        if (key[0] >= dense_.size()) return unknown;
        const uint32_t stamp = dense_[key[0]];
        return stamp >> 2 == epoch_ ? static_cast<Answer>(stamp & 3) : unknown;
    }
    if (slots_.empty() || width != width_) return unknown;
    const TermId* entry = &slots_[slot(key, width)];
    if (entry[0] >> 2 != epoch_ || !std::equal(key, key + width, entry + 1)) return unknown;
    return static_cast<Answer>(entry[0] & 3);
}

// A table that is more than half full of entries stored in this epoch grows up to a limit. Growing drops what it held:
// this only costs time. `terms` is the number of all terms, which bounds the array for contexts of one variable.
void ContextCache::store(const TermId* key, uint32_t width, bool answer, size_t terms) {
    const uint32_t value = answer ? yes : no;
    if (width == 1 && terms <= most_slots) {
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

// Caches of several plans can be in use at once; those of this plan begin at `first_cache`. `tables` may be null for
// plans without calls.
void Machine::load(const Plan& plan, Tables* tables, size_t first_cache) {
    plan_ = &plan;
    tables_ = tables;
    first_cache_ = first_cache;
    values_.assign(plan.variables, no_term);
    while (caches_.size() < first_cache + plan.caches) caches_.emplace_back();
}

// Drops cached answers. With `pure_too` false, only those that depend on tables: answers over facts alone stay right
// when tables grow.
void Machine::forget(const Plan& plan, bool pure_too) {
    for (const PlanNode& node : plan.nodes)
        if (node.cache >= 0 && (pure_too || !node.pure)) caches_[first_cache_ + node.cache].forget();
}

// The rows that agree with the bound arguments of the node's literal, from an index or from a table of the program.
Rows Machine::rows(const PlanNode& node) {
    TermId key[most_arguments];
    for (size_t i = 0; i < node.key.size(); ++i)
        key[i] = node.key[i].is_variable ? values_[node.key[i].value] : node.key[i].value;
    return node.index ? node.index->find(key) : tables_->ask(node.pattern, key);
}

// Binds the free variables to the values of a row; false if a repeated variable would have two values.
bool Machine::bind(const PlanNode& node, const TermId* row) {
    for (size_t i = 0; i < node.slots.size(); ++i) {
        const Slot slot = node.slots[i];
        if (!slot.compare) values_[slot.variable] = row[i];
        else if (values_[slot.variable] != row[i]) return false;
    }
    return true;
}

// Whether the node holds under the values of the variables that are bound. Values of other variables may be
// overwritten.
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

// Tries rows until one of them makes the rest of the component true. Contexts with very many variables are not cached.
// A false answer of an exhausted budget means nothing, so the caller has to look at the budget.
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

}  // namespace joiner
