import { expect, test } from 'vitest';
import { closeAfterAll } from '#test/database/close-after-all.ts';
import { openTestDatabase } from '#test/database/database.ts';
import { measureClockOffset, refuseWrongClock } from './clock-offset.ts';
import { BadConfig } from './config.ts';

const { db } = closeAfterAll(await openTestDatabase());
const off = (seconds: number) => ({ db, now: () => new Date(Date.now() + seconds * 1000) });

test('the clock of a machine is compared with the database’s, and a worker with a wrong one is refused', async () => {
  expect(await measureClockOffset(off(0))).toBe(0);
  expect(await measureClockOffset(off(90))).toBeCloseTo(90, 0);
  expect(await measureClockOffset(off(-90))).toBeCloseTo(-90, 0);
  for (const seconds of [0, 20, -20]) await refuseWrongClock(off(seconds));
  const advice = 'Set both by NTP, or run without jobs (JOBS=off).';
  await expect(refuseWrongClock(off(90))).rejects.toThrow(
    new BadConfig(`The clock of this machine is 90 s ahead of the database's. ${advice}`),
  );
  await expect(refuseWrongClock(off(-90))).rejects.toThrow(
    new BadConfig(`The clock of this machine is 90 s behind the database's. ${advice}`),
  );
});
