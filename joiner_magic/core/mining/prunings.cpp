// Prunings by what the facts say, each with its argument.
// The facts are looked at once, in Language::prepare. The tests that use what was found are made for every body before
// or after its test. Each pruning may only drop a body if, for every extension of it, something that is no larger is as
// good.
#include <algorithm>
#include <unordered_map>

#include "language.hpp"

namespace joiner::mining::JOINER_WIDTH {

namespace {

// The table of meetings has an entry for each argument of a wide predicate and each argument of any; beyond this it
// would be too large, and is not made.
constexpr size_t most_meetings = 10'000'000;

// Whether the facts remain the same if two columns are exchanged.
bool is_symmetric(Relation& relation, uint32_t i, uint32_t j) {
    const Rows rows = relation.rows();
    const Index& all = relation.index((Columns(1) << relation.arity) - 1);
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
    const Index& others = relation.index(((Columns(1) << relation.arity) - 1) & ~(Columns(1) << argument));
    return others.fanout() <= 1.0;
}

}  // namespace

// Finds, for each predicate, one pair of arguments that can be exchanged and the arguments that the others determine,
// and for each type whether a fact has two equal values of it. Two arguments are exchangeable if their types and
// directions agree, the facts are symmetric, and no restriction of the user names the predicate, since it might name
// one order only.
void Language::prepare() {
    widest_ = 1;
    typed_ = std::any_of(head_types.begin(), head_types.end(), [](int16_t type) { return type >= 0; });
    for (uint32_t p = 0; p < predicates.size(); ++p) {
        Predicate& predicate = predicates[p];
        widest_ = std::max(widest_, predicate.arity);
        const bool is_wide = predicate.arity > usual_arguments;  // then an index for each argument would take too much
        directed_ = directed_ || predicate.inputs;
        for (uint32_t a = 0; a < predicate.arity; ++a) typed_ = typed_ || predicate.types[a] >= 0;
        const auto is_it = [&](const auto& literal) { return literal.predicate == p; };
        const auto names_it = [&](const Forbidden& pattern) {
            return std::any_of(pattern.literals.begin(), pattern.literals.end(), is_it);
        };
        const bool named = std::any_of(forbidden.begin(), forbidden.end(), names_it) ||
                           std::any_of(most_of_predicate.begin(), most_of_predicate.end(),
                                       [&](const auto& most) { return most.first == p; });
        for (uint32_t j = 0; j < predicate.arity; ++j) {
            if (!is_wide && is_determined(*predicate.relation, j)) predicate.determined |= Columns(1) << j;
            for (uint32_t i = 0; i < j; ++i) {
                if (predicate.types[i] != predicate.types[j] && predicate.types[i] >= 0 && predicate.types[j] >= 0)
                    continue;
                const Rows rows = predicate.relation->rows();
                for (uint32_t r = 0; r < rows.count; ++r)
                    if (rows.first[size_t(r) * rows.width + i] == rows.first[size_t(r) * rows.width + j]) {
                        reflexive_.push_back(predicate.types[i]);
                        reflexive_.push_back(predicate.types[j]);
                        break;
                    }
                const bool alike = predicate.types[i] == predicate.types[j] &&
                                   (predicate.inputs >> i & 1) == (predicate.inputs >> j & 1);
                if (exchange && !is_wide && predicate.first < 0 && alike && !named && is_symmetric(*predicate.relation, i, j)) {
                    predicate.first = static_cast<int8_t>(i);
                    predicate.second = static_cast<int8_t>(j);
                }
            }
        }
    }
    find_meetings();
    add_twins();
}

// Which arguments share a value in the facts, for `that_can_meet`. The table is filled value by value, so the cost
// depends on the columns in which each value occurs, not on all pairs of columns.
void Language::find_meetings() {
    uint32_t columns = 0, wide = 0;
    for (const Predicate& predicate : predicates) {
        first_column_.push_back(columns);
        for (uint32_t a = 0; a < predicate.arity; ++a)
            wide_column_.push_back(predicate.arity > usual_arguments ? static_cast<int32_t>(wide++) : -1);
        columns += predicate.arity;
    }
    if (!wide || size_t(wide) * columns > most_meetings) return;
    std::unordered_map<TermId, std::vector<uint32_t>> columns_of;  // in which a value occurs
    for (uint32_t p = 0; p < predicates.size(); ++p) {
        const Rows rows = predicates[p].relation->rows();
        for (uint32_t r = 0; r < rows.count; ++r)
            for (uint32_t a = 0; a < rows.width; ++a) {
                std::vector<uint32_t>& known = columns_of[rows.first[size_t(r) * rows.width + a]];
                const uint32_t column = first_column_[p] + a;
                if (std::find(known.begin(), known.end(), column) == known.end()) known.push_back(column);
            }
    }
    meetings_.assign(wide, std::vector<bool>(columns));
    for (const auto& [value, known] : columns_of)
        for (uint32_t one : known)
            if (wide_column_[one] >= 0)
                for (uint32_t other : known) meetings_[wide_column_[one]][other] = true;
}

// Appends a twin for each predicate with exchangeable arguments. Where singletons are allowed there is no need for
// them.
void Language::add_twins() {
    if (singletons) return;  // then a second literal that says the same is of no use
    for (uint32_t p = 0, count = static_cast<uint32_t>(predicates.size()); p < count; ++p) {
        if (predicates[p].first < 0) continue;
        Predicate twin = predicates[p];
        twin.determined = 0;
        twin.twin_of = static_cast<int32_t>(p);
        predicates.push_back(twin);
    }
}

// Whether a fact may have two equal values of this type. An untyped argument may be of any type.
bool Language::is_reflexive(int16_t type) const {
    return std::any_of(reflexive_.begin(), reflexive_.end(),
                       [&](int16_t known) { return known < 0 || type < 0 || known == type; });
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
        const uint32_t number = static_cast<uint32_t>(predicate_of(body.codes[i]));
        const Predicate& predicate = predicates[number];
        if (!predicate.determined) continue;
        const Literal one = literal(body.codes[i]);
        for (uint32_t j = 0; j < i; ++j) {
            if (predicate_of(body.codes[j]) != number) continue;
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
        std::replace(literal.args.begin(), literal.args.begin() + literal.arity, static_cast<uint8_t>(gone),
                     static_cast<uint8_t>(kept));
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

}  // namespace joiner::mining::JOINER_WIDTH
