// The tester for tasks whose facts do not fit bits: each extended body is planned and evaluated as a rule. It makes use
// of the parent's coverage, as an extension covers no example that its parent does not cover.
#include "plan_tester.hpp"

#include <algorithm>
#include <limits>

#include "../bits.hpp"
#include "../facts/coverage.hpp"

namespace joiner::mining::JOINER_WIDTH {

// `cancel` and `poll` end a test that takes long. There is no limit on the rows of a test.
PlanTester::PlanTester(const Language& language, const Examples& examples, const TermBank& bank,
                       const std::atomic<bool>& cancel, std::function<void()> poll)
    : language_(language),
      positive_words_(static_cast<uint32_t>(words_for(examples.positives))),
      positives_(examples.arity),
      negatives_(examples.arity),
      budget_(cancel, std::move(poll)),
      machine_(bank, budget_) {
    for (uint32_t e = 0; e < examples.count(); ++e)
        (e < examples.positives ? positives_ : negatives_).add(examples.row(e));
}

// The goal is not used: tests on all examples are right as well, only slower.
void PlanTester::load(const Body& body, const uint64_t* coverage, const Goal&) {
    body_ = body;
    covered_.assign(coverage, coverage + positive_words_ + words_for(negatives_.count()));
}

// The body with the added literal as a rule for the evaluator. The head variables are the arguments of the head.
Rule PlanTester::rule(const Literal& added) const {
    Rule rule;
    for (uint32_t v = 0; v < language_.head_arity; ++v) rule.head.push_back({true, v});
    const Body body = language_.extended(body_, added);
    rule.variables = body.variables;
    for (uint32_t i = 0; i < body.length; ++i) {
        const Literal literal = language_.literal(body.codes[i]);
        joiner::Literal compiled{language_.predicates[literal.predicate].relation, -1, {}};
        for (uint32_t a = 0; a < literal.arity; ++a) compiled.args.push_back({true, literal.args[a]});
        rule.body.push_back(std::move(compiled));
    }
    return rule;
}

// Of the examples in `from` those that the rule covers are written to `to`. The plan must be the rule's.
void PlanTester::keep(const Bits& from, ExampleSet& examples, uint64_t* to) {
    Bits bits = from;
    budget_.start(std::numeric_limits<uint64_t>::max());
    machine_.load(plan_, nullptr, 0);
    machine_.forget(plan_, true);
    keep_covered(machine_, rule_, plan_, examples, bits);
    std::copy(bits.begin(), bits.end(), to);
}

// Never false, as this tester does not look at the goal.
bool PlanTester::test(const Literal& added, Coverage& coverage) {
    rule_ = rule(added);
    plan_ = Planner().for_examples(rule_);
    coverage.assign(covered_.size(), 0);
    keep(Bits(covered_.begin(), covered_.begin() + positive_words_), positives_, coverage.data());
    return true;
}

void PlanTester::complete(Coverage& coverage) {
    keep(Bits(covered_.begin() + positive_words_, covered_.end()), negatives_, coverage.data() + positive_words_);
}

}  // namespace joiner::mining::JOINER_WIDTH
