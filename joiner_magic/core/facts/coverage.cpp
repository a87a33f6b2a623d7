// Tests rules on sets of examples as bitsets: component by component for rules over facts, example by example for
// programs that are tabled.
#include "coverage.hpp"

#include <algorithm>

namespace joiner {

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

// Whether the head has different variables only, which is the usual case and restricts no example.
bool plain_head(const Rule& rule) {
    std::vector<char> seen(rule.variables, 0);
    for (const Arg& arg : rule.head) {
        if (!arg.is_variable || seen[arg.value]) return false;
        seen[arg.value] = 1;
    }
    return true;
}

// Test one part of the body on each distinct tuple of the head arguments it mentions.
// A tuple is skipped if none of its examples is left. When the budget is exhausted, `holds` says no, and examples are
// taken out although nothing is known about them: the evaluation is then marked as unfinished.
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

// The examples that satisfy a literal that stands alone, remembered for the rules to come.
const Bits& satisfying(Machine& machine, const Root& root, ExampleSet& examples) {
    if (const Bits* known = examples.known(root.key)) return *known;
    Bits& bits = examples.remember(root.key);
    keep_satisfying(machine, root, examples, bits);
    return bits;
}

// The set of all examples.
Bits all_ones(uint32_t count) {
    Bits bits((count + 63) / 64, ~uint64_t(0));
    if (count % 64) bits.back() = (uint64_t(1) << (count % 64)) - 1;
    return bits;
}

}  // namespace

// A rule covers an example if each component holds for it, so each of them takes examples out of `bits`.
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

// The program and the machine must outlive the tester. A program that does not define its target covers nothing.
Tester::Tester(const Program& program, Machine& machine, const TermBank& bank)
    : program_(program), machine_(machine) {
    if (program.target < 0) return;
    if (program.tabled) {
        tabling_.emplace(program, machine, bank);
        return;
    }
    for (uint32_t r : program.predicates[program.target].rules)
        plans_.push_back(Planner().for_examples(program.rules[r]));
}

Bits Tester::covered(ExampleSet& examples) {
    if (program_.target < 0) return Bits((examples.count() + 63) / 64, 0);
    return tabling_ ? covered_by_tables(examples) : covered_by_rules(examples);
}

// Tables are kept from one example to the next, since calls recur.
Bits Tester::covered_by_tables(ExampleSet& examples) {
    Bits bits((examples.count() + 63) / 64, 0);
    for (uint32_t e = 0; e < examples.count(); ++e)
        if (tabling_->holds(static_cast<uint32_t>(program_.target), examples.row(e)))
            bits[e >> 6] |= uint64_t(1) << (e & 63);
    return bits;
}

// Examples that one rule covers are not tested on the rules after it.
Bits Tester::covered_by_rules(ExampleSet& examples) {
    const auto& rules = program_.predicates[program_.target].rules;
    Bits open = all_ones(examples.count());  // examples that no rule so far covers
    Bits covered(open.size(), 0);
    for (size_t i = 0; i < rules.size(); ++i) {
        Bits bits = open;
        machine_.load(plans_[i], nullptr, 0);
        machine_.forget(plans_[i], true);
        keep_covered(machine_, program_.rules[rules[i]], plans_[i], examples, bits);
        for (size_t w = 0; w < bits.size(); ++w) {
            covered[w] |= bits[w];
            open[w] &= ~bits[w];
        }
    }
    return covered;
}

}  // namespace joiner
