export class FunctionCode {}
