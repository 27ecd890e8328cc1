import { expect, test } from 'vitest';
import { killDatabase } from './database-kill.ts';

test('a PostgreSQL killed under load loses and repeats no trade; requests get 503 and recover by themselves', {
  timeout: 180_000,
}, async () => {
  const { kills, refused, faults } = await killDatabase(2);
  expect(faults).toEqual([]);
  expect(kills).toBe(2);
  expect(refused).toBeGreaterThan(0);
});
