#include "tabling.hpp"

#include <algorithm>

namespace joiner {

namespace {
constexpr size_t most_cells = size_t(1) << 24;  // 64 MB of answers and keys

uint32_t count_bits(uint32_t mask) {
    uint32_t count = 0;
    for (; mask; mask &= mask - 1) ++count;
    return count;
}
}

Tabling::Tabling(const Program& program, Machine& machine, const TermBank& bank)
    : program_(program), machine_(machine), bank_(bank), reasons_(program.predicates.size()) {
    for (const auto& predicate : program.predicates) derived_.emplace_back(predicate.arity);
}

int32_t Tabling::pattern(uint32_t predicate, uint32_t mask) {
    for (size_t i = 0; i < patterns_.size(); ++i)
        if (patterns_[i].predicate == predicate && patterns_[i].mask == mask) return static_cast<int32_t>(i);
    patterns_.push_back({predicate, mask, RowSet(count_bits(mask)), {}, {}, {}});
    return static_cast<int32_t>(patterns_.size() - 1);
}

// Plans are made on first use: planning one pattern may register others, itself included.
void Tabling::prepare(Pattern& pattern) {
    for (uint32_t r : program_.predicates[pattern.predicate].rules) {
        Planner planner(this);
        Plan plan = planner.for_calls(program_.rules[r], pattern.mask);
        pattern.first_cache.push_back(caches_);
        caches_ += plan.caches;
        pattern.plans.push_back(std::move(plan));
        machine_.load(pattern.plans.back(), this, pattern.first_cache.back());
        machine_.forget(pattern.plans.back(), true);
    }
}

uint64_t Tabling::call(int32_t id, const TermId* key) {
    Pattern& pattern = patterns_[id];
    const auto [number, fresh] = pattern.keys.insert(key);
    const uint64_t call = (uint64_t(id) << 32) | number;
    if (fresh) {
        const uint32_t arity = program_.predicates[pattern.predicate].arity;
        pattern.calls.emplace_back(arity - count_bits(pattern.mask));
        occupy(arity + 1);
        enqueue(call);
    }
    return call;
}

void Tabling::enqueue(uint64_t call) {
    if (at(call).queued) return;
    at(call).queued = true;
    queue_.push_back(call);
}

Rows Tabling::ask(int32_t pattern, const TermId* key) {
    Call& asked = at(call(pattern, key));
    if (asked.readers.empty() || asked.readers.back() != current_) asked.readers.push_back(current_);
    return asked.answers.rows();
}

bool Tabling::holds(uint32_t predicate, const TermId* row) {
    const uint32_t arity = program_.predicates[predicate].arity;
    const uint32_t all = arity == 32 ? UINT32_MAX : (1u << arity) - 1;
    Call& asked = at(call(pattern(predicate, all), row));
    drain(asked);
    return asked.answers.count() > 0;
}

// Evaluate what is waiting until the call that was asked for is true or nothing is left to do.
void Tabling::drain(const Call& until) {
    while (!queue_.empty() && until.answers.count() == 0) {
        const uint64_t next = queue_.back();
        queue_.pop_back();
        at(next).queued = false;
        if (!machine_.budget().spend()) return;
        evaluate(next);
    }
}

bool Tabling::match_head(const Rule& rule, uint32_t mask, const TermId* key) {
    TermId* values = machine_.values();
    for (uint32_t i = 0; i < rule.head.size(); ++i) {
        if (!((mask >> i) & 1)) continue;
        const TermId value = *key++;
        const Arg& arg = rule.head[i];
        const TermId known = arg.is_variable ? values[arg.value] : arg.value;
        if (known != no_term && known != value) return false;
        if (arg.is_variable) values[arg.value] = value;
    }
    return true;
}

void Tabling::evaluate(uint64_t id) {
    current_ = id;
    Pattern& pattern = patterns_[id >> 32];
    const uint32_t number = static_cast<uint32_t>(id);
    const auto& rules = program_.predicates[pattern.predicate].rules;
    if (pattern.plans.empty()) prepare(pattern);
    const bool ground = pattern.calls[number].answers.rows().width == 0;
    for (size_t i = 0; i < rules.size(); ++i) {
        if (ground && pattern.calls[number].answers.count()) return;
        machine_.load(pattern.plans[i], this, pattern.first_cache[i]);
        machine_.forget(pattern.plans[i], false);
        if (match_head(program_.rules[rules[i]], pattern.mask, pattern.keys.row(number)))
            answer(pattern.plans[i], rules[i], 0);
    }
}

// Run a plan from one of its stages on; true when no further answer is wanted.
bool Tabling::answer(const Plan& plan, uint32_t rule, size_t at_stage) {
    const Stage& stage = plan.stages[at_stage];
    if (stage.check >= 0 && !machine_.holds(static_cast<uint32_t>(stage.check))) return false;
    if (stage.domain >= 0) {
        const TermId terms = static_cast<TermId>(bank_.size());
        for (TermId term = 0; term < terms; ++term) {
            if (!machine_.budget().spend()) return true;
            machine_.values()[stage.domain] = term;
            if (answer(plan, rule, at_stage + 1)) return true;
        }
        return false;
    }
    if (stage.branch < 0) return add_answer(rule);
    const PlanNode& node = plan.nodes[stage.branch];
    // A rule may add to the very table it reads: take the rows by number, they can move.
    const uint32_t count = machine_.rows(node).count;
    for (uint32_t i = 0; i < count; ++i) {
        if (!machine_.budget().spend()) return true;
        const Rows found = machine_.rows(node);
        if (machine_.bind(node, found.first + size_t(i) * found.width) && answer(plan, rule, at_stage + 1))
            return true;
    }
    return false;
}

bool Tabling::add_answer(uint32_t number) {
    if (machine_.budget().exhausted()) return true;
    const Pattern& pattern = patterns_[current_ >> 32];
    const Rule& rule = program_.rules[number];
    Call& call = at(current_);
    std::vector<TermId> row, free;
    for (uint32_t i = 0; i < rule.head.size(); ++i) {
        const Arg& arg = rule.head[i];
        row.push_back(arg.is_variable ? machine_.values()[arg.value] : arg.value);
        if (!((pattern.mask >> i) & 1)) free.push_back(row.back());
    }
    if (call.answers.insert(free.data()).second) {
        occupy(row.size() + 1);
        if (keep_reasons_ && derived_[pattern.predicate].insert(row.data()).second)
            reasons_[pattern.predicate].push_back(
                {number, {machine_.values(), machine_.values() + rule.variables}});
        wake(call);
    }
    return free.empty();
}

// Memory is part of the budget.
void Tabling::occupy(size_t cells) {
    cells_ += cells;
    if (cells_ > most_cells) machine_.budget().exhaust();
}

void Tabling::wake(Call& call) {
    std::vector<uint64_t> readers;
    readers.swap(call.readers);
    for (uint64_t reader : readers) enqueue(reader);
}

const Tabling::Reason* Tabling::reason(uint32_t predicate, const TermId* row) const {
    const uint32_t number = derived_[predicate].find(row);
    return number == no_term ? nullptr : &reasons_[predicate][number];
}

}  // namespace joiner
