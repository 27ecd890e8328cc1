import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { type FeePlanTerms, firstFeePlan } from '#contract/fee-plan.ts';
import { findFeePlans } from '#server/fee-plans/index.ts';
import { closeAfterAll } from '#test/database/close-after-all.ts';
import { refusal, success } from '#test/worlds/app.ts';
import { openConsoleWorld } from '#test/worlds/console-world.ts';
import { writeFeePlan } from '#test/worlds/fee-plans.ts';
import { makeOperator, type TestOperator } from '#test/worlds/operators.ts';

const world = closeAfterAll(await openConsoleWorld());
const colleague = await makeOperator(world.context, 'admin');

const at = 'operator/fee-plans';
const cheaper: FeePlanTerms = { ...firstFeePlan, trade_fee_bps: 30 };
/** Before the first session the newest plan is the current one. */
const newest = async () => (await findFeePlans(world.context.db)).current;
const propose = async (more: object = {}, who: TestOperator = world.admin) => {
  const base_id = (await newest()).id.toString();
  return world.send(who, 'POST', at, { base_id, terms: cheaper, reason: 'Cheaper trades.', ...more });
};
const proposed = async (more: object = {}, who?: TestOperator) => (await propose(more, who)).body.data;
const approve = async (id: string, who: TestOperator = colleague, version = 1) =>
  world.send(who, 'POST', `${at}/proposals/${id}/approve`, { version, otp: await who.code() });
const withdraw = (id: string, who: TestOperator = world.admin, version = 1) =>
  world.send(who, 'POST', `${at}/proposals/${id}/withdraw`, { version });
const countProposals = async () =>
  (await world.select<{ count: bigint }>(sql`select count(*) as count from approvals.proposal`))[0]?.count;

describe('a proposed fee plan', () => {
  test('writes nothing until a second admin approves it, and is then the newest, with both of them in the audit log', async () => {
    const before = await newest();
    const made = await propose();
    expect(made).toMatchObject(
      success({
        reference: expect.stringMatching(/^FP-[A-Z2-9]{6}$/),
        version: 1,
        terms: cheaper,
        base_id: before.id.toString(),
        plan_id: null,
        reason: 'Cheaper trades.',
        state: 'proposed',
        proposed_by: { id: world.admin.operatorId.toString(), name: 'Op admin' },
        decided_by: null,
      }),
    );
    expect((await newest()).id).toBe(before.id);
    const { id } = made.body.data;
    expect((await world.get(world.support, 'operator/overview')).body.data.queues.proposals.fee_plans).toBe(1);
    const done = await approve(id);
    const plan = await newest();
    expect(done).toMatchObject(
      success({
        state: 'posted',
        version: 2,
        plan_id: plan.id.toString(),
        decided_by: { id: colleague.operatorId.toString() },
      }),
    );
    expect(plan).toMatchObject({ tradeFeeBps: 30, note: 'Cheaper trades.' });
    expect(plan.id).toBeGreaterThan(before.id);
    const [written] = await world.select(sql`select operator_id from trading.fee_plan where id = ${plan.id}`);
    expect(written).toEqual({ operator_id: world.admin.operatorId });
    const entries = await world.select(sql`
      select action, actor_id, address, after->>'proposedBy' as proposer from audit.entry
      where subject in (${`fee_plan_proposal:${id}`}, ${`fee_plan:${plan.id}`}) order by id`);
    const [proposer, approver] = [world.admin.operatorId, colleague.operatorId];
    expect(entries).toEqual([
      { action: 'fee_plan.propose', actor_id: proposer, address: '127.0.0.1', proposer: null },
      { action: 'fee_plan.create', actor_id: approver, address: '127.0.0.1', proposer: proposer.toString() },
      { action: 'fee_plan.approve', actor_id: approver, address: '127.0.0.1', proposer: proposer.toString() },
    ]);
    expect((await world.get(world.support, 'operator/overview')).body.data.queues.proposals.fee_plans).toBe(0);
  });

  test('that was compared with a plan other than the newest is neither proposed nor approved', async () => {
    const { id } = await proposed({ terms: firstFeePlan });
    const stale = (await newest()).id.toString();
    const { id: written } = await writeFeePlan(world.context, firstFeePlan);
    expect(await approve(id)).toMatchObject(refusal(409, 'fee_plan_followed'));
    expect(await propose({ base_id: stale })).toMatchObject(refusal(409, 'fee_plan_followed'));
    expect((await newest()).id.toString()).toBe(written);
    expect(await withdraw(id)).toMatchObject({ status: 200 });
  });

  test('is refused with the terms of the newest plan', async () => {
    await writeFeePlan(world.context, cheaper);
    const before = await countProposals();
    expect(await propose({ terms: cheaper })).toMatchObject(refusal(409, 'fee_plan_unchanged'));
    expect(await countProposals()).toBe(before);
    await writeFeePlan(world.context, firstFeePlan);
  });

  test('is refused for more than a trade fee distributed', async () => {
    const before = await countProposals();
    expect(await propose({ terms: { ...firstFeePlan, weekly_bps: 3501 } })).toMatchObject(
      refusal(422, 'fee_plan_over_100', 'terms'),
    );
    expect(await countProposals()).toBe(before);
  });

  test.each<[string, object, string]>([
    ['nine levels', { terms: { ...firstFeePlan, level_bps: Array(9).fill(100) } }, 'terms.level_bps'],
    ['a trade fee over 10 %', { terms: { ...firstFeePlan, trade_fee_bps: 1001 } }, 'terms.trade_fee_bps'],
    [
      'a minimum fee as high as the smallest withdrawal',
      { terms: { ...firstFeePlan, withdrawal_fee_min: 10 } },
      'terms.withdrawal_fee_min',
    ],
    ...(['monthly', 'reward'] as const).map((column): [string, object, string] => {
      const [bronze, ...others] = firstFeePlan.ranks;
      const ranks = [{ ...bronze, [column]: 100_000.01 }, ...others];
      return [
        `a rank whose ${column} could not be displayed`,
        { terms: { ...firstFeePlan, ranks } },
        `terms.ranks.0.${column}`,
      ];
    }),
    ['half a basis point', { terms: { ...firstFeePlan, weekly_bps: 0.5 } }, 'terms.weekly_bps'],
    ['a negative share', { terms: { ...firstFeePlan, weekly_bps: -1 } }, 'terms.weekly_bps'],
    ['a cap that makes a leg count for nothing', { terms: { ...firstFeePlan, leg_cap_bps: 0 } }, 'terms.leg_cap_bps'],
    ['no note', { reason: ' ' }, 'reason'],
    ['an invalid base plan', { base_id: '0' }, 'base_id'],
  ])('names the field of %s', async (_, more, field) => {
    expect(await propose(more)).toMatchObject(refusal(422, 'validation', field));
  });
});
