import { rmSync } from 'node:fs';
import { expect, test } from 'vitest';
import { bootTest } from '#test/boot.ts';
import { type OpenWorld, playSessions, recordedSessions, recordFall } from '#test/crowd/play-sessions.ts';

/** A few of them; `npm run sessions` plays them all. */
const openWorld: OpenWorld = async (env) => {
  const { context, database } = await bootTest(env);
  return { context, close: () => database.close() };
};

const { minutes, quarters } = recordedSessions;

test('recorded sessions of a thousand members with stops and plans: every result, and the books', async () => {
  expect(await playSessions(openWorld, { ...quarters, opens: quarters.opens.slice(0, 2) })).toBeGreaterThan(2400);
}, 200_000);

test('a fall of 34 % inside one minute: every stop fills at the tick after it, and the books balance', async () => {
  const opensAt = minutes.opens[1] as number;
  const folder = recordFall(minutes.folder, opensAt + 2 * 3_600_000);
  const session = { folder, stepMs: minutes.stepMs, opens: [opensAt] };
  expect(await playSessions(openWorld, session)).toBeGreaterThan(1200);
  rmSync(folder, { recursive: true });
}, 200_000);
