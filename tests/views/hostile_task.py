"""A task whose names break what does not escape them: markup, quotes, templates, turned and endless words."""

from __future__ import annotations

HOSTILE = (
    "p('<script>window.broken=1</script>', 'a\"b`${window.broken=1}`').\n"
    "p('\u202egnirts', '&lt;<img src=x onerror=window.broken=1>').\n"
    f"q('{'long' * 500}', '<script>window.broken=1</script>').\n"
    "'<b>bold</b>'('a\"b`${window.broken=1}`'). '<b>bold</b>'('&lt;<img src=x onerror=window.broken=1>').\n"
    f"'{'wide' * 500}'('a\"b`${{window.broken=1}}`')."
)
HOSTILE_EXAMPLES = "pos(f('<script>window.broken=1</script>')). pos(f('\u202egnirts')). neg(f('</text><x>'))."
