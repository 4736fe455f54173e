/** A number as a message has it: `1,000`. */
export const count = (value: number): string => String(value).replace(/\B(?=(?:\d{3})+$)/g, ",")
