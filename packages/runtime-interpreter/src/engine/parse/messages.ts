// What acorn calls an error, in V8's words: those are the words that models have met most often.

const exact: Readonly<Record<string, string>> = {
  "'return' outside of function": "Illegal return statement",
  "'super' keyword outside a method": "'super' keyword unexpected here",
  "'new.target' can only be used in functions and class static block": "new.target expression is not allowed here",
  "Argument name clash": "Duplicate parameter name not allowed in this context",
  "Assigning to rvalue": "Invalid left-hand side in assignment",
  "Await expression cannot be a default value": "Illegal await-expression in formal parameters of async function",
  "Await using cannot appear outside of async function":
    "await is only valid in async functions and the top level bodies of modules",
  "Bad character escape sequence": "Invalid hexadecimal escape sequence",
  "Bad escape sequence in untagged template literal": "Invalid escape sequence in template",
  "Cannot use 'arguments' in class field initializer":
    "'arguments' is not allowed in class field initializer or static initialization block",
  "Cannot use 'await' as identifier inside an async function": "Unexpected reserved word",
  "Cannot use 'yield' as identifier inside a generator": "Unexpected strict mode reserved word",
  "Cannot use await in class static initialization block": "Unexpected reserved word",
  "Cannot use arguments in class static initialization block":
    "'arguments' is not allowed in class field initializer or static initialization block",
  "Cannot use keyword 'await' outside an async function":
    "await is only valid in async functions and the top level bodies of modules",
  "Classes can't have a field named 'constructor'": "Classes may not have a field named 'constructor'",
  "Classes can't have a static field named 'prototype'": "Classes may not have a static property named 'prototype'",
  "Classes can't have an element named '#constructor'": "Classes may not have a private field named '#constructor'",
  "Classes may not have a static property named prototype": "Classes may not have a static property named 'prototype'",
  "Code point out of bounds": "Undefined Unicode code-point",
  "Comma is not permitted after the rest element": "Rest element must be last element",
  "Complex binding patterns require an initialization value": "Missing initializer in destructuring declaration",
  "Constructor can't be a generator": "Class constructor may not be a generator",
  "Constructor can't be an async method": "Class constructor may not be an async method",
  "Constructor can't have get/set modifier": "Class constructor may not be an accessor",
  "Deleting local variable in strict mode": "Delete of an unqualified identifier in strict mode.",
  "Duplicate constructor in the same class": "A class may only have one constructor",
  "Duplicate regular expression flag": "Invalid regular expression flags",
  "Expecting Unicode escape sequence \\uXXXX": "Invalid Unicode escape sequence",
  "Identifier directly after number": "Invalid or unexpected token",
  "Invalid Unicode escape": "Invalid Unicode escape sequence",
  "Invalid escape sequence": "\\8 and \\9 are not allowed in strict mode.",
  "Invalid escape sequence in template string": "\\8 and \\9 are not allowed in template strings.",
  "Invalid number": "Invalid or unexpected token",
  "Invalid regular expression flag": "Invalid regular expression flags",
  "Invalid use of 'super'": "'super' keyword unexpected here",
  "Logical expressions and coalesce expressions cannot be mixed. Wrap either by parentheses":
    "Cannot mix ?? with || or && without parentheses",
  "Missing catch or finally clause": "Missing catch or finally after try",
  "Multiple default clauses": "More than one default clause in switch statement",
  "Numeric separator is not allowed at the first of digits": "Numeric separator is not allowed here",
  "Numeric separator is not allowed at the last of digits":
    "Numeric separators are not allowed at the end of numeric literals",
  "Numeric separator is not allowed in legacy octal numeric literals":
    "Numeric separator can not be used after leading 0.",
  "Numeric separator must be exactly one underscore": "Only one underscore is allowed as numeric separator",
  "Object pattern can't contain getter or setter": "Invalid destructuring assignment target",
  "Octal literal in strict mode": "Octal escape sequences are not allowed in strict mode.",
  "Octal literal in template string": "Octal escape sequences are not allowed in template strings",
  "Optional chaining cannot appear in left-hand side": "Invalid left-hand side in assignment",
  "Optional chaining cannot appear in the callee of new expressions": "Invalid optional chain from new expression",
  "Optional chaining cannot appear in the tag of tagged template expressions":
    "Invalid tagged template on optional chain",
  "Parenthesized pattern": "Invalid destructuring assignment target",
  "Binding parenthesized expression": "Invalid destructuring assignment target",
  "Binding member expression": "Illegal property in declaration context",
  "Binding rvalue": "Invalid destructuring assignment target",
  "Redefinition of __proto__ property": "Duplicate __proto__ fields are not allowed in object literals",
  "Rest elements cannot have a default value": "Rest parameter may not have a default initializer",
  "Setter cannot use rest params": "Setter function argument must not be a rest parameter",
  "Shorthand property assignments are valid only in destructuring patterns": "Invalid shorthand property initializer",
  "Unterminated comment": "Invalid or unexpected token",
  "Unterminated regular expression": "Invalid regular expression: missing /",
  "Unterminated string constant": "Invalid or unexpected token",
  "Unterminated template": "Unterminated template literal",
  "Yield expression cannot be a default value": "Yield expression not allowed in formal parameter",
  "getter should have no params": "Getter must not have any formal parameters.",
  "let is disallowed as a lexically bound name": "let is disallowed as a lexically bound name",
  "setter should have exactly one param": "Setter must have exactly one formal parameter.",
  "super() call outside constructor of a subclass": "'super' keyword unexpected here",
}

const patterns: ReadonlyArray<readonly [RegExp, string]> = [
  [/^(?:Assigning to|Binding) (?:eval|arguments) in strict mode$/, "Unexpected eval or arguments in strict mode"],
  [/^The keyword '(?:enum|await)' is reserved$/, "Unexpected reserved word"],
  [/^The keyword '.*' is reserved$/s, "Unexpected strict mode reserved word"],
  [/^Unexpected keyword '(.*)'$/s, "Unexpected token '$1'"],
  [/^Unexpected character '.*'$/su, "Invalid or unexpected token"],
  [/^Label '(.*)' is already declared$/s, "Label '$1' has already been declared"],
  [/^Unsyntactic (.*)$/, "Illegal $1 statement"],
  [/^Escape sequence in keyword /, "Keyword must not contain escaped characters"],
  [/must not contain escaped characters$/, "Keyword must not contain escaped characters"],
  [/^Expected number in radix (?:2|8|16)$/, "Invalid or unexpected token"],
  [/^(for-(?:in|of) loop variable declaration may not have an initializer)$/, "$1."],
  [/^Using declaration cannot appear in the top level/, "A using declaration is not allowed here"],
  [/^Using declaration is not allowed in/, "A using declaration is not allowed here"],
]

/** acorn's message in V8's words; unchanged where both say the same or V8 says nothing. */
export const reword = (message: string): string => {
  if (Object.hasOwn(exact, message)) return exact[message]!
  for (const [pattern, replacement] of patterns) {
    if (pattern.test(message)) return message.replace(pattern, replacement)
  }
  return message
}
