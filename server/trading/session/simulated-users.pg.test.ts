import { expect, inject, test } from 'vitest';
import { bootTest } from '#test/kit/boot.ts';
import { openFall, openQuarters } from '#test/recorded/recordings.ts';
import { type OpenWorld, playSessions } from '#test/simulated-users/play-sessions.ts';

/** A few of them; `npm run sessions` plays many. */
const openWorld: OpenWorld = async (env) => {
  const { context, database } = await bootTest(env);
  return { context, close: () => database.close() };
};

test('recorded sessions of a thousand members with stops and plans: every result, and the books', async () => {
  const quarters = openQuarters(inject('recordings'));
  expect(await playSessions(openWorld, quarters, quarters.opens.slice(1, 3))).toBeGreaterThan(2400);
}, 200_000);

test('a fall of 34 % inside one minute: every stop fills at the tick after it, and the books balance', async () => {
  const fall = openFall(inject('recordings'));
  expect(await playSessions(openWorld, fall, [fall.opensAt])).toBeGreaterThan(1200);
  fall.remove();
}, 200_000);
