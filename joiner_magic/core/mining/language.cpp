#include "language.hpp"

#include <algorithm>

#include "../bits.hpp"

namespace joiner::mining {

namespace {

bool is_symmetric(Relation& relation, uint32_t i, uint32_t j) {
    const Rows rows = relation.rows();
    const Index& all = relation.index((1u << relation.arity) - 1);
    std::vector<TermId> row(relation.arity);
    for (uint32_t r = 0; r < rows.count; ++r) {
        std::copy_n(rows.first + size_t(r) * rows.width, rows.width, row.begin());
        std::swap(row[i], row[j]);
        if (!all.find(row.data()).count) return false;
    }
    return true;
}

// Whether the other arguments of a fact leave one value for this one.
bool is_determined(Relation& relation, uint32_t argument) {
    const Index& others = relation.index(((1u << relation.arity) - 1) & ~(1u << argument));
    return others.fanout() <= 1.0;
}

}  // namespace

void Language::prepare() {
    widest_ = 1;
    typed_ = std::any_of(head_types.begin(), head_types.end(), [](int16_t type) { return type >= 0; });
    for (uint32_t p = 0; p < predicates.size(); ++p) {
        Predicate& predicate = predicates[p];
        widest_ = std::max(widest_, predicate.arity);
        directed_ = directed_ || predicate.inputs;
        for (uint32_t a = 0; a < predicate.arity; ++a) typed_ = typed_ || predicate.types[a] >= 0;
        const bool named = std::any_of(forbidden.begin(), forbidden.end(), [&](const Forbidden& pattern) {
            return std::any_of(pattern.literals.begin(), pattern.literals.end(), [&](const auto& l) { return l.predicate == p; });
        });
        for (uint32_t j = 0; j < predicate.arity; ++j) {
            if (is_determined(*predicate.relation, j)) predicate.determined |= 1u << j;
            for (uint32_t i = 0; i < j; ++i) {
                if (predicate.types[i] != predicate.types[j] && predicate.types[i] >= 0 && predicate.types[j] >= 0) continue;
                const Rows rows = predicate.relation->rows();
                for (uint32_t r = 0; r < rows.count; ++r)
                    if (rows.first[size_t(r) * rows.width + i] == rows.first[size_t(r) * rows.width + j]) {
                        reflexive_.push_back(predicate.types[i]);
                        reflexive_.push_back(predicate.types[j]);
                        break;
                    }
                const bool alike = predicate.types[i] == predicate.types[j] && (predicate.inputs >> i & 1) == (predicate.inputs >> j & 1);
                // p(X,Y) and p(Y,X) are two literals in which Y occurs, and are one if the order is nothing.
                if (exchange && singletons && predicate.first < 0 && alike && !named && is_symmetric(*predicate.relation, i, j)) {
                    predicate.first = static_cast<int8_t>(i);
                    predicate.second = static_cast<int8_t>(j);
                }
            }
        }
    }
}

bool Language::is_reflexive(int16_t type) const {
    return std::any_of(reflexive_.begin(), reflexive_.end(), [&](int16_t known) { return known < 0 || type < 0 || known == type; });
}

// Let p(X,Y) and p(X,Z) be in the body, and X determine the last argument: then Y and Z are equal. With Y for Z the two
// literals are one. No fact has two equal values of their type, so an extension by a literal that has both
// covers nothing; any other is as good with Y for Z. It mentions what it did, and runs whenever it did. Where p is
// not typed but others are, Y and Z could get different types. If Y is a variable of the head, what is left may be
// splittable: then it is a conjunction that is as good and smaller. A pattern of the user's could forbid the
// body with Y for Z, though.
bool Language::repeats_itself(const Body& body) const {
    if (!repeat || !forbidden.empty()) return false;
    for (uint32_t i = 1; i < body.length; ++i) {
        const uint32_t number = static_cast<uint32_t>(body.codes[i] >> 48);
        const Predicate& predicate = predicates[number];
        if (!predicate.determined) continue;
        const Literal one = literal(body.codes[i]);
        for (uint32_t j = 0; j < i; ++j) {
            if (body.codes[j] >> 48 != number) continue;
            const Literal other = literal(body.codes[j]);
            uint32_t differing = 0, place = 0;
            for (uint32_t a = 0; a < one.arity; ++a)
                if (one.args[a] != other.args[a]) ++differing, place = a;
            if (differing != 1 || !(predicate.determined >> place & 1)) continue;
            const auto [kept, gone] = std::minmax(one.args[place], other.args[place]);
            if (gone < head_arity) continue;
            const int16_t type = predicate.types[place];
            if ((type < 0 && typed_) || is_reflexive(type)) continue;
            if (singletons || stays_linked(body, kept, gone)) return true;
        }
    }
    return false;
}

// Whether no variable comes to occur only once when one takes the place of another, in the body and its extensions.
// q(Y,W) and q(Z,W) become one literal then: W may occur in these alone, and two more literals can always make it so.
// One more is only lost next to one that is there: on variables that such a literal has.
bool Language::stays_linked(const Body& body, uint32_t kept, uint32_t gone) const {
    if (max_body - body.length > 1) return false;
    Body merged;
    Variables near = 0;
    for (uint32_t i = 0; i < body.length; ++i) {
        Literal literal = this->literal(body.codes[i]);
        std::replace(literal.args.begin(), literal.args.begin() + literal.arity, static_cast<uint8_t>(gone), static_cast<uint8_t>(kept));
        if (literal.variables() >> kept & 1) near |= literal.variables();
        const Code code = this->code(literal);
        const auto end = merged.codes.begin() + merged.length;
        if (std::find(merged.codes.begin(), end, code) == end) merged.codes[merged.length++] = code;
    }
    return !(once(merged) & near & ~(Variables(1) << kept));
}

// All its variables are in the rest, which runs without it, so extensions do too; the restrictions hold of parts of
// what they hold of. Outputs of the head may need to be bound by just this literal: not where there are any.
bool Language::is_dispensable(const Body& rest, const Literal& literal) const {
    if (!imply) return false;
    Variables all = 0, twice = 0;
    for (uint32_t i = 0; i < rest.length; ++i) {
        const Variables here = variables(rest.codes[i]);
        twice |= all & here;
        all |= here;
    }
    if ((literal.variables() & ~all) || !demands.empty()) return false;
    if (!singletons && (literal.variables() & ~twice & ~head_variables())) return false;
    return runs(rest);
}

Code Language::code(const Literal& literal) const {
    const Predicate& predicate = predicates[literal.predicate];
    auto args = literal.args;
    if (predicate.first >= 0 && args[predicate.first] > args[predicate.second])
        std::swap(args[predicate.first], args[predicate.second]);
    Code code = literal.predicate;
    for (uint32_t i = 0; i < most_arguments; ++i) code = code << 6 | (i < literal.arity ? args[i] : 0);
    return code;
}

Body Language::extended(const Body& body, const Literal& literal) const {
    Body result = body;
    result.codes[result.length++] = code(literal);
    for (uint32_t i = 0; i < literal.arity; ++i)
        result.variables = std::max(result.variables, uint32_t(literal.args[i]) + 1);
    return result;
}

Body Language::without(const Body& body, uint32_t place) const {
    Body result;
    result.variables = head_arity;
    // Variables are numbered anew without gaps: a removed literal may take some with it.
    std::array<int8_t, most_variables> numbers;
    numbers.fill(-1);
    for (uint32_t v = 0; v < head_arity; ++v) numbers[v] = static_cast<int8_t>(v);
    for (uint32_t i = 0; i < body.length; ++i) {
        if (i == place) continue;
        Literal literal = this->literal(body.codes[i]);
        for (uint32_t a = 0; a < literal.arity; ++a) {
            int8_t& number = numbers[literal.args[a]];
            if (number < 0) number = static_cast<int8_t>(result.variables++);
            literal.args[a] = static_cast<uint8_t>(number);
        }
        result.codes[result.length++] = code(literal);
    }
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
    for (uint32_t i = 0; i < body.length; ++i)
        if (i != without) all |= sets[left++] = variables(body.codes[i]);
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

// The argument as seen by those who may not tell two exchangeable ones apart.
uint32_t place_of(const Predicate& predicate, uint32_t argument) {
    return static_cast<int>(argument) == predicate.second ? static_cast<uint32_t>(predicate.first) : argument;
}

using Colours = std::array<uint64_t, most_variables>;

// Tells body-only variables apart: by the literals they occur in, then by the colours of the
// variables they meet there, until nothing more is told apart. Colours do not depend on numbers.
class Labelling {
  public:
    Labelling(const Language& language, const Body& body) : language_(language), body_(body) {
        for (uint32_t i = 0; i < body.length; ++i) literals_[i] = language.literal(body.codes[i]);
        Colours colours{};
        for (uint32_t v = 0; v < body.variables; ++v) colours[v] = v < language.head_arity ? v + 2 : 1;
        search(colours, 0);
    }

    Body best;
    uint32_t image = 0;
    bool rigid = true;

  private:
    uint32_t first() const { return language_.head_arity; }

    uint32_t distinct(const Colours& colours) const {
        Colours sorted = colours;
        std::sort(sorted.begin() + first(), sorted.begin() + body_.variables);
        uint32_t count = 0;
        for (uint32_t v = first(); v < body_.variables; ++v) count += v == first() || sorted[v] != sorted[v - 1];
        return count;
    }

    void refine(Colours& colours, uint32_t known) const {
        const uint32_t all = body_.variables - first();
        while (known < all) {
            Colours next{};
            for (uint32_t i = 0; i < body_.length; ++i) {
                const Literal& literal = literals_[i];
                const Predicate& predicate = language_.predicates[literal.predicate];
                uint64_t seen = literal.predicate + 1, exchanged = 0;
                for (uint32_t a = 0; a < literal.arity; ++a) {
                    const uint64_t colour = colours[literal.args[a]];
                    if (static_cast<int>(a) == predicate.first || static_cast<int>(a) == predicate.second) exchanged += mix(7, colour);
                    else seen = mix(seen, colour);
                }
                seen = mix(seen, exchanged);
                for (uint32_t a = 0; a < literal.arity; ++a)
                    next[literal.args[a]] += mix(seen, place_of(predicate, a) + 1);
            }
            for (uint32_t v = first(); v < body_.variables; ++v) colours[v] = mix(colours[v], next[v]);
            const uint32_t now = distinct(colours);
            if (now == known) break;
            known = now;
        }
    }

    void search(Colours colours, uint32_t known) {
        refine(colours, known);
        std::array<uint8_t, most_variables> order{};
        for (uint32_t v = 0; v < body_.variables; ++v) order[v] = static_cast<uint8_t>(v);
        std::sort(order.begin() + first(), order.begin() + body_.variables, [&](uint8_t a, uint8_t b) {
            return colours[a] != colours[b] ? colours[a] < colours[b] : a < b;
        });
        for (uint32_t i = first(); i + 1 < body_.variables; ++i) {
            const uint64_t colour = colours[order[i]];
            if (colours[order[i + 1]] != colour) continue;
            rigid = false;
            // Not told apart: whichever comes first may lead to the least body.
            for (uint32_t j = i; j < body_.variables && colours[order[j]] == colour; ++j) {
                Colours chosen = colours;
                chosen[order[j]] = mix(colour, 11);
                search(chosen, distinct(chosen));
            }
            return;
        }
        take(order);
    }

    void take(const std::array<uint8_t, most_variables>& order) {
        std::array<uint8_t, most_variables> numbers{};
        for (uint32_t i = 0; i < body_.variables; ++i) numbers[order[i]] = static_cast<uint8_t>(i);
        Body candidate;
        candidate.length = body_.length;
        candidate.variables = body_.variables;
        Code last = 0;
        for (uint32_t i = 0; i < body_.length; ++i) {
            Literal renumbered = literals_[i];
            for (uint32_t a = 0; a < renumbered.arity; ++a) renumbered.args[a] = numbers[renumbered.args[a]];
            candidate.codes[i] = last = language_.code(renumbered);
        }
        std::sort(candidate.codes.begin(), candidate.codes.begin() + candidate.length);
        if (best.length && !std::lexicographical_compare(candidate.codes.begin(), candidate.codes.begin() + candidate.length,
                                                         best.codes.begin(), best.codes.begin() + best.length))
            return;
        best = candidate;
        image = static_cast<uint32_t>(std::lower_bound(best.codes.begin(), best.codes.begin() + best.length, last) - best.codes.begin());
    }

    const Language& language_;
    const Body& body_;
    std::array<Literal, most_literals> literals_;
};

}  // namespace

Body Language::canonical(const Body& body, uint32_t& image, bool& rigid) const {
    const Labelling labelling(*this, body);
    image = labelling.image;
    rigid = labelling.rigid;
    return labelling.best;
}

bool Language::is_surely_not_parent(const Body& extended) const {
    const Code added = extended.codes[extended.length - 1] >> 48;
    for (uint32_t place = 0; place + 1 < extended.length; ++place)
        if (extended.codes[place] >> 48 > added && is_connected(extended, place)) return true;
    return false;
}

bool Language::is_parent(const Body& parent, const Body& child, uint32_t image, bool rigid) const {
    for (uint32_t place = child.length; place-- > 0;) {
        if (!is_connected(child, place)) continue;
        if (place == image) return true;
        // Only a renumbering of the child onto itself could take the one literal to the other.
        if (rigid || child.codes[place] >> 48 != child.codes[image] >> 48) return false;
        uint32_t ignored_image;
        bool ignored_rigid;
        const Body other = canonical(without(child, place), ignored_image, ignored_rigid);
        return std::equal(other.codes.begin(), other.codes.begin() + other.length, parent.codes.begin());
    }
    return false;
}

namespace {

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
