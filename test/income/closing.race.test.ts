import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Context } from '#server/context.ts';
import type { Database } from '#server/db/connect.ts';
import { inTransaction } from '#server/db/tx.ts';
import { insertRun } from '#server/income/bonus/bonus-run-sql.ts';
import { replayBonuses } from '#server/income/bonus/replay-session.ts';
import { closeMemberIncomes } from '#server/income/index.ts';
import { payDue } from '#server/income/periods/pay-due.ts';
import { verifyLedger } from '#server/ledger/index.ts';
import { Refused } from '#server/refused.ts';
import { openTestDatabase } from '#test/database/database.ts';
import { holdOpen } from '#test/database/hold-open.ts';
import { countLockWaits } from '#test/database/lock-waits.ts';
import { codeOf } from '#test/kit/at-once.ts';
import { waitFor } from '#test/kit/wait-until.ts';
import { testContext } from '#test/worlds/builders.ts';
import { checkIncomes } from './check-incomes.ts';
import { seedMarket, seedMembers, seedSession, tradeOf } from './seed.ts';

const days = ['2026-01-30', '2026-01-31', '2026-02-01', '2026-02-02', '2026-02-03', '2026-02-09'];
const MEMBERS = 120;

let database: Database;
let context: Context;
beforeAll(async () => {
  database = await openTestDatabase();
  context = testContext(database);
  const ids = Array.from({ length: MEMBERS }, (_, index) => BigInt(index + 1));
  await seedMembers(
    context,
    ids.map((id) => ({ id, sponsorId: id === 1n ? null : id <= 4n ? 1n : (id + 2n) / 3n })),
  );
  for (const day of days) {
    const trades = ids.slice(1).map((id) => tradeOf(id, 100_000_000n + id, 103_000_000n));
    await seedSession(context, { day, trades });
  }
  await seedMarket(context, '2026-02-09T20:00:00Z');
});
afterAll(() => database.close());

/** Closes as soon as no run is in progress. @returns how often one was */
async function closeWhenIdle(memberId: bigint): Promise<number> {
  for (let refused = 0; ; refused += 1) {
    try {
      await inTransaction(database.db, (tx) => closeMemberIncomes(tx, memberId));
      return refused;
    } catch (error) {
      if (!(error instanceof Refused) || error.code !== 'closing_incomes') throw error;
    }
  }
}

test('members who close during payments are paid by none of them twice, in part, or afterwards', async () => {
  const leavers = [2n, 3n, 5n, 7n, 11n, 13n];
  await Promise.all([
    payDue(context),
    (async () => {
      for (const memberId of leavers) await closeWhenIdle(memberId);
    })(),
  ]);
  await payDue(context);
  expect(await checkIncomes(database.db)).toEqual([]);
  expect(await verifyLedger(database.db)).toEqual([]);
  for (const day of days) {
    const { inputsHash, outputsHash, replayedInputsHash, replayedOutputsHash } = await replayBonuses(context, day);
    expect([replayedInputsHash, replayedOutputsHash]).toEqual([inputsHash, outputsHash]);
  }
  const { rows } = await sql<{ closed: bigint; kept: bigint }>`
    select (select count(*) from income.closed_member) as closed,
      (select count(*) from income.bonus_line l join income.closed_member c using (member_id)
       where l.session_day > c.closed_on and l.reason is distinct from 'closed') as kept`.execute(database.db);
  expect(rows).toEqual([{ closed: BigInt(leavers.length), kept: 0n }]);
});

test('a closing waits for a run that is about to begin', async () => {
  const day = '2026-02-10';
  const session = { day, closesAt: new Date(`${day}T17:30:00Z`), feePlanId: 1 };
  const release = await holdOpen(database.db, (tx) => insertRun(tx, session, session.closesAt));
  const closing = codeOf(inTransaction(database.db, (tx) => closeMemberIncomes(tx, 17n)));
  await Promise.race([closing, waitFor(async () => (await countLockWaits(database.db)) === 1, 'the closing waits')]);
  await release();
  expect(await closing).toBe('closing_incomes');
});
