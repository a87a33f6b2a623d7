// Tests bodies over facts that are too many, or too entangled, to be laid out as bits: by the evaluator that
// serves single programs, on the examples that the body without its last literal covers.
#pragma once

#include "../facts/evaluate.hpp"
#include "body_tester.hpp"
#include "worlds.hpp"

namespace joiner::mining::JOINER_WIDTH {

// Slower than the tester over bits, for one thread, and without knowledge of literals that follow from others.
class PlanTester : public BodyTester {
  public:
    PlanTester(const Language& language, const Examples& examples, const TermBank& bank,
               const std::atomic<bool>& cancel, std::function<void()> poll);

    void load(const Body& body, const uint64_t* coverage, const Goal& goal) override;
    bool test(const Literal& added, Coverage& coverage) override;
    void complete(Coverage& coverage) override;

  private:
    Rule rule(const Literal& added) const;
    void keep(const Bits& from, ExampleSet& examples, uint64_t* to);

    const Language& language_;
    uint32_t positive_words_;
    ExampleSet positives_, negatives_;
    Budget budget_;
    Machine machine_;
    Body body_;
    Coverage covered_;
    Rule rule_;
    Plan plan_;
};

}  // namespace joiner::mining::JOINER_WIDTH
