# SPDX-License-Identifier: Apache-2.0
"""Constant expressions of Verilog, as in rtl/gmmu_derived.vh, in figures."""
import operator
import re

TOKEN = re.compile(r"\s*(\$?\w+|<<|>>|<=|>=|==|!=|&&|\|\||[-+*/%<>?:()!])")
# from the weakest
LEVELS = [{"||": lambda a, b: int(bool(a or b))}, {"&&": lambda a, b: int(bool(a and b))},
          {"==": operator.eq, "!=": operator.ne}, {"<": operator.lt, ">": operator.gt, "<=": operator.le, ">=": operator.ge},
          {"<<": operator.lshift, ">>": operator.rshift}, {"+": operator.add, "-": operator.sub},
          {"*": operator.mul, "/": operator.floordiv, "%": operator.mod}]


def value(text, env):
    """TEXT with the names of ENV in figures."""
    tokens, at = [], 0
    while text[at:].strip():
        found = TOKEN.match(text, at)
        if not found:
            raise ValueError('expression.py: found "%s" in "%s"' % (text[at:], text))
        tokens.append(found.group(1))
        at = found.end()
    tokens.append("")

    def take(wanted=None):
        if wanted is not None and tokens[0] != wanted:
            raise ValueError('expression.py: found "%s" in "%s", expected "%s"' % (tokens[0], text, wanted))
        return tokens.pop(0)

    def primary():
        token = take()
        if token == "(":
            inner = choice()
            take(")")
            return inner
        if token == "!":
            return int(not primary())
        if token == "$clog2":
            take("(")
            inner = choice()
            take(")")
            return (inner - 1).bit_length() if inner > 0 else 0
        return int(token) if token.isdigit() else env[token]

    def level(n):
        if n == len(LEVELS):
            return primary()
        left = level(n + 1)
        while tokens[0] in LEVELS[n]:
            left = int(LEVELS[n][take()](left, level(n + 1)))
        return left

    def choice():
        chosen = level(0)
        if tokens[0] != "?":
            return chosen
        take("?")
        first = choice()
        take(":")
        second = choice()
        return first if chosen else second
    result = choice()
    take("")
    return result
