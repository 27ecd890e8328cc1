import { expect, test } from 'vitest';
import type { Call } from './calls.ts';
import { findFault } from './check-answer.ts';

const call = {
  refusals: new Set(['gateway_unavailable', 'deposit_out_of_limits']),
  findMisfit: (answer: unknown) => (JSON.stringify(answer) === '{}' ? undefined : 'id: missing'),
} as unknown as Call;

const answer = (status: number, text: string, headers = {}) => ({
  status,
  text,
  headers: { 'content-type': 'application/json', 'x-request-id': '1', 'cache-control': 'no-store', ...headers },
});
const refusal = (code: string, message: string, fields: object[] = []) =>
  JSON.stringify({ status: 'error', code, message, validation_results: fields });

const UNAVAILABLE = 'The payment gateway is not responding. Try again in a moment.';
const CHECK = 'Please check what you entered.';

test.each([
  ['a valid success', answer(200, '{}')],
  ['a 503 that its row declares', answer(503, refusal('gateway_unavailable', UNAVAILABLE))],
  ['a named field', answer(422, refusal('validation', CHECK, [{ field: 'amount', message: 'No.' }]))],
])('%s is no fault', (_name, sent) => {
  expect(findFault(call, sent)).toBeUndefined();
});

test.each([
  ['no answer within 10 s', answer(0, '')],
  ['internal', answer(500, '{}')],
  ['misfit at id: missing', answer(200, '{"id":1}')],
  ['a success of type text/html', answer(200, '', { 'content-type': 'text/html' })],
  ['may be cached', answer(200, '{}', { 'cache-control': 'public' })],
  ['leaks "violates"', answer(409, refusal('not_found', 'insert violates'))],
  ['validation without a field', answer(422, refusal('validation', CHECK))],
  [
    'deposit_out_of_limits without a field',
    answer(422, refusal('deposit_out_of_limits', 'A deposit is from 10$ to 50000$.')),
  ],
  [
    'not_ready, which the contract of the call does not name',
    answer(503, refusal('not_ready', 'The service cannot answer right now. Try again in a moment.')),
  ],
  ['no code: undefined', answer(404, '{"status":"error"}')],
  ['validation with 404 or another sentence', answer(404, refusal('validation', CHECK))],
])('a fault: %s', (fault, sent) => {
  expect(findFault(call, sent)).toBe(fault);
});
