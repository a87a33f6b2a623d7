// The rules that the miner builds: what a body may hold, and when it is legal (docs/reference/hypothesis-space.md).
//
// Bodies grow one literal at a time. A body that is not legal yet, because a variable occurs once or
// the directions cannot be satisfied, may still become so: it is *partial*.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#include "../facts/store.hpp"
#include "width.hpp"

namespace joiner::mining::JOINER_WIDTH {

// A conjunction of literals as codes. Variables are numbered without gaps: those of the head first, then the others.
struct Body {
    uint32_t length = 0;
    uint32_t variables = 0;  // with those of the head, whether they occur or not
    std::array<Code, most_literals> codes{};
};

struct Predicate {
    Relation* relation = nullptr;
    uint32_t arity = 0;
    std::array<int16_t, most_arguments> types{};  // -1: none
    Columns inputs = 0;                           // arguments that must be bound before
    // Two arguments that may be exchanged, because the facts, types and directions do not tell them apart.
    int8_t first = -1, second = -1;
    Columns determined = 0;  // arguments whose value follows from all the others, in the facts
    // The order of two arguments that may be exchanged still matters in one way: p(X,Y) and p(Y,X) are two literals,
    // and where singletons are forbidden the second can be there for its variables. It is written as a literal of a
    // predicate of its own, the twin of p, which stands only next to the literal of p with the same arguments.
    int32_t twin_of = -1;
};

// No body holds all of these literals under any assignment of variables to the pattern's.
struct Forbidden {
    struct Pattern {
        uint32_t predicate;
        std::vector<uint32_t> args;
    };
    std::vector<Pattern> literals;
    std::vector<int32_t> fixed;  // by pattern variable the head variable it stands for, or -1
};

// A literal with its arguments as numbers of variables. No variable occurs twice in a literal.
struct Literal {
    uint32_t predicate = 0;
    uint32_t arity = 0;
    std::array<uint8_t, most_arguments> args{};

    Variables variables() const {
        Variables set = 0;
        for (uint32_t i = 0; i < arity; ++i) set |= Variables(1) << args[i];
        return set;
    }
};

class Language {
  public:
    std::vector<Predicate> predicates;
    uint32_t head_arity = 0;
    std::vector<int16_t> head_types;
    Variables required = 0;          // head variables that a rule of a hypothesis mentions
    std::vector<Variables> demands;  // sets of head variables that may be unbound (logic/dominance.py)
    uint32_t max_variables = 0, max_body = 0;
    bool singletons = false;
    bool splittable = false;
    bool fragments = true;  // a rule may leave head variables out and rely on their being bound
    bool exchange = true, repeat = true, imply = true;  // prunings by the facts that are used: see `prunings` below
    bool bits = true;                                   // lay the facts out as bits, unless they are too many
    std::vector<Forbidden> forbidden;
    std::vector<std::pair<int16_t, uint32_t>> most_of_type;
    std::vector<std::pair<uint32_t, uint32_t>> most_of_predicate;

    // Look at the facts: which arguments can be exchanged, and which follow from others.
    void prepare();
    // The literal as it is written in a rule, without twins.
    Literal written(Code code) const;

    Code code(const Literal& literal) const;
    Literal literal(Code code) const {
        Literal literal;
        literal.predicate = predicate_of(code);
        literal.arity = predicates[literal.predicate].arity;
        // Where there is room for a few only, all of them are faster.
        const uint32_t count = most_arguments > usual_arguments ? literal.arity : most_arguments;
        for (uint32_t i = 0; i < count; ++i) literal.args[i] = argument_of(code, i);
        return literal;
    }
    Variables variables(Code code) const {
        Variables set = 0;
        const uint32_t arity = predicates[predicate_of(code)].arity;
        for (uint32_t i = 0; i < arity; ++i) set |= Variables(1) << argument_of(code, i);
        return set;
    }
    Variables head_variables() const { return (Variables(1) << head_arity) - 1; }

    // Literals that extend the body to another one that is connected, well typed, and that no restriction forbids.
    // Of predicates with many arguments there can be more than anyone can wait for: `visit` throws to end it.
    void extensions(const Body& body, const std::function<void(const Literal&)>& visit) const;
    std::vector<Literal> extensions(const Body& body, size_t most) const;
    Body extended(const Body& body, const Literal& literal) const;

    // The representative of the body's renumberings. `image` gets the place of the body's last literal in it;
    // `rigid` whether no renumbering leaves the body as it is.
    Body canonical(const Body& body, uint32_t& image, bool& rigid) const;
    // A body is only made from one of its parts: the one without the last literal, in its canonical form, that it
    // can do without. Predicates come first in the order of literals, so most bodies are told without that form:
    // by a literal before the last one that has a later predicate and can be done without.
    bool is_surely_not_parent(const Body& extended) const;
    bool is_parent(const Body& parent, const Body& child, uint32_t image, bool rigid) const;
    Body parent(const Body& canonical) const;  // in its canonical form
    // The body without the literal at this place; what is left is in no particular form.
    Body without(const Body& body, uint32_t place) const;

    // Whether two literals say that two different variables have the same value, and the body in which they are
    // one, with a literal less, is legal whenever this one is, however both are extended.
    bool repeats_itself(const Body& body) const;
    // Whether a literal that follows from the rest of the body is of no use, however the body is extended:
    // legal is then also what is left without it.
    bool is_dispensable(const Body& rest, const Literal& literal) const;

    Variables mentioned(const Body& body) const;  // head variables that occur
    bool is_legal(const Body& body) const;
    bool can_become_legal(const Body& body) const;
    // For which demands the body binds a variable that is asked for, and for which it gets stuck.
    std::pair<uint64_t, uint64_t> profile(const Body& body) const;

    // Whether the body hangs together, without the literal at this place.
    bool is_connected(const Body& body, uint32_t without = most_literals) const;

  private:
    bool is_allowed(const Body& body, const Literal& added) const;
    Code of_twin(Code twin) const {
        return with_predicate(twin, static_cast<uint32_t>(predicates[predicate_of(twin)].twin_of));
    }
    bool matches(const Forbidden& forbidden, size_t next, std::vector<int32_t>& assigned, const Body& body) const;
    // Run what can be run; the variables that are bound at the end, and whether all has run.
    bool run(const Body& body, Variables& bound) const;
    bool runs(const Body& body) const;
    Variables once(const Body& body) const;  // body-only variables that occur once
    void add_twins();
    void find_meetings();
    Variables that_can_meet(const Body& body, uint32_t predicate, uint32_t argument) const;
    bool is_reflexive(int16_t type) const;
    bool stays_linked(const Body& body, uint32_t kept, uint32_t gone) const;

    std::vector<int16_t> reflexive_;  // types with two equal values in a fact; -1 stands for all

    // For each argument of a wide predicate the arguments, of all predicates, that share a value with it in the facts.
    std::vector<std::vector<bool>> meetings_;
    std::vector<uint32_t> first_column_;  // by predicate, where its arguments begin among those of all
    std::vector<int32_t> wide_column_;    // by argument, its place in `meetings_`, or -1

    uint32_t widest_ = 0;
    bool directed_ = false, typed_ = false;
};

// The prunings by the facts that can be switched off, by the names that Python has for them.
inline constexpr std::pair<const char*, bool Language::*> prunings[] = {
    {"exchange", &Language::exchange},
    {"repeat", &Language::repeat},
    {"imply", &Language::imply},
};

}  // namespace joiner::mining::JOINER_WIDTH
