"""Finds the function definitions of a C++ file by its braces, without a compiler. The code must have clang-format's layout.

scripts/check_layers and scripts/check_shape import this module.
"""
import re
from typing import NamedTuple


class Function(NamedTuple):
    name: str  # the name as it is written, such as `KernelPCA::fit`
    first: int  # the line where the definition starts, with its template or its return type
    last: int  # the line of the closing brace
    is_local: bool  # is in a namespace without a name, so only this file uses it


TOKEN = re.compile(
    r"""
      (?P<comment>//(?:\\\n|[^\n])*|/\*.*?\*/)
    | (?P<directive>^[ \t]*\#(?:\\\n|[^\n])*)
    | (?P<raw>(?:u8|u|U|L)?R"(?P<mark>[^()\\\s]*)\(.*?\)(?P=mark)")
    | (?P<string>(?:u8|u|U|L)?"(?:\\.|[^"\\\n])*")
    | (?P<char>(?:u8|u|U|L)?'(?:\\.|[^'\\\n])+')
    | (?P<number>\d(?:'?[\w.])*)
    | (?P<word>[A-Za-z_]\w*)
    """,
    re.VERBOSE | re.DOTALL | re.MULTILINE,
)
ACCESS = re.compile(r"\b(?:public|private|protected)\s*:(?!:)")
SYMBOL_OPERATOR = re.compile(r"\boperator\s*(?:\(\s*\)|\[\s*\]|[^\s\w(]+)")
NAME = re.compile(r"((?:[A-Za-z_]\w*(?:<[^<>()]*>)?::)*~?[A-Za-z_]\w*)\s*$")


def blank(text):
    """The text with comments, directives, strings and characters replaced by spaces; line breaks stay."""

    def replace(match):
        if match["number"] or match["word"]:
            return match[0]
        spaces = re.sub(r"[^\n]", " ", match[0])
        return spaces if match["comment"] or match["directive"] else '""' + spaces[2:]

    return TOKEN.sub(replace, text)


def without_brackets(head, opening, closing):
    """The head without the text inside brackets of one kind; the end of `->` is no bracket."""
    kept, depth = [], 0
    for position, char in enumerate(head):
        if char == opening:
            depth += 1
        elif char == closing and not (closing == ">" and head[position - 1] == "-"):
            depth = max(0, depth - 1)
        elif depth == 0:
            kept.append(char)
    return "".join(kept)


def kind_of_block(head):
    """The kind of block that a brace after `head` opens in a namespace or class: scope, function, initializer or data."""
    head = re.sub(r"\[\[.*?\]\]|\balignas\s*\([^()]*\)", " ", head, flags=re.DOTALL).strip()
    plain = without_brackets(without_brackets(SYMBOL_OPERATOR.sub("operator_", head), "(", ")"), "<", ">")
    plain = re.sub(r"^(?:\s*(?:template|typedef|inline|static)\b)*\s*", "", plain)
    if re.search(r"\bnamespace\b", plain) or re.match(r'extern\s*""', plain):
        return "scope"
    if re.match(r"enum\b", plain):
        return "data"
    if re.match(r"(?:class|struct|union)\b", plain) and not re.match(r"\w+\s+[\w:]+\s+[\w:]+$", plain.split(":")[0]):
        return "scope"
    if re.search(r"(?<![=!<>])=(?!=)", plain):
        return "function" if re.search(r"=\s*\[", plain) else "data"
    if "(" not in head:
        return "data"
    if re.search(r"(?<!:):(?!:)", plain) and re.search(r"[\w>]$", head):
        return "initializer"  # a member in the list of a constructor
    return "function"


def name_of(head):
    """The name of the function that `head` declares: the name before the first parenthesis."""
    operator = re.search(r"((?:\w+::)*operator\s*(?:\(\s*\)|[^\s(]+))", head)
    if operator:
        return operator[1]
    variable = re.search(r"([A-Za-z_]\w*)\s*=\s*\[", head)
    if variable:
        return variable[1]
    head = re.sub(r"\[\[.*?\]\]|\b(?:alignas|noexcept|decltype|requires)\s*\([^()]*\)", " ", head, flags=re.DOTALL)
    match = NAME.search(head.split("(")[0])
    return match[1] if match else "?"


def find_functions(text):
    """Every function that is defined at the level of a namespace or class, in order. Lambdas belong to their function.

    Raises ValueError, with the line, where braces do not match.
    """
    code = ACCESS.sub(lambda match: re.sub(r"\S", " ", match[0]), blank(text))
    functions, head_start, parentheses = [], None, 0
    blocks = []  # one per open brace: (kind, start of its head, whether it is in a namespace without a name)
    for position, char in enumerate(code):
        inside = bool(blocks) and blocks[-1][0] != "scope"
        if not inside and parentheses == 0:
            if head_start is None and not char.isspace() and char not in "{};":
                head_start = position
        if not inside and char in "()":
            parentheses += 1 if char == "(" else -1
        elif char == "{":
            outer = not inside and parentheses == 0
            head = code[head_start:position] if head_start is not None else ""
            is_local = head.split() == ["namespace"] or bool(blocks) and blocks[-1][2]
            blocks.append((kind_of_block(head) if outer else "inner", head_start, is_local))
            if blocks[-1][0] == "scope":
                head_start = None
        elif char == "}":
            if not blocks:
                raise ValueError(f"{code.count(chr(10), 0, position) + 1}: a closing brace without an opening one")
            kind, start, is_local = blocks.pop()
            if kind == "function":
                head = code[start:position].split("{")[0]
                functions.append(Function(name_of(head), code.count("\n", 0, start) + 1,
                                          code.count("\n", 0, position) + 1, is_local))
            if kind in ("function", "scope"):
                head_start = None
        elif char == ";" and not inside and parentheses == 0:
            head_start = None
    if blocks:
        raise ValueError(f"{code.count(chr(10)) + 1}: {len(blocks)} braces are not closed")
    return functions
