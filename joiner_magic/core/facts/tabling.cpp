// Tabled evaluation of programs that call what they define. A call is numbered by its pattern (32 bits) and its key
// within the pattern (32 bits). The header has the idea, and why it ends at the least model.
#include "tabling.hpp"

#include <algorithm>

namespace joiner {

namespace {
constexpr size_t most_cells = size_t(1) << 24;  // 64 MB of answers and keys
constexpr uint64_t rows_to_look_at = 1000;      // for a rule that may never hold: less than most examples take

// The number of columns in the mask.
uint32_t count_bits(Columns mask) {
    uint32_t count = 0;
    for (; mask; mask &= mask - 1) ++count;
    return count;
}

// Does the rule call a predicate that the program defines?
bool calls(const Rule& rule) {
    return std::any_of(rule.body.begin(), rule.body.end(), [](const Literal& l) { return l.predicate >= 0; });
}
}

// Programs are evaluated by one Tabling each; the machine is shared with others, one after the other.
Tabling::Tabling(const Program& program, Machine& machine, const TermBank& bank)
    : program_(program), machine_(machine), bank_(bank), reasons_(program.predicates.size()) {
    for (const auto& predicate : program.predicates) derived_.emplace_back(predicate.arity);
    find_rules();
}

// Many programs have a rule that no fact satisfies, and would be tried on every example in vain. A rule
// can derive something only if its body holds for some values, and what it calls can be derived.
// This is a fixpoint from below: a predicate is derivable if all literals of one of its rules are. All rules of a
// derivable predicate are kept, except those whose facts alone never hold. Rules over facts come first in each list.
void Tabling::find_rules() {
    const size_t predicates = program_.predicates.size();
    rules_.resize(predicates);
    std::vector<std::vector<uint32_t>> open(predicates);
    for (size_t p = 0; p < predicates; ++p)
        for (uint32_t r : program_.predicates[p].rules)
            if (!never_holds(program_.rules[r])) open[p].push_back(r);
    const auto derivable = [&](const Literal& l) { return l.predicate < 0 || !rules_[l.predicate].empty(); };
    for (size_t before = predicates + 1, left = predicates; left < before;) {
        before = left;
        left = 0;
        for (size_t p = 0; p < predicates; ++p) {
            const bool some = std::any_of(open[p].begin(), open[p].end(), [&](uint32_t r) {
                const auto& body = program_.rules[r].body;
                return std::all_of(body.begin(), body.end(), derivable);
            });
            if (some) rules_[p] = open[p];
            left += rules_[p].empty();
        }
    }
    for (auto& rules : rules_) {
        const auto first_calling = std::stable_partition(
            rules.begin(), rules.end(), [&](uint32_t r) { return !calls(program_.rules[r]); });
        over_facts_.push_back(static_cast<size_t>(first_calling - rules.begin()));
    }
}

// Is the body of a rule over facts alone false for all values? Undecided counts as no.
// The rule is tested as one without head arguments, so its variables may have any values.
bool Tabling::never_holds(const Rule& rule) {
    if (calls(rule)) return false;
    const Rule closed{{}, rule.body, rule.variables};
    const Plan plan = Planner().for_examples(closed);
    machine_.load(plan, nullptr, 0);
    machine_.forget(plan, true);
    const auto holds = [&] {
        return std::all_of(plan.roots.begin(), plan.roots.end(), [&](const Root& r) { return machine_.holds(r.node); });
    };
    return !machine_.budget().aside(rows_to_look_at, holds).value_or(true);
}

// The number of a pattern, which is registered at first use. There are few patterns, so they are compared one by one.
int32_t Tabling::pattern(uint32_t predicate, Columns mask) {
    for (size_t i = 0; i < patterns_.size(); ++i)
        if (patterns_[i].predicate == predicate && patterns_[i].mask == mask) return static_cast<int32_t>(i);
    patterns_.push_back({predicate, mask, RowSet(count_bits(mask)), {}, {}, {}});
    return static_cast<int32_t>(patterns_.size() - 1);
}

// Plans are made on first use: planning one pattern may register others, itself included.
void Tabling::prepare(Pattern& pattern) {
    for (uint32_t r : rules_[pattern.predicate]) {
        Planner planner(this);
        Plan plan = planner.for_calls(program_.rules[r], pattern.mask);
        pattern.first_cache.push_back(caches_);
        caches_ += plan.caches;
        pattern.plans.push_back(std::move(plan));
        machine_.load(pattern.plans.back(), this, pattern.first_cache.back());
        machine_.forget(pattern.plans.back(), true);
    }
}

// The number of the call with these values. A new one gets an empty table, and is put in the queue to be evaluated.
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

// A call is in the queue at most once.
void Tabling::enqueue(uint64_t call) {
    if (at(call).queued) return;
    at(call).queued = true;
    queue_.push_back(call);
}

// The answers of a call as they are now. The call that is being evaluated is noted as a reader, so that it is evaluated
// again when there are more answers. Only the last reader is compared: a repetition does no harm.
Rows Tabling::ask(int32_t pattern, const TermId* key) {
    Call& asked = at(call(pattern, key));
    if (asked.last_reader == no_reader || readers_[asked.last_reader].call != current_) add_reader(asked);
    return asked.answers.rows();
}

bool Tabling::holds(uint32_t predicate, const TermId* row) {
    if (rules_[predicate].empty()) return false;
    const uint32_t arity = program_.predicates[predicate].arity;
    const Columns all = (Columns(1) << arity) - 1;
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

// Gives the head variables the values of the call; false if a constant or a repeated variable does not fit.
bool Tabling::match_head(const Rule& rule, Columns mask, const TermId* key) {
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

// Evaluates all rules of a call against the tables as they are. A call without free arguments is done with its first
// answer. Cached answers that depend on tables are dropped first, as tables may have grown.
void Tabling::evaluate(uint64_t id) {
    current_ = id;
    Pattern& pattern = patterns_[id >> 32];
    const uint32_t number = static_cast<uint32_t>(id);
    const auto& rules = rules_[pattern.predicate];
    if (pattern.plans.empty()) prepare(pattern);
    const bool ground = pattern.calls[number].answers.rows().width == 0;
    // Rules over facts come first, because they may spare other calls, and once: they gave all they have.
    const size_t first = pattern.calls[number].tried ? over_facts_[pattern.predicate] : 0;
    pattern.calls[number].tried = true;
    for (size_t i = first; i < rules.size(); ++i) {
        if (ground && pattern.calls[number].answers.count()) return;
        machine_.load(pattern.plans[i], this, pattern.first_cache[i]);
        machine_.forget(pattern.plans[i], false);
        if (match_head(program_.rules[rules[i]], pattern.mask, pattern.keys.row(number)))
            answer(pattern.plans[i], rules[i], 0);
    }
}

// Run a plan from one of its stages on; true when no further answer is wanted.
// `at_stage` is the stage to begin with. Each combination of rows or terms that passes all stages is an answer.
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

// Adds the head's instance under the current values to the table of the current call. True if no further answer is
// wanted: the call has no free arguments, or the budget is exhausted. Reasons are kept for the first derivation of an
// atom by any call, so that its premises were derived earlier.
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

// Appends the current call to the list of readers. Places of readers that were woken are used again.
void Tabling::add_reader(Call& call) {
    uint32_t number = free_reader_;
    if (number == no_reader) {
        number = static_cast<uint32_t>(readers_.size());
        readers_.emplace_back();
    } else {
        free_reader_ = readers_[number].next;
    }
    readers_[number] = {current_, no_reader};
    (call.last_reader == no_reader ? call.first_reader : readers_[call.last_reader].next) = number;
    call.last_reader = number;
}

// The readers are asked for again, and their places in the list are free.
// Each reader notes itself again when it is evaluated and asks.
void Tabling::wake(Call& call) {
    if (call.first_reader == no_reader) return;
    for (uint32_t reader = call.first_reader; reader != no_reader; reader = readers_[reader].next)
        enqueue(readers_[reader].call);
    readers_[call.last_reader].next = free_reader_;
    free_reader_ = call.first_reader;
    call.first_reader = call.last_reader = no_reader;
}

const Tabling::Reason* Tabling::reason(uint32_t predicate, const TermId* row) const {
    const uint32_t number = derived_[predicate].find(row);
    return number == no_term ? nullptr : &reasons_[predicate][number];
}

}  // namespace joiner
