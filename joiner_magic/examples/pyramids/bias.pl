max_vars(4).
max_body(7).

head_pred(follows,1).
type(follows,(scene,)).

body_pred(has,2).
body_pred(touches,2).
body_pred(red,1).
body_pred(blue,1).
body_pred(green,1).
body_pred(small,1).
body_pred(medium,1).
body_pred(large,1).

type(has,(scene,pyramid)).
type(touches,(pyramid,pyramid)).
type(red,(pyramid,)).
type(blue,(pyramid,)).
type(green,(pyramid,)).
type(small,(pyramid,)).
type(medium,(pyramid,)).
type(large,(pyramid,)).
