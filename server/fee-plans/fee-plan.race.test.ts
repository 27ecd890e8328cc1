import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { firstFeePlan } from '#contract/fee-plan.ts';
import { listRows } from '#server/db/rows.ts';
import { inTransaction } from '#server/db/tx.ts';
import { findFeePlans } from '#server/fee-plans/index.ts';
import { closeAfterAll } from '#test/database/close-after-all.ts';
import { bootRecorded } from '#test/kit/boot.ts';
import { writeFeePlan } from '#test/worlds/fee-plans.ts';
import { followMarket } from '../trading/index.ts';
import { lockPlans } from './fee-plans.ts';

const world = closeAfterAll(await bootRecorded({ symbols: ['btc'], start: '2026-03-04T12:30:00Z' }));

const write = (proposedBy: bigint, tradeBps: number) =>
  writeFeePlan(world.context, { ...firstFeePlan, trade_fee_bps: tradeBps }, { proposedBy });

test('of plans written concurrently the newest has the highest id, and each follows the one before it', async () => {
  const plans = await Promise.all(Array.from({ length: 12 }, (_, index) => write(BigInt(index + 1), index)));
  const ids = plans.map(({ id }) => Number(id)).sort((one, other) => one - other);
  expect((await findFeePlans(world.context.db)).current.id).toBe(ids.at(-1));
  const rows = await listRows(world.context.db)<{ before: number; after: number }>`
    select (before->>'id')::int as before, (after->>'id')::int as after
    from audit.entry where action = 'fee_plan.create' order by id`;
  expect(rows).toEqual(ids.map((after, index) => ({ before: ids[index - 1] ?? 1, after })));
});

test('a session opens under the newest plan, without waiting for one that is being written', async () => {
  const { current } = await findFeePlans(world.context.db);
  await inTransaction(world.context.db, async (tx) => {
    await lockPlans(tx);
    await followMarket(world.context);
  });
  const rows = await listRows(world.context.db)`select state, fee_plan_id, trade_fee_bps from trading.session`;
  expect(rows).toEqual([{ state: 'open', fee_plan_id: current.id, trade_fee_bps: current.tradeFeeBps }]);
});

test('two workers that open a session at once open it once, under one plan', async () => {
  const written = await write(1n, 77);
  await sql`update trading.session set state = 'scheduled', opened_at = null, fee_plan_id = null, trade_fee_bps = null,
    performance_fee_bps = null`.execute(world.context.db);
  await Promise.all([followMarket(world.context), followMarket(world.context), write(2n, 78)]);
  const rows = await listRows(world.context.db)<{ id: string; rate: number }>`
    select fee_plan_id::text as id, trade_fee_bps as rate from trading.session where state = 'open'`;
  expect(rows).toHaveLength(1);
  const [session] = rows as [{ id: string; rate: number }];
  expect(session.rate).toBe(session.id === written.id ? 77 : 78);
});
