// Which examples does an extended body cover?
//
// For a body and each context it covers, the *support* of a variable is the set of values it has in some
// binding that makes the body true. With the supports at hand, extending the body by a literal that has one of
// its variables costs an intersection of two blocks per context. Supports are found by arc consistency: where the
// variables' graph has no cycle, every value that is left is in some binding. Where it has cycles, variables that
// cut them are given their values one by one. Literals over the same two variables count as one edge.
//
// A literal that has several variables of the body closes a cycle or doubles an edge: then the extended body
// is decided anew in each context, starting from the supports.
#pragma once

#include "body_tester.hpp"
#include "worlds.hpp"

namespace joiner::mining {

class BitTester : public BodyTester {
  public:
    BitTester(const Language& language, Worlds& worlds);

    void load(const Body& body, const uint64_t* coverage) override;
    bool test(const Literal& added, Coverage& coverage) override;

  private:
    struct Facts {
        const Table* table;
        const uint32_t* narrowing;  // from the body's contexts to the table's; null for the added literal
    };
    // Literals over the same body-only variables.
    struct Edge {
        std::array<uint8_t, most_arguments> variables{};
        uint32_t count = 0;
        std::vector<Facts> facts;
    };
    using Domains = std::vector<uint64_t>;

    const Table& table(const Literal& literal, Variables bound, bool reversed = false);
    const Contexts& contexts(Variables mask);
    const uint32_t* narrowing(Variables mask, Variables part);
    void find_supports();
    void connect(const Literal& literal, Variables bound, bool added);
    void lay_out();
    void start(uint32_t context, Domains& domains) const;
    // With `all`, every binding's values go to the supports; else one binding is enough.
    bool decide(uint32_t context, Domains& domains, Variables assigned, bool all);
    bool holds(uint32_t context);
    bool propagate(uint32_t context, Domains& domains);
    bool revise(const Edge& edge, uint32_t context, Domains& domains, bool& changed);
    bool revise_pair(const Edge& edge, uint32_t context, Domains& domains, bool& changed);
    int cutting(Variables assigned) const;
    uint32_t place(const Facts& facts, uint32_t context) const { return facts.narrowing ? facts.narrowing[context] : added_context_; }
    void expand(const Contexts& contexts, Coverage& coverage) const;

    const Language& language_;
    Worlds& worlds_;
    uint32_t positive_words_, words_;
    std::unordered_map<Code, const Table*> tables_;
    std::unordered_map<uint64_t, const uint32_t*> narrowings_;
    std::unordered_map<Variables, const Contexts*> contexts_;

    // The body at hand.
    Body body_;
    Variables mask_ = 0;       // head variables that number the contexts
    Variables variables_ = 0;  // body-only variables
    const Contexts* parents_ = nullptr;
    std::vector<uint32_t> covered_;
    std::vector<char> is_covered_;
    bool supported_ = false;
    std::vector<Facts> single_[most_variables];  // literals that have one body-only variable
    std::vector<Edge> edges_;                    // of the body, and while it is tested of the added literal
    std::array<uint32_t, most_variables> offsets_{}, widths_{};
    uint32_t block_ = 0;  // words of all domains in a context
    std::vector<uint64_t> full_, supports_;
    std::vector<Domains> stack_;

    // The added literal.
    uint32_t added_context_ = 0;
    bool added_closes_ = false;
    std::vector<uint32_t> hits_;
};

}  // namespace joiner::mining
