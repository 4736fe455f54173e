/**
 * What can be said about the tools a program may call: one entry a tool, in the order of their paths.
 *
 * @since 0.1.0
 */

/**
 * A tool as the model reads about it.
 *
 * @since 0.1.0
 * @category models
 */
export interface Entry {
  /** The callable name, as it stands in `Execution.tools`: `github.list_issues`. */
  readonly tool: string
  /** The JavaScript expression that reaches it, to be pasted as it is: `tools.github.list_issues`. */
  readonly path: string
  /** What the tool does, or the empty text. */
  readonly description: string
  /** How it is called, in TypeScript: `tools.github.list_issues(input: { owner: string }): Promise<Array<string>>`. */
  readonly signature: string
}

/**
 * All tools of a run.
 *
 * @since 0.1.0
 * @category models
 */
export interface Catalog {
  readonly entries: ReadonlyArray<Entry>
}
