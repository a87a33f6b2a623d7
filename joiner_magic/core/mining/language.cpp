#include "language.hpp"

#include <algorithm>

#include "../bits.hpp"

namespace joiner::mining {

Code Language::code(const Literal& literal) const {
    const Predicate& predicate = predicates[literal.predicate];
    auto args = literal.args;
    if (predicate.first >= 0 && args[predicate.first] > args[predicate.second])
        std::swap(args[predicate.first], args[predicate.second]);
    Code code = literal.predicate;
    for (uint32_t i = 0; i < most_arguments; ++i) code = code << 6 | (i < literal.arity ? args[i] : 0);
    return code;
}

Literal Language::written(Code code) const {
    Literal literal = this->literal(code);
    const Predicate& predicate = predicates[literal.predicate];
    if (predicate.twin_of < 0) return literal;
    literal.predicate = static_cast<uint32_t>(predicate.twin_of);
    std::swap(literal.args[predicate.first], literal.args[predicate.second]);
    return literal;
}

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
bool Language::is_connected(const Body& body, uint32_t without) const {
    std::array<Variables, most_literals> sets;
    uint32_t left = 0;
    Variables all = 0;
    for (uint32_t i = 0; i < body.length; ++i) {
        if (i == without) continue;
        all |= sets[left++] = variables(body.codes[i]);
        if (without < body.length && predicates[body.codes[i] >> 48].twin_of >= 0 &&
            of_twin(body.codes[i]) == body.codes[without])
            return false;
    }
    const Variables head = head_variables();
    if (head && (all & ~head) && !(all & head)) return false;
    if (left < 2) return true;
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

Variables Language::once(const Body& body) const {
    Variables seen = 0, again = 0;
    for (uint32_t i = 0; i < body.length; ++i) {
        const Variables here = variables(body.codes[i]);
        again |= seen & here;
        seen |= here;
    }
    return seen & ~again & ~head_variables();
}

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

bool Language::runs(const Body& body) const {
    if (!directed_) return true;
    Variables bound = head_variables();
    if (!fragments && !demands.empty()) bound &= ~demands.back();
    return run(body, bound);
}

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

constexpr size_t most_extensions = 4'000'000;

// Chooses arguments one by one: variables of the head and the body, then new ones in order.
struct Extension {
    const Language& language;
    const Body& body;
    const std::array<int16_t, most_variables>& types;
    Variables occurring;  // body-only variables of the body
    std::vector<Literal>& found;
    Literal literal;
    Variables used = 0;

    void choose(uint32_t next, uint32_t fresh) {
        const Predicate& predicate = language.predicates[literal.predicate];
        if (next == predicate.arity) {
            if (is_connected()) found.push_back(literal);
            // A predicate with many arguments has more orders of many variables than anyone can wait for.
            if (found.size() > most_extensions) throw OutOfMemory{};
            return;
        }
        const int16_t type = predicate.types[next];
        const auto exchangeable = static_cast<int>(next) == predicate.second;
        for (uint32_t v = 0; v < fresh; ++v) {
            if (used >> v & 1) continue;
            if (exchangeable && v < literal.args[predicate.first]) continue;
            const int16_t known = v < body.variables ? types[v] : int16_t(-1);
            if (type >= 0 && known >= 0 && type != known) continue;
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

    bool is_connected() const {
        const Variables head = language.head_variables();
        if (!body.length) return !literal.arity || !head || (used & head);
        if (!language.splittable) return (used & occurring) != 0;
        return !head || !literal.arity || (used & (head | occurring));
    }
};

}  // namespace

void Language::extensions(const Body& body, std::vector<Literal>& found) const {
    found.clear();
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
    for (uint32_t p = 0; p < predicates.size(); ++p) {
        const size_t before = found.size();
        if (predicates[p].twin_of >= 0) {
            for (uint32_t i = 0; i < body.length; ++i) {
                Literal twin = this->literal(body.codes[i]);
                if (static_cast<int32_t>(twin.predicate) != predicates[p].twin_of) continue;
                twin.predicate = p;
                if (is_allowed(body, twin)) found.push_back(twin);
            }
            continue;
        }
        Literal literal;
        literal.predicate = p;
        literal.arity = predicates[p].arity;
        Extension{*this, body, types, occurring, found, literal}.choose(0, std::max(body.variables, head_arity));
        size_t kept = before;
        for (size_t i = before; i < found.size(); ++i)
            if (is_allowed(body, found[i])) found[kept++] = found[i];
        found.resize(kept);
    }
}

bool Language::is_allowed(const Body& body, const Literal& added) const {
    const Code code = this->code(added);
    const auto end = body.codes.begin() + body.length;
    if (std::find(body.codes.begin(), end, code) != end) return false;
    const Body child = extended(body, added);
    for (const auto& [predicate, most] : most_of_predicate)
        if (predicate == added.predicate) {
            uint32_t count = 0;
            for (uint32_t i = 0; i < child.length; ++i) count += child.codes[i] >> 48 == predicate;
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
    for (uint32_t i = 0; i < child.length; ++i) present |= uint64_t(1) << (child.codes[i] >> 48 & 63);
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

bool Language::matches(const Forbidden& pattern, size_t next, std::vector<int32_t>& assigned, const Body& body) const {
    if (next == pattern.literals.size()) return true;
    const auto& wanted = pattern.literals[next];
    for (uint32_t i = 0; i < body.length; ++i) {
        if (body.codes[i] >> 48 != wanted.predicate) continue;
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

}  // namespace joiner::mining
