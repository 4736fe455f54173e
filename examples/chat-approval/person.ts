// The person at the terminal, who says yes or no.
import { Console, Effect } from "effect"
import { Prompt } from "effect/cli"

/** How questions are answered: by whoever sits there, or by a flag. */
export type Answers = "ask" | "yes" | "no"

/** Reads the flags `--yes` and `--no`. Where nobody can be asked, the answer is no. */
export const answersOf = (flags: { readonly yes?: boolean; readonly no?: boolean }, present: boolean): Answers =>
  flags.no === true ? "no" : flags.yes === true ? "yes" : present ? "ask" : "no"

/** Asks a question. Leaving it, by Escape or by Ctrl-C, is a no. */
export const ask = (message: string, answers: Answers) =>
  answers === "ask"
    ? Prompt.run(Prompt.Confirm({ message, initial: false })).pipe(Effect.orElseSucceed(() => false))
    : Effect.as(Console.log(`? ${message} ${answers}, without asking`), answers === "yes")
