max_vars(3).
max_body(5).

head_pred(gifted,1).
body_pred(parent,2).
body_pred(ancestor,2).
body_pred(sibling,2).
body_pred(female,1).
body_pred(male,1).
body_pred(musician,1).

type(gifted,(person,)).
type(parent,(person,person)).
type(ancestor,(person,person)).
type(sibling,(person,person)).
type(female,(person,)).
type(male,(person,)).
type(musician,(person,)).

% Brothers and sisters come in pairs: one order is enough.
:- body_literal(_,sibling,_,(A,B)), A > B.
