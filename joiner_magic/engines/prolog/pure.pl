/*  What a text may call of Prolog's when nobody has said that it is trusted.

    The list is data and stands here alone: safety.pl checks by it, and the reference
    (docs/reference/pure.md) is written from it. What is not on it is refused.

    A predicate is on the list when it computes from its arguments alone and tells or changes
    nothing else: no file, process, network, clock or chance, no database, flag, global variable
    or attribute, no term changed in place. Each entry says where the definition is: in
    SWI-Prolog's system, in one of its libraries, or here (stand_ins.pl), where Prolog's own
    does more than it should.

    An entry is Name/Arity, or shows what is done with the arguments: a number is a goal that so
    many arguments are added to, ^ a goal that may begin with X^, // a grammar body, `expression`
    is evaluated, `aggregate` has expressions inside, `format` and `message` tell how to write, ? is any other.
    The body of a lambda expression, Parameters>>Body, is called with what the parameters leave over.
*/
:- module(joiner_pure, [pure/3, function/1]).
:- use_module(library(lists), [member/2]).

%!  pure(?Theme, ?Where, ?Entries)

pure("control", system, [
    true/0, fail/0, false/0, '!'/0, repeat/0,
    ','(0,0), ';'(0,0), '|'(0,0), '->'(0,0), '*->'(0,0), '\\+'(0), not(0), once(0), ignore(0), forall(0,0),
    call(0), call(1,?), call(2,?,?), call(3,?,?,?), call(4,?,?,?,?), call(5,?,?,?,?,?), call(6,?,?,?,?,?,?),
    call(7,?,?,?,?,?,?,?)]).
pure("control", here, [catch(0,?,0), throw/1, assertion(0)]).
pure("all solutions", system, [findall(?,0,?), findall(?,0,?,?), findnsols(?,?,0,?), bagof(?,^,?), setof(?,^,?)]).
pure("all solutions", library(aggregate), [
    aggregate_all(aggregate,0,?), aggregate_all(aggregate,?,0,?), aggregate(aggregate,^,?), aggregate(aggregate,?,^,?),
    foreach(0,0)]).
pure("unification and comparison", system, [
    '='/2, '\\='/2, '=='/2, '\\=='/2, '@<'/2, '@=<'/2, '@>'/2, '@>='/2, '=@='/2, '\\=@='/2, '?='/2, compare/3,
    unify_with_occurs_check/2, subsumes_term/2]).
pure("unification and comparison", library(dif), [dif/2]).
pure("types", system, [
    var/1, nonvar/1, atom/1, atomic/1, number/1, integer/1, float/1, rational/1, rational/3, string/1, compound/1,
    callable/1, is_list/1, ground/1, acyclic_term/1, cyclic_term/1]).
pure("arithmetic", system, [
    is(?,expression), '=:='(expression,expression), '=\\='(expression,expression), '<'(expression,expression),
    '=<'(expression,expression), '>'(expression,expression), '>='(expression,expression),
    succ/2, plus/3, between/3, divmod/4, nth_integer_root_and_remainder/4]).
pure("terms", system, [
    functor/3, arg/3, '=..'/2, compound_name_arguments/3, compound_name_arity/3, copy_term/2, copy_term_nat/2,
    duplicate_term/2, term_variables/2, numbervars/3]).
pure("terms", library(occurs), [
    sub_term/2, sub_var/2, contains_term/2, contains_var/2, free_of_term/2, free_of_var/2, occurrences_of_term/3,
    occurrences_of_var/3]).
pure("atoms, characters and strings", system, [
    atom_length/2, atom_concat/3, sub_atom/5, atom_chars/2, atom_codes/2, atom_number/2, atom_string/2, char_code/2,
    number_chars/2, number_codes/2, number_string/2, char_type/2, code_type/2, upcase_atom/2, downcase_atom/2,
    atomic_list_concat/2, atomic_list_concat/3, atomics_to_string/2, split_string/4, string_chars/2, string_codes/2,
    string_code/3, string_concat/3, string_length/2, string_lower/2, string_upper/2, sub_string/5, get_string_code/3,
    text_to_string/2]).
pure("atoms, characters and strings", here, [term_to_atom/2, term_string/2, format(?,format,?)]).
pure("lists", system, [length/2, sort/2, sort/4, msort/2, keysort/2]).
pure("lists", library(sort), [predsort(3,?,?)]).
pure("lists", library(lists), [
    append/2, append/3, clumped/2, delete/3, flatten/2, intersection/3, is_set/1, last/2, list_to_set/2, max_list/2,
    max_member/2, max_member(2,?,?), member/2, memberchk/2, min_list/2, min_member/2, min_member(2,?,?), nextto/3,
    nth0/3, nth0/4, nth1/3, nth1/4, numlist/3, permutation/2, prefix/2, proper_length/2, reverse/2, same_length/2,
    select/3, select/4, selectchk/3, selectchk/4, subseq/3, subset/2, subtract/3, sum_list/2, union/3]).
pure("lists", here, [sumlist/2]).
pure("higher order", library(apply), [
    maplist(1,?), maplist(2,?,?), maplist(3,?,?,?), maplist(4,?,?,?,?), maplist(5,?,?,?,?,?), maplist(6,?,?,?,?,?,?),
    foldl(3,?,?,?), foldl(4,?,?,?,?), foldl(5,?,?,?,?,?), foldl(6,?,?,?,?,?,?), foldr(3,?,?,?),
    scanl(3,?,?,?), scanl(4,?,?,?,?), include(1,?,?), exclude(1,?,?), partition(1,?,?,?), convlist(2,?,?)]).
pure("higher order", library(yall), [
    '>>'/2, '>>'/3, '>>'/4, '>>'/5, '>>'/6, '>>'/7, '>>'/8, '>>'/9, '/'/2, '/'/3, '/'/4, '/'/5, '/'/6, '/'/7, '/'/8,
    '/'/9]).
pure("pairs, ordered sets and associations", library(pairs), [
    pairs_keys/2, pairs_values/2, pairs_keys_values/3, transpose_pairs/2, group_pairs_by_key/2,
    map_list_to_pairs(2,?,?)]).
pure("pairs, ordered sets and associations", library(ordsets), [
    is_ordset/1, list_to_ord_set/2, ord_empty/1, ord_memberchk/2, ord_add_element/3, ord_del_element/3, ord_disjoint/2,
    ord_intersect/2, ord_intersection/2, ord_intersection/3, ord_seteq/2, ord_subset/2, ord_subtract/3, ord_symdiff/3,
    ord_union/2, ord_union/3, ord_union/4]).
pure("pairs, ordered sets and associations", library(assoc), [
    empty_assoc/1, is_assoc/1, get_assoc/3, put_assoc/4, list_to_assoc/2, ord_list_to_assoc/2, assoc_to_list/2,
    assoc_to_keys/2, assoc_to_values/2, max_assoc/3, min_assoc/3, gen_assoc/3, map_assoc(1,?), map_assoc(2,?,?),
    del_assoc/4]).
pure("grammars", system, [phrase('//',?), phrase('//',?,?)]).
pure("output, which is dropped", here, [
    write/1, write/2, writeln/1, writeln/2, print/1, writeq/1, writeq/2, write_canonical/1, portray_clause/1, nl/0, nl/1,
    tab/1, put_char/1, format(format), format(format,?), debug(?,format,?), print_message(?,message)]).

%!  function(?Function)
%
%   Function may be evaluated. Chance and clocks are not functions.

function(Name/Arity) :-
    functions(Functions),
    member(Name/Arity, Functions).

functions([
    '+'/1, '-'/1, '+'/2, '-'/2, '*'/2, '/'/2, '//'/2, mod/2, rem/2, div/2, rdiv/2, gcd/2, lcm/2, abs/1, sign/1,
    min/2, max/2, maxr/2, minr/2, succ/1, plus/2, truncate/1, trunc/1, integer/1, float/1, rational/1, rationalize/1,
    numerator/1, denominator/1, float_integer_part/1, float_fractional_part/1, ceiling/1, floor/1, round/1, sqrt/1, sin/1,
    cos/1, tan/1, asin/1, acos/1, atan/1, atan/2, atan2/2, sinh/1, cosh/1, tanh/1, asinh/1, acosh/1, atanh/1, cot/1,
    acot/1, exp/1, log/1, log/2, log2/1, '**'/2, '^'/2, '>>'/2, '<<'/2, '/\\'/2, '\\/'/2, xor/2, '\\'/1, msb/1,
    popcount/1, getbit/2, powm/3, copysign/2, nexttoward/2, erf/1, erfc/1, lgamma/1, ceil/1, log10/1, lsb/1, cmpr/2,
    roundtoward/2, eval/1, pi/0, e/0, inf/0, nan/0, epsilon/0, max_tagged_integer/0, min_tagged_integer/0,
    max_integer/0, min_integer/0]).
