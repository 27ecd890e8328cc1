import { pino } from 'pino';
import { expect, test } from 'vitest';
import { BadConfig } from '#server/config.ts';
import { beginThroughOutage, forgetOutage } from './outage.ts';

const refusal = Object.assign(new Error('wrong password'), { code: '28P01' });

test.each([
  ['any other fault at once', refusal, 60_000, refusal],
  [
    'one line when patience runs out',
    Object.assign(new Error('gone'), { code: 'ECONNREFUSED' }),
    0,
    new BadConfig('PostgreSQL is not available (ECONNREFUSED).'),
  ],
  [
    'the cause in words where the server itself runs',
    Object.assign(new Error('could not extend file'), { code: '53100' }),
    0,
    new BadConfig('PostgreSQL is not available (53100: its disk is full).'),
  ],
])('a start fails with %s', async (_what, fault, patienceMs, expected) => {
  const place = { db: undefined as never, log: pino({ level: 'silent' }) };
  let attempts = 0;
  const work = async () => {
    attempts += 1;
    throw fault;
  };
  await expect(beginThroughOutage(place, work, patienceMs)).rejects.toEqual(expected);
  forgetOutage(place);
  expect(attempts).toBe(1);
});
