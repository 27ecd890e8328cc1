import { expect, test } from 'vitest';
import { filterOf } from './filter.ts';

test.each([
  ['', {}],
  ['actor=operator&action=member.freeze', { actor: 'operator', action: 'member.freeze' }],
  ['actor=nobody&text=%20', {}],
  ['text=%20two%20words%20&subject=member:17', { text: 'two words', subject: 'member:17' }],
  ['from=2026-03-04&to=2026-03-04', { from: '2026-03-04T00:00:00.000Z', to: '2026-03-05T00:00:00.000Z' }],
  ['from=yesterday&to=2026-13-40', {}],
])('%s asks for %j', (search, filter) => {
  expect(filterOf(new URLSearchParams(search))).toEqual(filter);
});
