// What a body may hold: connection, types, directions, restrictions of the user, and the enumeration of literals that
// extend a body. The canonical form is in canonical.cpp, prunings by the facts are in prunings.cpp.
#include "language.hpp"

#include <algorithm>

#include "../bits.hpp"

namespace joiner::mining::JOINER_WIDTH {

// A literal as a number. Two arguments that may be exchanged are put in ascending order, so that both ways to write the
// literal give the same code.
Code Language::code(const Literal& literal) const {
    const Predicate& predicate = predicates[literal.predicate];
    auto args = literal.args;
    if (predicate.first >= 0 && args[predicate.first] > args[predicate.second])
        std::swap(args[predicate.first], args[predicate.second]);
    return code_of(literal.predicate, args.data(), literal.arity);
}

// A twin is written as a literal of the predicate it belongs to, with its two arguments exchanged.
Literal Language::written(Code code) const {
    Literal literal = this->literal(code);
    const Predicate& predicate = predicates[literal.predicate];
    if (predicate.twin_of < 0) return literal;
    literal.predicate = static_cast<uint32_t>(predicate.twin_of);
    std::swap(literal.args[predicate.first], literal.args[predicate.second]);
    return literal;
}

// The body with the literal at its end. The result is in no canonical form. New variables of the literal must be
// numbered from the variables of the body on.
Body Language::extended(const Body& body, const Literal& literal) const {
    Body result = body;
    result.codes[result.length++] = code(literal);
    for (uint32_t i = 0; i < literal.arity; ++i)
        result.variables = std::max(result.variables, uint32_t(literal.args[i]) + 1);
    return result;
}

Variables Language::mentioned(const Body& body) const {
    Variables found = 0;
    for (uint32_t i = 0; i < body.length; ++i) found |= variables(body.codes[i]);
    return found & head_variables();
}

// A body that can be built literal by literal, each connected with those before: through body-only variables,
// so that it is not splittable, or else through any. The first literal has a variable of the head.
// With `without`, the body is looked at without the literal at that place. A literal cannot be left out while its twin
// remains.
bool Language::is_connected(const Body& body, uint32_t without) const {
    std::array<Variables, most_literals> sets;
    uint32_t left = 0;
    Variables all = 0;
    for (uint32_t i = 0; i < body.length; ++i) {
        if (i == without) continue;
        all |= sets[left++] = variables(body.codes[i]);
        if (without < body.length && predicates[predicate_of(body.codes[i])].twin_of >= 0 &&
            of_twin(body.codes[i]) == body.codes[without])
            return false;
    }
    const Variables head = head_variables();
    if (head && (all & ~head) && !(all & head)) return false;
    if (left < 2) return true;
    // If a body must not be splittable, literals are connected by body-only variables alone; then it does not matter
    // where to begin, so one literal is taken. Otherwise it begins with the variables of the head.
    Variables reached = splittable ? head : sets[--left] & ~head;
    while (left) {
        uint32_t rest = 0;
        for (uint32_t i = 0; i < left; ++i) {
            const bool free = splittable && (!head || !sets[i]);  // no head: nothing asks to be connected
            if (free || (sets[i] & reached)) reached |= splittable ? sets[i] : sets[i] & ~head;
            else sets[rest++] = sets[i];
        }
        if (rest == left) return false;
        left = rest;
    }
    return true;
}

// A literal never has a variable twice, so a variable that occurs again is in another literal.
Variables Language::once(const Body& body) const {
    Variables seen = 0, again = 0;
    for (uint32_t i = 0; i < body.length; ++i) {
        const Variables here = variables(body.codes[i]);
        again |= seen & here;
        seen |= here;
    }
    return seen & ~again & ~head_variables();
}

// Runs the literals whose inputs are bound, until no more can run. Each of them binds its variables. Since binding more
// never hinders a literal, the order does not matter. `bound` has the head variables that are bound at first.
bool Language::run(const Body& body, Variables& bound) const {
    uint32_t left = body.length;
    std::array<bool, most_literals> done{};
    for (bool changed = true; left && changed;) {
        changed = false;
        for (uint32_t i = 0; i < body.length; ++i) {
            if (done[i]) continue;
            const Literal literal = this->literal(body.codes[i]);
            bool ready = true;
            for (uint32_t a = 0; a < literal.arity; ++a)
                if ((predicates[literal.predicate].inputs >> a & 1) && !(bound >> literal.args[a] & 1)) ready = false;
            if (!ready) continue;
            bound |= variables(body.codes[i]);
            done[i] = changed = true;
            --left;
        }
    }
    return !left;
}

// Whether the directions let the body run. A fragment may rely on others to bind the outputs of the head; where rules
// are not joined, those outputs (the last demand) are not bound at first.
bool Language::runs(const Body& body) const {
    if (!directed_) return true;
    Variables bound = head_variables();
    if (!fragments && !demands.empty()) bound &= ~demands.back();
    return run(body, bound);
}

// For each demand, as a bit: whether the body binds one of the demanded variables although all of them are unbound at
// first (progress), and whether some literal cannot run then (stuck).
std::pair<uint64_t, uint64_t> Language::profile(const Body& body) const {
    uint64_t progress = 0, stuck = 0;
    for (size_t i = 0; i < demands.size(); ++i) {
        Variables bound = head_variables() & ~demands[i];
        const bool all = run(body, bound);
        progress |= uint64_t((bound & demands[i]) != 0) << i;
        stuck |= uint64_t(!all) << i;
    }
    return {progress, stuck};
}

// A body that is a rule by itself, or a fragment that may be joined with others.
bool Language::is_legal(const Body& body) const {
    if (!singletons && once(body)) return false;
    if (!fragments && (required & ~mentioned(body))) return false;
    return runs(body);
}

// Each literal to come has so many arguments at most, and the last one must make all right.
bool Language::can_become_legal(const Body& body) const {
    const uint32_t left = max_body - body.length;
    uint32_t open = 0;
    if (!singletons) open = count_ones(once(body));
    if (!fragments) open = std::max(open, count_ones(required & ~mentioned(body)));
    if (open > left * widest_) return false;
    return left > 0 || runs(body);
}

namespace {

// Whether the arguments from `next` on can be given different variables of those that are allowed for each, or one of
// `fresh` new ones: as many as can be are given a variable that is there (a matching, by augmenting paths).
struct Matching {
    const std::array<Variables, most_arguments>& allowed;
    Variables used;
    std::array<int8_t, most_variables> taken_by;
    Variables tried = 0;

    // Looks for an augmenting path. A variable that another argument has taken is free if that argument finds another
    // one. `tried` keeps each variable from being looked at twice.
    bool place(uint32_t argument) {
        for (Variables left = allowed[argument] & ~used & ~tried; left; left = allowed[argument] & ~used & ~tried) {
            const uint32_t variable = lowest_one(left);
            tried |= Variables(1) << variable;
            if (taken_by[variable] >= 0 && !place(static_cast<uint32_t>(taken_by[variable]))) continue;
            taken_by[variable] = static_cast<int8_t>(argument);
            return true;
        }
        return false;
    }

    // True if all arguments can be served. Greedy augmentation gives a maximum matching, so the arguments that are left
    // over need new variables in any case.
    static bool exists(const std::array<Variables, most_arguments>& allowed, Variables used, uint32_t next,
                       uint32_t arity, uint32_t fresh) {
        Matching matching{allowed, used, {}, 0};
        matching.taken_by.fill(-1);
        for (uint32_t argument = next; argument < arity; ++argument) {
            matching.tried = 0;
            if (matching.place(argument)) continue;
            if (!fresh) return false;
            --fresh;
        }
        return true;
    }
};

// Chooses arguments one by one: variables of the head and the body, then new ones in order.
struct Extension {
    const Language& language;
    const Body& body;
    const std::array<int16_t, most_variables>& types;
    Variables occurring;  // body-only variables of the body
    const std::function<void(const Literal&)>& found;
    Literal literal;
    std::array<Variables, most_arguments> allowed{};  // of a wide predicate: variables that are there, by argument
    bool wide = false;
    Variables used = 0;

    // Chooses the argument `next` and goes on to the following ones. `fresh` is the number of the next new variable.
    // New variables are taken in ascending order only, as other orders would be renamings of the same literal.
    void choose(uint32_t next, uint32_t fresh) {
        const Predicate& predicate = language.predicates[literal.predicate];
        if (next == predicate.arity) {
            if (is_connected()) found(literal);
            return;
        }
        // Without a way to the end there would be no end to looking for one.
        if (wide && !Matching::exists(allowed, used, next, predicate.arity, language.max_variables - fresh)) return;
        const int16_t type = predicate.types[next];
        const auto exchangeable = static_cast<int>(next) == predicate.second;
        for (uint32_t v = 0; v < fresh; ++v) {
            if (used >> v & 1) continue;
            if (exchangeable && v < literal.args[predicate.first]) continue;
            if (wide) {
                if (!(allowed[next] >> v & 1)) continue;
            } else {
                const int16_t known = v < body.variables ? types[v] : int16_t(-1);
                if (type >= 0 && known >= 0 && type != known) continue;
            }
            take(next, v, fresh);
        }
        if (fresh < language.max_variables) take(next, fresh, fresh + 1);
    }

    void take(uint32_t next, uint32_t variable, uint32_t fresh) {
        literal.args[next] = static_cast<uint8_t>(variable);
        used |= Variables(1) << variable;
        choose(next + 1, fresh);
        used &= ~(Variables(1) << variable);
    }

    // Whether the literal is connected with the body, or with the head if it is the first one.
    bool is_connected() const {
        const Variables head = language.head_variables();
        if (!body.length) return !literal.arity || !head || (used & head);
        if (!language.splittable) return (used & occurring) != 0;
        return !head || !literal.arity || (used & (head | occurring));
    }
};

// Thrown to end an enumeration that has given enough.
struct Enough {};

}  // namespace

// The types of the variables are those of the head arguments and of the arguments where they occur in the body. A twin
// is only offered next to a literal of its predicate with the same arguments.
void Language::extensions(const Body& body, const std::function<void(const Literal&)>& visit) const {
    std::array<int16_t, most_variables> types;
    types.fill(-1);
    std::copy(head_types.begin(), head_types.end(), types.begin());
    Variables occurring = 0;
    bool alone = false;  // a literal without body-only variables is a fragment by itself
    for (uint32_t i = 0; i < body.length; ++i) {
        const Literal literal = this->literal(body.codes[i]);
        occurring |= literal.variables() & ~head_variables();
        alone = alone || !(literal.variables() & ~head_variables());
        for (uint32_t a = 0; a < literal.arity; ++a)
            if (const int16_t type = predicates[literal.predicate].types[a]; type >= 0) types[literal.args[a]] = type;
    }
    if (alone && !splittable) return;
    const std::function<void(const Literal&)> found = [&](const Literal& literal) {
        if (is_allowed(body, literal)) visit(literal);
    };
    const uint32_t there = std::max(body.variables, head_arity);
    for (uint32_t p = 0; p < predicates.size(); ++p) {
        if (predicates[p].twin_of >= 0) {
            for (uint32_t i = 0; i < body.length; ++i) {
                Literal twin = this->literal(body.codes[i]);
                if (static_cast<int32_t>(twin.predicate) != predicates[p].twin_of) continue;
                twin.predicate = p;
                found(twin);
            }
            continue;
        }
        Literal literal;
        literal.predicate = p;
        literal.arity = predicates[p].arity;
        Extension extension{*this, body, types, occurring, found, literal};
        if (literal.arity > usual_arguments) {
            extension.wide = true;
            for (uint32_t a = 0; a < literal.arity; ++a) {
                const int16_t type = predicates[p].types[a];
                const Variables meeting = that_can_meet(body, p, a);
                for (uint32_t v = 0; v < there; ++v)
                    if ((meeting >> v & 1) && (type < 0 || types[v] < 0 || type == types[v]))
                        extension.allowed[a] |= Variables(1) << v;
            }
        }
        extension.choose(0, there);
    }
}

std::vector<Literal> Language::extensions(const Body& body, size_t most) const {
    std::vector<Literal> found;
    try {
        extensions(body, [&](const Literal& literal) {
            if (found.size() == most) throw Enough{};
            found.push_back(literal);
        });
    } catch (const Enough&) {
    }
    return found;
}

// A variable in two places has a value that both columns of the facts have. Where they share none, a body with the two
// literals covers nothing, and so does every extension of it: no fragment is lost without it. This is asked of wide
// predicates only, of which there are too many literals to test them all.
Variables Language::that_can_meet(const Body& body, uint32_t predicate, uint32_t argument) const {
    Variables meeting = ~Variables(0);
    if (meetings_.empty()) return meeting;
    const std::vector<bool>& shares = meetings_[wide_column_[first_column_[predicate] + argument]];
    for (uint32_t i = 0; i < body.length; ++i) {
        const Literal literal = written(body.codes[i]);
        for (uint32_t a = 0; a < literal.arity; ++a)
            if (!shares[first_column_[literal.predicate] + a]) meeting &= ~(Variables(1) << literal.args[a]);
    }
    return meeting;
}

// Whether the body with the literal obeys the restrictions: no literal twice, no more literals of a predicate and
// variables of a type than allowed, and no forbidden pattern. The body itself must obey them already. `present` is a
// filter: a predicate may share its bit with others, so a match is still looked for.
bool Language::is_allowed(const Body& body, const Literal& added) const {
    const Code code = this->code(added);
    const auto end = body.codes.begin() + body.length;
    if (std::find(body.codes.begin(), end, code) != end) return false;
    const Body child = extended(body, added);
    for (const auto& [predicate, most] : most_of_predicate)
        if (predicate == added.predicate) {
            uint32_t count = 0;
            for (uint32_t i = 0; i < child.length; ++i) count += predicate_of(child.codes[i]) == predicate;
            if (count > most) return false;
        }
    for (const auto& [type, most] : most_of_type) {
        Variables typed = 0;
        for (uint32_t v = 0; v < head_arity; ++v) typed |= Variables(head_types[v] == type) << v;
        for (uint32_t i = 0; i < child.length; ++i) {
            const Literal literal = this->literal(child.codes[i]);
            for (uint32_t a = 0; a < literal.arity; ++a)
                if (predicates[literal.predicate].types[a] == type) typed |= Variables(1) << literal.args[a];
        }
        if (count_ones(typed) > most) return false;
    }
    uint64_t present = 0;  // predicates, more or less
    for (uint32_t i = 0; i < child.length; ++i) present |= uint64_t(1) << (predicate_of(child.codes[i]) & 63);
    for (const Forbidden& pattern : forbidden) {
        // The body without the literal is allowed: what is forbidden now has it.
        bool may_match = pattern.literals.empty(), has_it = pattern.literals.empty();
        for (const auto& wanted : pattern.literals) has_it = has_it || wanted.predicate == added.predicate;
        if (has_it)
            may_match = std::all_of(pattern.literals.begin(), pattern.literals.end(),
                                    [&](const auto& wanted) { return present >> (wanted.predicate & 63) & 1; });
        if (!may_match) continue;
        std::vector<int32_t> assigned = pattern.fixed;
        if (matches(pattern, 0, assigned, child)) return false;
    }
    return true;
}

// Backtracking over the literals of the pattern from `next` on. `assigned` has the variable of the body for each
// variable of the pattern, or -1; different pattern variables may stand for the same one.
bool Language::matches(const Forbidden& pattern, size_t next, std::vector<int32_t>& assigned, const Body& body) const {
    if (next == pattern.literals.size()) return true;
    const auto& wanted = pattern.literals[next];
    for (uint32_t i = 0; i < body.length; ++i) {
        if (predicate_of(body.codes[i]) != wanted.predicate) continue;
        const Literal literal = this->literal(body.codes[i]);
        const std::vector<int32_t> before = assigned;
        bool fits = true;
        for (uint32_t a = 0; a < literal.arity && fits; ++a) {
            int32_t& value = assigned[wanted.args[a]];
            fits = value < 0 || value == literal.args[a];
            value = literal.args[a];
        }
        if (fits && matches(pattern, next + 1, assigned, body)) return true;
        assigned = before;
    }
    return false;
}

}  // namespace joiner::mining::JOINER_WIDTH
