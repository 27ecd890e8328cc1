import assert from 'node:assert';
import type { Endpoint } from '#contract/endpoint.ts';
import { type RefusalCode, refusals } from '#contract/refusals.ts';
import type { TestApp } from './app.ts';

// biome-ignore lint/suspicious/noExplicitAny: tests look into replies of every shape
export type Outcome = { readonly isDone: boolean; readonly code: string; readonly data: any; readonly name: string };
export type Given = {
  token?: string | undefined;
  id?: string;
  query?: Record<string, string>;
  body?: object;
  key?: string;
};

const ofEveryCall: ReadonlySet<string> = new Set(['session_required', 'too_many_requests', 'second_factor_missing']);

/** Sends a call, and checks that a reply has the shape and a refusal one of the codes of the contract. */
export async function sendCall(
  ask: TestApp['ask'],
  row: Endpoint,
  { token, id, query, body, key }: Given,
): Promise<Outcome> {
  const path = row.path.slice(1).replace(/:\w+/, id ?? '0');
  const url = query === undefined ? path : `${path}?${new URLSearchParams(query)}`;
  const options = { token, ...(key === undefined ? {} : { headers: { 'idempotency-key': key } }) };
  const answer = await ask(row.method, url, row.body === undefined ? options : { ...options, body });
  const name = `${row.method} ${url} ${JSON.stringify(body)}: ${answer.status} ${answer.text.slice(0, 300)}`;
  if (answer.status === 200) {
    const fault = row.data?.safeParse(answer.body.data).error;
    assert(fault === undefined, `not what the contract says: ${name}: ${fault?.message}`);
    return { isDone: true, code: '', data: answer.body.data, name };
  }
  const code = String(answer.body?.code);
  assert(refusals[code as RefusalCode]?.[0] === answer.status, `no documented refusal: ${name}`);
  assert(ofEveryCall.has(code) || row.refusals?.includes(code as RefusalCode), `not a refusal of this call: ${name}`);
  return { isDone: false, code, data: undefined, name };
}
