/**
 * The instructions of the machine, each followed by its operands in the code array. Operands by letter:
 *
 * - `d` a register that is written, `a` `b` `c` registers that are read, `r` a first register of several
 * - `k` an index into the constants, `n` a number, `f` an index of a child template
 * - `i` an inline cache, `t` a jump target, `$` the fuel that a jump costs
 *
 * Inlined by the TypeScript compiler, so that the machine's `switch` becomes a jump table.
 */
export const enum Op {
  // Values
  Move, // d a
  LoadConstant, // d k
  LoadInteger, // d n
  LoadUndefined, // d
  LoadTdz, // d
  This, // d: the frame's `this`
  NewTarget, // d
  Callee, // d: the running function
  Arguments, // d: a new arguments object
  Rest, // d n: the arguments from the nth on

  // Cells: captured variables
  NewCell, // d: a cell with an uninitialised variable
  NewCellOf, // d a: a cell with a value
  CopyCell, // d: a new cell with the old one's value
  LoadCell, // d a
  LoadCellChecked, // d a k: throws while uninitialised; k is the name
  StoreCell, // a b: into the cell a, the value b
  StoreCellChecked, // a b k
  LoadCapture, // d n
  LoadCaptureChecked, // d n k
  StoreCapture, // n a
  StoreCaptureChecked, // n a k
  CheckTdz, // a k
  ThrowConstant, // k: assignment to the constant of that name

  // Globals
  GetGlobal, // d k i
  TypeofGlobal, // d k
  SetGlobal, // k a
  HasGlobal, // d k

  // Arithmetic
  Add, // d a b
  Subtract,
  Multiply,
  Divide,
  Remainder,
  Exponentiate,
  BitAnd,
  BitOr,
  BitXor,
  ShiftLeft,
  ShiftRight,
  ShiftRightUnsigned,
  Negate, // d a
  ToNumber,
  ToNumeric,
  BitNot,
  Not,
  Typeof,
  Increment,
  Decrement,
  ToText, // d a: ToString, for templates

  // Comparison
  Less, // d a b
  LessEqual,
  Greater,
  GreaterEqual,
  Equal,
  NotEqual,
  StrictEqual,
  StrictNotEqual,
  In,
  InstanceOf,

  // Jumps
  Jump, // t $
  JumpTrue, // a t $
  JumpFalse,
  JumpNullish,
  JumpNotNullish,
  JumpUndefined,
  JumpNotUndefined,
  IncrementJumpLess, // a b t n: increments a and jumps if it is less than b then
  JumpLess, // a b t $
  JumpNotLess,
  JumpLessEqual,
  JumpNotLessEqual,
  JumpGreater,
  JumpNotGreater,
  JumpGreaterEqual,
  JumpNotGreaterEqual,
  JumpStrictEqual,
  JumpStrictNotEqual,
  JumpIfInteger, // a n t: when a register of the compiler's own holds n

  // Properties
  GetProperty, // d a k i
  GetLength, // d a i
  LoadMethod, // r a k i: r = a[k], r + 1 = a
  SetProperty, // a k b i
  GetElement, // d a b
  SetElement, // a b c: a[b] = c
  DeleteProperty, // d a k
  DeleteElement, // d a b
  GetSuper, // d a b c: home function a, key b, this c
  SetSuper, // a b c d: home function a, key b, this c, value d
  ToKey, // d a
  ElementKey, // d a b: the key b of an element of a that is read and then written
  RequireObject, // a k: not undefined or null; k is the property that is read first, if it has a name
  NewPrivateName, // d k
  GetPrivate, // d a b i: a.#b
  SetPrivate, // a b c i: a.#b = c
  HasPrivate, // d a b
  DefinePrivate, // a b c n: adds #b to a, n: 0 field, 1 method, 2 getter, 3 setter

  // Objects, arrays, functions
  NewObject, // d
  NewObjectOf, // d k r: constant shape keys, values from r on
  DefineField, // a k b: own property a[k] = b
  DefineElement, // a b c: own property a[b] = c
  DefineMethod, // a b c n: a[b] = function c; n: bit 0 enumerable, bit 1 getter, bit 2 setter; gives it its home
  SetPrototype, // a b: `__proto__: b`
  CopyProperties, // a b: spread b into a
  CopyRest, // d a r n: own properties of a but the n keys from r on
  NewArray, // d r n
  ArrayPush, // a b
  ArrayHole, // a
  ArraySpread, // a b
  Closure, // d f
  SetFunctionName, // a b k: names the function a after the key b, with the prefix k
  NewClass, // d a f: d constructor, d + 1 prototype; a the heritage, or -1
  SetHome, // a b: function a gets the home object b
  SetFields, // a b: class a initialises its instances with b
  InitializeFields, // a b: runs the initialiser of the class b on the object a
  GetTemplateObject, // d k
  NewRegExp, // d k

  // Calls: the callee in r, its `this` in r + 1, arguments after it
  Call, // d r s n, and the registers of n arguments, which are anywhere; s is 0 where there is no `this`, and r + 1 is not set
  CallSpread, // d r: arguments in the array in r + 2
  New, // d r n
  NewSpread, // d r
  SuperConstructor, // d a: the parent of the class a
  SuperCall, // d r n c: constructs r with the new target in c
  SuperCallSpread, // d r c
  Return, // a
  ReturnDerived, // a b: a derived constructor's value a and `this` b
  Throw, // a
  ThrowError, // n k: an error of the kind n with the message k
  EndFinally, // a b: throws b if a is 1

  // Iteration: the iterator in r, its `next` in r + 1 and its state in r + 2, see `IteratorState`
  GetIterator, // r a: a plain array is iterated without the protocol
  GetIteratorObject, // r a: always the protocol
  GetAsyncIterator, // r a
  IteratorNext, // d r t: an array's next value goes to d and the instruction after this one is skipped; at its end jumps
  CallNext, // d r: the result of `next()`
  IteratorResult, // d r t: d is a result: becomes its value, or jumps when it is done
  IteratorStep, // d r t: for destructuring: jumps where d has the value already, else calls `next`
  IteratorStepResult, // d r
  JumpDone, // r t
  IteratorClose, // d r t: calls `return` with the result in d; jumps if there is nothing to call
  CheckObject, // a: an iterator's result must be an object
  ForIn, // d a
  ForInNext, // d a t

  // Suspension
  InitialYield, // the arguments are bound: hands out the generator
  Yield, // d a t: resumed with a value goes to t, with a return falls through
  YieldDelegate, // a r: yields the result a as it is; resumed, the mode goes to r + 2 and the value to r + 3
  DelegateNext, // d r t: calls what the mode in r + 2 asks for with r + 3; jumps if the inner iterator has no such method
  Await, // d a

  // Resources of `using` declarations
  NewResources, // d
  AddResource, // a b n: adds b to the resources a; n is 1 for `await using`
  DisposeNext, // d r t: disposes of the newest of the resources r, or jumps when none is left
  JumpResourceSync, // r t: jumps if what was disposed of last is not awaited
  SuppressError, // d d b: the error b joins the completion kind and value
}

/** The kinds of `Op.ThrowError`. */
export const enum ErrorKind {
  TypeError,
  ReferenceError,
  SyntaxError,
  RangeError,
}

/** The states of an iterator in registers. */
export const enum IteratorState {
  Protocol,
  Done,
  /** A plain array: its index is in the place of `next`. */
  Array,
}
