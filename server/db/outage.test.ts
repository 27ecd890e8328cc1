import { pino } from 'pino';
import { expect, test } from 'vitest';
import { beginThroughOutage, forgetOutage } from './outage.ts';

test.each([
  ['another fault at once', Object.assign(new Error('wrong password'), { code: '28P01' }), 60_000],
  ['an outage when the patience is over', Object.assign(new Error('gone'), { code: 'ECONNREFUSED' }), 0],
])('a start fails with %s', async (_what, fault, patienceMs) => {
  const place = { db: undefined as never, log: pino({ level: 'silent' }) };
  let attempts = 0;
  const work = async () => {
    attempts += 1;
    throw fault;
  };
  await expect(beginThroughOutage(place, work, patienceMs)).rejects.toBe(fault);
  forgetOutage(place);
  expect(attempts).toBe(1);
});
