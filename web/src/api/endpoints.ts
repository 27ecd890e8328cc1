/**
 * The contract's table of calls as the browser uses it. The types are whole; in the built app the rows are only
 * `{ method, path, idempotent }`, because the build replaces this module (web/build/light-endpoints.ts) so that no
 * schema and no zod reaches a member's browser: the server checks what it sends.
 */
export { apiBase, endpoints } from '#contract/index.ts';
