import { type RefusalCode, refusalField, refusals } from '#contract/refusals.ts';
import type { Call } from './calls.ts';
import type { Answer } from './send.ts';

/** Codes with which any call can refuse. */
export const ofEveryCall: ReadonlySet<string> = new Set([
  ...['unreadable_body', 'session_required', 'not_allowed', 'not_found', 'body_too_large', 'not_json', 'validation'],
  ...['too_many_requests', 'headers_too_large', 'idempotency_mismatch', 'idempotency_running', 'second_factor_missing'],
]);

/** What no reply may show: stack traces, file paths, SQL and database errors. */
const leaks =
  /\n\s+at |node:|node_modules|\.[cm]?[jt]s:\d|\/server\/|SQLSTATE|violates|relation "|column "|syntax error|\bpg_|(Type|Reference|Range|Syntax)Error|ECONN/;

type Refusal = {
  readonly status?: unknown;
  readonly code?: unknown;
  readonly message?: unknown;
  readonly validation_results?: unknown;
};

/** How a reply violates the contract (docs/api.md, "Replies"), in a few words; undefined if it does not. */
export function findFault(call: Call | undefined, answer: Answer): string | undefined {
  const { status, headers, text } = answer;
  if (status === 0) return 'no answer within 10 s';
  if (status === 500) return 'internal';
  if (headers['x-request-id'] === undefined) return 'no X-Request-Id';
  if (!/\bno-store\b/.test(String(headers['cache-control']))) return 'may be cached';
  if (status >= 400) return findRefusalFault(call, answer);
  if (status !== 200) return `status ${status}`;
  const type = String(headers['content-type']);
  if (!type.startsWith('application/json'))
    return call?.file !== undefined && type.startsWith(call.file) ? undefined : `a success of type ${type}`;
  // A downloaded data file can be JSON as well.
  if (headers['content-disposition'] !== undefined) return undefined;
  const misfit = call?.findMisfit(JSON.parse(text));
  return misfit === undefined ? undefined : `misfit at ${misfit}`;
}

function findRefusalFault(call: Call | undefined, { status, headers, text }: Answer): string | undefined {
  const leak = leaks.exec(text)?.[0];
  if (leak !== undefined) return `leaks ${JSON.stringify(leak)}`;
  if (!String(headers['content-type']).startsWith('application/json')) return 'a refusal that is not JSON';
  const body = JSON.parse(text) as Refusal;
  const code = String(body.code);
  const known = refusals[code as RefusalCode] as readonly [number, string] | undefined;
  if (body.status !== 'error' || known === undefined) return `no code: ${code}`;
  if (known[0] !== status || known[1] !== body.message) return `${code} with ${status} or another sentence`;
  if (!ofEveryCall.has(code) && !call?.refusals.has(code))
    return `${code}, which the contract of the call does not name`;
  const fields = Array.isArray(body.validation_results) ? body.validation_results : [];
  const needsField = code === 'validation' || refusalField[code as RefusalCode] !== undefined;
  if (needsField && !fields.some(({ field, message }) => typeof field === 'string' && message !== ''))
    return `${code} without a field`;
  return undefined;
}
