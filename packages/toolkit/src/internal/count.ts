/** A number as models and hosts read it, the same in every country: `1,048,576`. */
export const count = (value: number): string => value.toLocaleString("en-US")
