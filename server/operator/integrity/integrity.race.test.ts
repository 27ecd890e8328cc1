import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { readConfig } from '#server/config.ts';
import { connect } from '#server/db/connect.ts';
import { inTransaction } from '#server/db/tx.ts';
import { getAlarms } from '#server/solvency/index.ts';
import { closeAfterAll } from '#test/database/close-after-all.ts';
import { createTestDatabase } from '#test/database/database.ts';
import { bootWithoutMarket } from '#test/kit/boot.ts';
import { checkWhenDue } from './check-integrity.ts';

const limits = { DATABASE_JOBS_LOCK_SECONDS: '1' };
const database = await connect(readConfig({ DATABASE_URL: await createTestDatabase(), ...limits }));
const world = closeAfterAll(await bootWithoutMarket('2026-03-04T09:00:00Z', {}, database));
const context = { ...world.context, db: database.jobs };

test('a table that another session holds is no discrepancy: payouts go on, and the check is repeated', async () => {
  await inTransaction(context.db, async (tx) => {
    await sql`lock table audit.seal in access exclusive mode`.execute(tx);
    await expect(checkWhenDue(context, true)).rejects.toMatchObject({ code: '55P03' });
  });
  expect(await getAlarms(context.db)).toEqual([]);
  expect(await checkWhenDue(context, false)).toMatchObject({ findings: [] });
});
