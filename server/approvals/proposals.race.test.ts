import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { firstFeePlan } from '#contract/fee-plan.ts';
import { disableOperator } from '#server/accounts/operators/accounts/change-operator.ts';
import { feePlanKind, proposeFeePlan } from '#server/fee-plans/fee-plan-proposal.ts';
import { findFeePlans } from '#server/fee-plans/index.ts';
import { adjustmentKind, proposeAdjustment, reverseAdjustment } from '#server/funds/adjustments/adjustment.ts';
import { getBalances, getHouseBalances } from '#server/ledger/index.ts';
import { proposeTreasuryMove, treasuryKind } from '#server/solvency/treasury/treasury-move.ts';
import { closeAfterAll } from '#test/database/close-after-all.ts';
import { atOnce, inTurns } from '#test/kit/at-once.ts';
import { openConsoleWorld, usd } from '#test/worlds/console-world.ts';
import { actorOf, makeOperator, type TestOperator } from '#test/worlds/operators.ts';
import { approveProposal, type ProposalKind, rejectProposal, withdrawProposal } from './index.ts';

const world = closeAfterAll(await openConsoleWorld());
const { context } = world;
const member = await world.addMember({ dollars: 100 });
await world.addSurplus(10);
const makeCrew = async (role: 'finance' | 'admin') => {
  const crew: TestOperator[] = [];
  for (let made = 0; made < 5; made += 1) crew.push(await makeOperator(context, role));
  return crew;
};
const crew = await makeCrew('finance');
const [first, second] = crew as [TestOperator, TestOperator];

const propose = async (amount: number, proposer = world.finance) => {
  const input = { member_id: member.memberId.toString(), wallet_type: 'primary', reason: 'r', evidence: 'e' } as const;
  return BigInt((await proposeAdjustment(context, actorOf(proposer), { ...input, amount })).id);
};
const stateOf = async (id: bigint) => {
  const [row] = await world.select<{ state: string }>(
    sql`select state from approvals.proposal where kind = 'adjustment' and id = ${id}`,
  );
  return row?.state;
};
const correctionsOf = async (id: bigint) =>
  (await world.select<object>(sql`select id from ledger.transfer where key like ${`adjustment/${id}/%`}`)).length;
/** How many succeeded, and with which codes the others were refused. */
const outcomes = async (all: Promise<unknown>[]) => {
  const { done, refused } = await atOnce(all);
  return { done: done.length, codes: [...new Set(refused)] };
};

/** Each proposal approved by the colleague whose turn it is, concurrently. */
async function approveAtOnce<Payload extends object>(
  kind: ProposalKind<Payload>,
  ids: readonly bigint[],
  colleagues: readonly TestOperator[],
) {
  const codes = await Promise.all(colleagues.map((operator) => operator.code()));
  return outcomes(
    ids.map((id, turn) => {
      const at = turn % colleagues.length;
      const decision = { id, version: 1, otp: codes[at] as string };
      return approveProposal(context, kind, actorOf(colleagues[at] as TestOperator), decision);
    }),
  );
}

test('a correction approved twenty times concurrently by five colleagues is posted once', async () => {
  const id = await propose(-1);
  const before = (await getBalances(context.db, member.memberId)).primary;
  const { done, codes: refused } = await approveAtOnce(adjustmentKind, Array(20).fill(id), crew);
  expect(done).toBe(1);
  for (const code of refused) expect(['proposal_decided', 'wrong_second_factor']).toContain(code);
  expect(await correctionsOf(id)).toBe(1);
  expect((await getBalances(context.db, member.memberId)).primary).toBe(before - usd(1));
  expect(await world.findings()).toEqual([]);
});

test('approved, rejected and withdrawn concurrently, a proposal ends in one of the three', async () => {
  for (let round = 0; round < 5; round += 1) {
    const id = await propose(-1);
    const otp = await first.code();
    const { done, codes } = await outcomes([
      approveProposal(context, adjustmentKind, actorOf(first), { id, version: 1, otp }),
      rejectProposal(context, adjustmentKind, actorOf(second), { id, version: 1, reason: 'no' }),
      withdrawProposal(context, adjustmentKind, actorOf(world.finance), { id, version: 1 }),
    ]);
    expect([done, codes]).toEqual([1, ['proposal_decided']]);
    expect(await correctionsOf(id)).toBe((await stateOf(id)) === 'posted' ? 1 : 0);
  }
});

test('a posted correction whose reversal is proposed ten times concurrently is reversed once', async () => {
  const id = await propose(-1);
  await approveAtOnce(adjustmentKind, [id], [second]);
  const before = (await getBalances(context.db, member.memberId)).primary;
  const why = { id, reason: 'r', evidence: 'e' };
  const proposed: bigint[] = [];
  const { done, codes } = await outcomes(
    Array.from({ length: 10 }, async () =>
      proposed.push(BigInt((await reverseAdjustment(context, actorOf(world.finance), why)).id)),
    ),
  );
  expect([done, codes]).toEqual([1, ['adjustment_not_reversible']]);
  await approveAtOnce(adjustmentKind, proposed, [first]);
  expect((await getBalances(context.db, member.memberId)).primary).toBe(before + usd(1));
  expect(await world.findings()).toEqual([]);
});

test('two concurrent corrections are not both covered by a surplus that is enough for one', async () => {
  const surplus = async () => (await getHouseBalances(context.db)).adjustments;
  const amount = Number(await surplus()) / 1e6 - 0.5;
  const { done, codes } = await approveAtOnce(adjustmentKind, [await propose(amount), await propose(amount)], crew);
  expect([done, codes]).toEqual([1, ['not_covered']]);
  expect(await surplus()).toBe(usd(0.5));
});

test('two concurrent moves do not both pass a gateway that holds enough for one', async () => {
  const held = -(await getHouseBalances(context.db)).gateway;
  const move = { kind: 'venue_fund', amount: Number(held) / 1e6, reason: 'r', transaction: '0xfeed0123' } as const;
  const proposeMove = async () => BigInt((await proposeTreasuryMove(context, actorOf(world.finance), move)).id);
  const { done, codes } = await approveAtOnce(treasuryKind, [await proposeMove(), await proposeMove()], crew);
  expect([done, codes]).toEqual([1, ['not_covered']]);
  expect((await getHouseBalances(context.db)).gateway).toBe(0n);
  expect(await world.findings()).toEqual([]);
});

test('a correction approved while its proposer is being disabled is posted before, or not at all', async () => {
  for (let round = 0; round < 12; round += 1) {
    const proposer = await makeOperator(context, 'finance');
    const id = await propose(-0.01, proposer);
    const [otp, adminOtp] = [await first.code(), await world.admin.code()];
    const approve = () => approveProposal(context, adjustmentKind, actorOf(first), { id, version: 1, otp });
    const by = { ...actorOf(world.admin), otp: adminOtp };
    const disable = () => disableOperator(context, by, { operatorId: proposer.operatorId, why: 'race' });
    // The two take turns at going first.
    const { codes } = await outcomes(inTurns(round, [approve, disable]).map((side) => side()));
    const isPosted = (await stateOf(id)) === 'posted';
    expect(codes).toEqual(isPosted ? [] : ['proposer_not_entitled']);
    expect(await correctionsOf(id)).toBe(isPosted ? 1 : 0);
    // In either order, nothing is executed on behalf of a disabled proposer.
    const entries = await world.select<{ action: string }>(sql`
      select action from audit.entry
      where (subject = ${`adjustment:${id}`} and action = 'adjustment.approve')
        or (subject = ${`operator:${proposer.operatorId}`} and action = 'operator.disable') order by id`);
    if (isPosted) expect(entries[0]?.action).toBe('adjustment.approve');
  }
});

describe('fee plans', async () => {
  const admins = await makeCrew('admin');
  const countPlans = async () =>
    (await world.select<{ count: bigint }>(sql`select count(*) as count from trading.fee_plan`))[0]?.count ?? 0n;
  const proposePlan = async (tradeBps: number) => {
    const base_id = (await findFeePlans(context.db)).current.id.toString();
    const input = { base_id, terms: { ...firstFeePlan, trade_fee_bps: tradeBps }, reason: `At ${tradeBps}.` };
    return BigInt((await proposeFeePlan(context, actorOf(world.admin), input)).id);
  };

  test('of two based on the same plan and approved concurrently one is written', async () => {
    for (let round = 0; round < 5; round += 1) {
      const before = await countPlans();
      const ids = [await proposePlan(20 + round), await proposePlan(50 + round)];
      const { done, codes: refused } = await approveAtOnce(feePlanKind, ids, admins);
      expect([done, refused]).toEqual([1, ['fee_plan_followed']]);
      expect(await countPlans()).toBe(before + 1n);
    }
  });
});
