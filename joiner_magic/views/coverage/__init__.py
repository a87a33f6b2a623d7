"""The coverage view: fragments and the examples that they cover, as a picture, a table and a text.

It answers which fragments a rule was joined of, what each of them contributes, and why the rule is not smaller.
"""
