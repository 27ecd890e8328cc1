import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { type FeePlanTerms, firstFeePlan } from '#contract/fee-plan.ts';
import { listRows } from '#server/db/rows.ts';
import { mountFeePlans } from '#server/fee-plans/index.ts';
import { closeAfterAll } from '#test/database/close-after-all.ts';
import { bootWithoutMarket } from '#test/kit/boot.ts';
import { success, testApp } from '#test/worlds/app.ts';
import { writeFeePlan } from '#test/worlds/fee-plans.ts';
import { makeOperator } from '#test/worlds/operators.ts';
import { readTerms } from './core/fee-plan.ts';
import { insertPlan } from './fee-plans.ts';

const world = closeAfterAll(await bootWithoutMarket('2026-03-04T12:00:00Z'));
const app = closeAfterAll(await testApp(world.context, mountFeePlans));

const cheaper: FeePlanTerms = { ...firstFeePlan, trade_fee_bps: 30 };

test('the first plan is the one in docs/product.md, and is public', async () => {
  expect(await app.ask('GET', 'fees')).toMatchObject(
    success({ current: { id: '1', terms: firstFeePlan, note: 'The first fee plan.', state: 'current' }, next: null }),
  );
  expect((await app.ask('GET', 'fees')).body.data.current.terms).toEqual(firstFeePlan);
});

describe('a written plan', () => {
  test('is current at once before the first session, and the audit log records the previous plan and both operators', async () => {
    const note = 'Cheaper trades.';
    const plan = await writeFeePlan(world.context, cheaper, { note, proposedBy: 3n, approvedBy: 4n });
    const { id } = plan;
    expect(Number(id)).toBeGreaterThan(1);
    expect(plan).toEqual({
      id,
      terms: cheaper,
      note,
      created_at: world.context.now().toISOString(),
      state: 'current',
    });
    expect((await app.ask('GET', 'fees')).body.data).toEqual({ current: plan, next: null });
    const rows = await listRows(world.context.db)`
      select actor_kind, actor_id, action, subject, before, after from audit.entry where action like 'fee_plan.%'`;
    expect(rows).toEqual([
      {
        actor_kind: 'operator',
        actor_id: 4n,
        action: 'fee_plan.create',
        subject: `fee_plan:${id}`,
        before: { id: '1', terms: firstFeePlan, note: 'The first fee plan.' },
        after: { id, terms: cheaper, note, proposedBy: '3', approvedBy: '4' },
      },
    ]);
  });

  test('keeps amounts of any size to the micro', async () => {
    const ranks = [0.000001, 1.5, 2, 3, 8_500_000_000].map((volume) => ({ volume, monthly: 0.25, reward: 0 }));
    const terms = { ...firstFeePlan, withdrawal_fee_min: 0.123456, ranks };
    expect((await writeFeePlan(world.context, terms, { note: 'To the micro.' })).terms).toEqual(terms);
    const { token } = await makeOperator(world.context, 'support');
    const { items } = (await app.ask('GET', 'operator/fee-plans', { token })).body.data;
    expect(items).toMatchObject([
      { note: 'To the micro.', terms, state: 'current' },
      { note: 'Cheaper trades.', terms: cheaper, state: 'past' },
      { id: '1', note: 'The first fee plan.', terms: firstFeePlan, state: 'past' },
    ]);
  });
});

describe('the database itself', () => {
  test.each<[string, FeePlanTerms, string]>([
    ['more than a trade fee', { ...firstFeePlan, weekly_bps: 3501 }, 'fee_plan_trade_waterfall'],
    [
      'more than a performance fee',
      { ...firstFeePlan, team_profit_bps: [9000, 900, 101] },
      'fee_plan_performance_waterfall',
    ],
    ['nine levels', { ...firstFeePlan, level_bps: Array(9).fill(100) }, 'fee_plan_shares'],
    ['a negative level', { ...firstFeePlan, level_bps: [-1, ...Array(9).fill(1)] }, 'fee_plan_shares'],
    [
      'equal ranks',
      { ...firstFeePlan, ranks: firstFeePlan.ranks.map((rank) => ({ ...rank, volume: 5 })) },
      'fee_plan_ranks',
    ],
    ['half of an amount as a fee', { ...firstFeePlan, trade_fee_bps: 5000 }, 'fee_plan_rates'],
  ])('refuses a plan of %s', async (_, terms, constraint) => {
    const plan = { terms: readTerms(terms), note: 'Past the check.', operatorId: 1n, createdAt: world.context.now() };
    await expect(world.context.db.transaction().execute((tx) => insertPlan(tx, plan))).rejects.toMatchObject({
      constraint,
    });
  });

  test.each([
    'update trading.fee_plan set trade_fee_bps = 1 where id = 1',
    'delete from trading.fee_plan where id = 1',
    'truncate trading.fee_plan cascade',
  ])('refuses: %s', async (statement) => {
    await expect(sql.raw(statement).execute(world.context.db)).rejects.toMatchObject({
      code: 'TR001',
      constraint: 'fee_plan_append_only',
    });
  });
});
