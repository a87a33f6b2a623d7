// Which examples does an extended body cover?
//
// For a body and each context it covers, the *support* of a variable is the set of values it has in some
// binding that makes the body true. With the supports at hand, extending the body by a literal that has one of
// its variables costs an intersection of two blocks per context. Supports are found by arc consistency: where the
// variables' graph has no cycle, every value that is left is in some binding. Where it has cycles, variables that
// cut them are given their values one by one. Literals over the same two variables count as one edge.
//
// A variable that occurs once is projected away, until an extension takes it up: then the graph with it is
// made from the one without. Supports are found when they are first asked for: extensions that miss the goal early
// leave most contexts alone. A literal that has several variables of the body closes a cycle or doubles an edge: the
// extended body is decided anew in each context, starting from the supports.
#pragma once

#include <deque>

#include "body_tester.hpp"
#include "worlds.hpp"

namespace joiner::mining::JOINER_WIDTH {

// Tests bodies over the tables of Worlds. Each thread has a tester of its own. `load` sets the body, `test` and
// `complete` then decide one added literal after the other.
class BitTester : public BodyTester {
  public:
    BitTester(const Language& language, Worlds& worlds);

    void load(const Body& body, const uint64_t* coverage, const Goal& goal) override;
    bool test(const Literal& added, Coverage& coverage) override;
    void complete(Coverage& coverage) override;
    bool follows() const override { return follows_; }

  private:
    struct Facts {
        const Table* table;
        const Table* reversed;      // over two variables: the same facts by the second one
        const uint32_t* narrowing;  // from the body's contexts to the table's; null for the added literal
    };
    // Literals over the same body-only variables.
    struct Edge {
        std::array<uint8_t, most_arguments> variables{};
        uint32_t count = 0;
        std::vector<Facts> facts;
    };
    // Domains or supports of all variables of a graph in one context: their blocks one after the other.
    using Domains = std::vector<uint64_t>;

    // The body's graph over some of its variables, and their supports in the contexts that were asked for.
    struct Graph {
        Variables variables = 0;
        std::array<uint32_t, most_variables> offsets{}, widths{};  // of each variable's block in a context
        uint32_t block = 0;                                        // words of all blocks in a context
        std::array<std::vector<Facts>, most_variables> single;     // literals over one variable
        std::vector<Edge> edges;                                   // and over more
        std::vector<uint32_t> cuts;                                // variables whose values cut all cycles
        Graph* part = nullptr;                                     // without the variables that occur once
        Domains full, supports;
        std::vector<char> is_known;  // by context
    };

    const Table& table(const Literal& literal, Variables bound, bool reversed = false);
    const Contexts& contexts(Variables mask);
    const uint32_t* narrowing(Variables mask, Variables part);

    Graph& graph_over(Variables variables);
    void lay_out(Graph& graph, Variables variables);
    Edge edge(const Literal& literal, Variables bound, bool added);
    static Edge* same_pair(Graph& graph, const Edge& edge);
    void find_cuts(const Graph& graph, const Edge* added, std::vector<uint32_t>& cuts) const;
    const uint64_t* supports(Graph& graph, uint32_t context);
    void find_supports(Graph& graph, uint32_t context);

    // Whether there is a binding within the domains. With `extended`, of the body with the added literal; else of the
    // body, and all bindings are looked at and their values go to the supports.
    bool decide(Graph& graph, uint32_t context, Domains& domains, size_t depth, bool extended);
    bool propagate(const Graph& graph, uint32_t context, Domains& domains, bool extended);
    // Revising removes values that no fact supports; see consistency.cpp.
    bool revise(const Graph& graph, const Edge& edge, uint32_t context, Domains& domains, bool& changed);
    bool revise_pair(const Graph& graph, const Edge& edge, const Facts* added, uint32_t context, Domains& domains,
                     bool& changed);
    bool revise_words(const Edge& edge, const Facts* added, uint32_t context, uint64_t& one, uint64_t& other,
                      bool& changed) const;
    static bool revise_words(const Table::Grouped& grouped, size_t at, uint64_t& one, uint64_t& next, uint64_t& after,
                             bool& changed);
    bool holds(uint32_t context);
    bool holds_throughout(const Edge& edge, const uint64_t* supports, uint32_t context) const;
    uint32_t place(const Facts& facts, uint32_t context) const {
        return facts.narrowing ? facts.narrowing[context] : added_context_;
    }
    bool covers(uint32_t context);
    template <class Visit>
    void for_contexts(uint32_t first, uint32_t last, Visit visit);

    const Language& language_;
    Worlds& worlds_;
    uint32_t positive_words_, words_;
    std::unordered_map<Code, const Table*, CodeHash> tables_;
    std::unordered_map<uint64_t, const uint32_t*> narrowings_;
    std::unordered_map<Variables, const Contexts*> contexts_;

    // The body at hand.
    std::vector<Literal> literals_;
    Variables mask_ = 0;       // head variables that number the contexts
    Variables variables_ = 0;  // body-only variables
    Variables shared_ = 0;     // those that occur in several literals
    const Contexts* parents_ = nullptr;
    std::vector<uint32_t> covered_;
    std::vector<char> is_covered_;
    std::vector<const Bits*> required_;  // what an extension could cover of the goal
    bool has_goal_ = false, consistent_ = false;
    std::deque<Graph> graphs_;
    size_t graph_count_ = 0;  // those of this body; the others are kept for their memory
    std::vector<Domains> stack_;
    Domains reached_;

    // The added literal.
    Graph* graph_ = nullptr;  // with the variables that it joins; null if there are none
    const Table* table_ = nullptr;
    const Contexts* contexts_here_ = nullptr;
    const uint32_t *to_parent_ = nullptr, *to_table_ = nullptr;
    bool same_contexts_ = false;  // as the body without it
    uint32_t joined_ = 0;         // how many variables it joins
    uint32_t offset_ = 0;         // where the domain of the only one begins
    Edge added_;                  // if it joins several
    Edge* doubled_ = nullptr;     // the edge over the same two variables, if there is one
    std::vector<uint32_t> extended_cuts_;
    std::vector<const Bits*> possible_;
    uint32_t added_context_ = 0;
    bool follows_ = false;
};

}  // namespace joiner::mining::JOINER_WIDTH
