import { expect, test } from 'vitest';
import { closeAfterAll } from '#test/database/close-after-all.ts';
import { openTestDatabase } from '#test/database/database.ts';
import { testContext } from '#test/worlds/builders.ts';
import type { Context } from './context.ts';
import { listServices } from './db/installation.ts';
import { rememberService } from './refuse-mixed-money.ts';

const database = closeAfterAll(await openTestDatabase());

test('of a paper and a live server that start on a new database concurrently one starts', async () => {
  const paper = testContext(database);
  const { config } = paper;
  const live: Context = { ...paper, config: { ...config, mode: 'live', payments: ['btcpay'] } };
  const starts = await Promise.allSettled([paper, live, paper, live].map(rememberService));
  const refused = starts.flatMap((start) => (start.status === 'rejected' ? [String(start.reason)] : []));
  const [first, ...others] = await listServices(database.db);
  expect(others).toEqual([]);
  expect(refused).toHaveLength(2);
  const reason = first?.mode === 'live' ? 'this database is of MODE=live' : 'this database was served with MODE=paper';
  for (const line of refused) expect(line).toContain(`MODE: ${reason}`);
});
