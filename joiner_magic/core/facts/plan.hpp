// From a rule to a plan that decides it without enumerating all bindings.
//
// Once some variables are bound, the literals left fall into components that share no unbound
// variable. Components are independent: each is satisfiable or not by itself, and whether it is
// depends only on the values of the bound variables it mentions (its context). A plan is the tree
// of these decompositions: `test` looks a literal up, `all` joins independent parts, `branch`
// tries the rows of one literal and goes on with what is left of its component. The answer of a
// branch is cached by its context, so a rule whose variable graph is a tree costs time linear in
// the rows it touches, whatever its fan-out.
#pragma once

#include <deque>
#include <vector>

#include "store.hpp"

namespace joiner {

struct Arg {
    bool is_variable;
    uint32_t value;  // variable number or TermId
};

// A body literal of a rule to be evaluated. Exactly one of `relation` and `predicate` says where its facts come from.
struct Literal {
    Relation* relation;   // facts of the background knowledge; null for a predicate the program defines
    int32_t predicate;    // number of a predicate the program defines, or -1
    std::vector<Arg> args;
};

// A rule; its variables are numbered from 0 to `variables` - 1.
struct Rule {
    std::vector<Arg> head;
    std::vector<Literal> body;
    uint32_t variables;
};

// The rules of a program, grouped by the predicates they define.
struct Program {
    struct Defined {
        std::string name;
        uint32_t arity;
        std::vector<uint32_t> rules;
    };
    std::vector<Defined> predicates;
    std::vector<Rule> rules;
    int32_t target = -1;    // the predicate of the examples, -1 when the program does not define it
    bool tabled = false;    // some body literal calls a predicate the program defines
};

enum class PlanKind : uint8_t { test, all, branch };

// A value of a row: bind the variable, or compare with the value it got earlier in the same row.
struct Slot {
    uint32_t variable;
    bool compare;
};

// A node of a plan. `test` and `branch` look rows up by `key`; the child of a branch is what is left of its component.
struct PlanNode {
    explicit PlanNode(PlanKind kind) : kind(kind) {}
    PlanKind kind;
    bool pure = true;            // no literal below calls a predicate the program defines
    const Index* index = nullptr;
    int32_t pattern = -1;        // instead of an index: which table to ask
    std::vector<Arg> key;        // values for the bound arguments
    std::vector<Slot> slots;     // what the free arguments bind
    std::vector<uint32_t> children;
    int32_t cache = -1;
    std::vector<uint32_t> context;
};

// How literals of program-defined predicates are answered: patterns are (predicate, bound arguments).
class PatternRegistry {
  public:
    virtual ~PatternRegistry() = default;
    virtual int32_t pattern(uint32_t predicate, Columns mask) = 0;
};

// One stage of the enumeration of answers: a check, then a branch over rows or over all terms.
struct Stage {
    int32_t check = -1;    // node that must hold; -1 when there is nothing to check
    int32_t branch = -1;   // node whose rows are tried next; -1 when there is none
    int32_t domain = -1;   // variable that ranges over all known terms; -1 when there is none
};

// A conjunct of a rule without calls, together with the head arguments it mentions.
struct Root {
    uint32_t node;
    Columns mask;
    std::vector<uint32_t> variables;  // the head variable of each argument in the mask
    std::vector<uint64_t> key;        // of a literal that stands alone; empty for larger parts
};

struct Plan {
    std::vector<PlanNode> nodes;
    std::vector<Root> roots;      // of a rule to be tested on examples
    std::vector<Stage> stages;    // of a rule that answers calls
    uint32_t variables = 0;
    uint32_t caches = 0;
};

// Makes plans, one rule at a time. The relations must not change while a plan is used, as plans point to their indexes.
class Planner {
  public:
    explicit Planner(PatternRegistry* patterns = nullptr) : patterns_(patterns) {}
    // A plan with roots, for a rule whose head arguments are all given.
    Plan for_examples(const Rule& rule);
    // A plan with stages, for a rule of which the head arguments in the mask are given and the others are to be found.
    Plan for_calls(const Rule& rule, Columns mask);

  private:
    using Literals = std::vector<uint32_t>;

    uint32_t conjunction(const Literals& literals, bool nested);
    uint32_t part(const Literals& literals, bool nested);
    uint32_t lookup(uint32_t literal, bool bind);
    std::vector<Literals> components(const Literals& literals);
    uint32_t cheapest(const Literals& literals);
    double fanout(const Literal& literal);
    Columns bound_mask(const Literal& literal) const;
    uint32_t push(PlanNode node);
    void remember(PlanNode& node, const Literals& literals);
    void bind(uint32_t literal);
    void start(const Rule& rule);
    Root root(const Literals& literals);

    PatternRegistry* patterns_;
    const Rule* rule_ = nullptr;
    Plan plan_;
    std::vector<char> bound_;
};

}  // namespace joiner
