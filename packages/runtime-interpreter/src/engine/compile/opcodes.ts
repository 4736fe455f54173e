/**
 * The instructions of the machine, each followed by its operands in the code array: see `operands`, whose letters are used here.
 *
 * Inlined by the TypeScript compiler, so that the machine's `switch` becomes a jump table.
 */
export const enum Op {
  // Values
  Move,
  LoadConstant,
  LoadInteger,
  LoadUndefined,
  LoadTdz,
  This, // the frame's `this`
  NewTarget,
  Callee, // the running function
  Arguments, // a new arguments object
  Rest, // the arguments from the nth on

  // Cells: captured variables
  NewCell, // a cell with an uninitialised variable
  NewCellOf, // a cell with a value
  CopyCell, // a new cell with the old one's value
  LoadCell,
  LoadCellChecked, // throws while uninitialised; k is the name
  StoreCell, // into the cell a, the value b
  StoreCellChecked,
  LoadCapture,
  LoadCaptureChecked,
  StoreCapture,
  StoreCaptureChecked,
  CheckTdz,
  ThrowConstant, // assignment to the constant of that name

  // Globals
  GetGlobal,
  TypeofGlobal,
  SetGlobal,
  HasGlobal,

  // Arithmetic
  Add,
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
  Negate,
  ToNumber,
  ToNumeric,
  BitNot,
  Not,
  Typeof,
  Increment,
  Decrement,
  ToText, // ToString, for templates

  // Comparison
  Less,
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
  Jump,
  JumpTrue,
  JumpFalse,
  JumpNullish,
  JumpNotNullish,
  JumpUndefined,
  JumpNotUndefined,
  IncrementJumpLess, // increments a and jumps if it is less than b then
  JumpLess,
  JumpNotLess,
  JumpLessEqual,
  JumpNotLessEqual,
  JumpGreater,
  JumpNotGreater,
  JumpGreaterEqual,
  JumpNotGreaterEqual,
  JumpStrictEqual,
  JumpStrictNotEqual,
  JumpIfInteger, // when a register of the compiler's own holds n

  // Properties
  GetProperty,
  GetLength,
  LoadMethod, // r = a[k], r + 1 = a
  SetProperty,
  GetElement,
  SetElement, // a[b] = c
  DeleteProperty,
  DeleteElement,
  GetSuper, // home function a, key b, this c
  SetSuper, // home function a, key b, this c, value d
  ToKey,
  ElementKey, // the key b of an element of a that is read and then written
  RequireObject, // not undefined or null; k is the property that is read first, if it has a name
  NewPrivateName,
  GetPrivate, // a.#b
  SetPrivate, // a.#b = c
  HasPrivate,
  DefinePrivate, // adds #b to a, n: 0 field, 1 method, 2 getter, 3 setter

  // Objects, arrays, functions
  NewObject,
  NewObjectOf, // constant shape keys, values from r on
  DefineField, // own property a[k] = b
  DefineElement, // own property a[b] = c
  DefineMethod, // a[b] = function c; n: bit 0 enumerable, bit 1 getter, bit 2 setter; gives it its home
  SetPrototype, // `__proto__: b`
  CopyProperties, // spread b into a
  CopyRest, // own properties of a but the n keys from r on
  NewArray,
  ArrayPush,
  ArrayHole,
  ArraySpread,
  Closure,
  SetFunctionName, // names the function a after the key b, with the prefix k
  NewClass, // d constructor, d + 1 prototype; a the heritage, or -1
  SetHome, // function a gets the home object b
  SetFields, // class a initialises its instances with b
  InitializeFields, // runs the initialiser of the class b on the object a
  GetTemplateObject,
  NewRegExp,

  // Calls: the callee in r, its `this` in r + 1, arguments after it
  Call, // and the registers of n arguments, which are anywhere; s is 0 where there is no `this`, and r + 1 is not set
  CallCaptured, // the same of the captured variable n
  CallSpread, // arguments in the array in r + 2
  New,
  NewSpread,
  SuperConstructor, // the parent of the class a
  SuperCall, // constructs r with the new target in c
  SuperCallSpread,
  Return,
  ReturnDerived, // a derived constructor's value a and `this` b
  Throw,
  ThrowError, // an error of the kind n with the message k
  EndFinally, // throws b if a is 1

  // Iteration: the iterator in r, its `next` in r + 1 and its state in r + 2, see `IteratorState`
  GetIterator, // a plain array is iterated without the protocol
  GetIteratorObject, // always the protocol
  GetAsyncIterator,
  IteratorNext, // an array's next value goes to d and the instruction after this one is skipped; at its end jumps
  CallNext, // the result of `next()`
  IteratorResult, // d is a result: becomes its value, or jumps when it is done
  IteratorStep, // for destructuring: jumps where d has the value already, else calls `next`
  IteratorStepResult,
  JumpDone,
  IteratorClose, // calls `return` with the result in d; jumps if there is nothing to call
  CheckObject, // an iterator's result must be an object
  ForIn,
  ForInNext,

  // Suspension
  InitialYield, // hands out the generator
  Yield, // resumed with a value goes to t, with a return falls through
  YieldDelegate, // yields the result a as it is; resumed, the mode goes to r + 2 and the value to r + 3
  DelegateNext, // calls what the mode in r + 2 asks for with r + 3; jumps if the inner iterator has no such method
  Await,

  // Resources of `using` declarations
  NewResources,
  AddResource, // adds b to the resources a; n is 1 for `await using`
  DisposeNext, // disposes of the newest of the resources r, or jumps when none is left
  JumpResourceSync, // jumps if what was disposed of last is not awaited
  SuppressError, // the error b joins the completion kind and value

  // Of these, what is computed is read by the next instruction alone
  AddOnce,
  SubtractOnce,
  MultiplyOnce,
  DivideOnce,
  GetPropertyOnce,
  GetElementOnce,

  // What instructions are decoded to

  // With the instruction after them, the `Then` in e, whose other operand is in d, into f (or with the key in f): do both, or the first
  // alone
  AddThen,
  SubtractThen,
  MultiplyThen,
  DivideThen,
  GetPropertyThen,
  GetElementThen,
  CallMethod, // `LoadMethod` before the `Call` of what it loads: does both, or the first alone
  ReturnUndefined, // `LoadUndefined` before the `Return` of it
  // With null in the register that is read last
  JumpStrictEqualNull,
  JumpStrictNotEqualNull,
  // With a constant small integer in operand e, in place of the register that is read last
  AddInteger,
  SubtractInteger,
  MultiplyInteger,
  RemainderInteger,
  BitAndInteger,
  JumpLessInteger,
  JumpNotLessInteger,
  JumpGreaterInteger,
  JumpNotGreaterInteger,

  Undecoded, // what no frame has come to yet: decodes a stretch of instructions from here on, and becomes the first of them
}

/** What an instruction does with a value that was computed for it alone, and its other operand. */
export const enum Then {
  Add,
  Multiply,
  /** Takes the other from the value. */
  Subtract,
  /** Takes the value from the other. */
  SubtractFrom,
  /** Divides the value by the other. */
  Divide,
  /** Divides the other by the value. */
  DivideFrom,
  /** Gets the element of the other that is at the value. */
  GetElement,
  /** Makes the value a property of the other. */
  SetProperty,
  /** Makes the value an element of the other. */
  SetElement,
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
