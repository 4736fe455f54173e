/**
 * Presents a whole `effect/ai` toolkit to a model as one tool that runs code.
 *
 * @since 0.1.0
 */

/**
 * @since 0.1.0
 */
export * as Assembly from "./Assembly.ts"

/**
 * @since 0.1.0
 */
export * as Catalog from "./Catalog.ts"

/**
 * @since 0.1.0
 */
export * as CodeMode from "./CodeMode.ts"

/**
 * @since 0.1.0
 */
export * as Guest from "./Guest.ts"

/**
 * @since 0.1.0
 */
export * as Mcp from "./Mcp.ts"

/**
 * @since 0.1.0
 */
export * as OpenApi from "./OpenApi.ts"

/**
 * @since 0.1.0
 */
export * as ToolSource from "./ToolSource.ts"
