import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { firstFeePlan } from '#contract/fee-plan.ts';
import { disableOperator } from '#server/accounts/operators/accounts/disable-operator.ts';
import { feePlanKind, proposeFeePlan } from '#server/fee-plans/fee-plan-proposal.ts';
import { findFeePlans } from '#server/fee-plans/index.ts';
import { adjustmentKind, proposeAdjustment } from '#server/funds/adjustments/adjustment.ts';
import { getBalances, getHouseBalances } from '#server/ledger/index.ts';
import { proposeTreasuryMove, treasuryKind } from '#server/solvency/treasury/treasury-move.ts';
import { type ConsoleWorld, openConsoleWorld, type Person, usd } from '#test/console-world.ts';
import { makeOperator, type TestOperator } from '#test/operators.ts';
import { approveProposal, rejectProposal, withdrawProposal } from './index.ts';

let world: ConsoleWorld;
let member: Person;
let crew: TestOperator[];
beforeAll(async () => {
  world = await openConsoleWorld();
  member = await world.addMember({ dollars: 100 });
  await world.addSurplus(10);
  crew = [];
  for (let made = 0; made < 5; made += 1) crew.push(await makeOperator(world.context, 'finance'));
});
afterAll(() => world.close());

const deciderOf = ({ operatorId }: TestOperator) => ({ operatorId, address: '127.0.0.1' });
const propose = async (amount: number) => {
  const input = { member_id: member.memberId.toString(), wallet_type: 'primary', reason: 'r', evidence: 'e' } as const;
  return BigInt((await proposeAdjustment(world.context, deciderOf(world.finance), { ...input, amount })).id);
};
const correctionsOf = async (id: bigint) =>
  (await world.select<object>(sql`select id from ledger.transfer where key like ${`adjustment/${id}/%`}`)).length;
const outcomes = async (all: Promise<unknown>[]) => {
  const settled = await Promise.allSettled(all);
  return {
    done: settled.filter(({ status }) => status === 'fulfilled').length,
    codes: [
      ...new Set(settled.flatMap((one) => (one.status === 'rejected' ? [(one.reason as { code: string }).code] : []))),
    ],
  };
};

test('approved twenty times at once by five colleagues, a correction is posted once', async () => {
  const id = await propose(-1);
  const codes = await Promise.all(crew.map((operator) => operator.code()));
  const before = (await getBalances(world.context.db, member.memberId)).primary;
  const { done, codes: refused } = await outcomes(
    Array.from({ length: 20 }, (_, turn) => {
      const operator = crew[turn % crew.length] as TestOperator;
      const verdict = { id, version: 1, otp: codes[turn % crew.length] as string };
      return approveProposal(world.context, adjustmentKind, deciderOf(operator), verdict);
    }),
  );
  expect(done).toBe(1);
  for (const code of refused) expect(['proposal_decided', 'wrong_second_factor']).toContain(code);
  expect(await correctionsOf(id)).toBe(1);
  expect((await getBalances(world.context.db, member.memberId)).primary).toBe(before - usd(1));
  expect(await world.findings()).toEqual([]);
});

test('approved, rejected and taken back at once, it is one of the three', async () => {
  for (let round = 0; round < 5; round += 1) {
    const id = await propose(-1);
    const [approver, rejecter] = crew as [TestOperator, TestOperator];
    const otp = await approver.code();
    const { done, codes } = await outcomes([
      approveProposal(world.context, adjustmentKind, deciderOf(approver), { id, version: 1, otp }),
      rejectProposal(world.context, adjustmentKind, deciderOf(rejecter), { id, version: 1, reason: 'no' }),
      withdrawProposal(world.context, adjustmentKind, deciderOf(world.finance), { id, version: 1 }),
    ]);
    expect([done, codes]).toEqual([1, ['proposal_decided']]);
    const [row] = await world.select<{ state: string }>(
      sql`select state from approvals.proposal where kind = 'adjustment' and id = ${id}`,
    );
    expect(await correctionsOf(id)).toBe(row?.state === 'posted' ? 1 : 0);
  }
});

test('two corrections at once are not both covered by a surplus that is enough for one', async () => {
  const surplus = async () => (await getHouseBalances(world.context.db)).adjustments;
  const held = await surplus();
  const amount = Number(held) / 1e6 - 0.5;
  const ids = [await propose(amount), await propose(amount)];
  const { done, codes } = await outcomes(
    ids.map(async (id, turn) => {
      const operator = crew[turn] as TestOperator;
      return approveProposal(world.context, adjustmentKind, deciderOf(operator), {
        id,
        version: 1,
        otp: await operator.code(),
      });
    }),
  );
  expect([done, codes]).toEqual([1, ['not_covered']]);
  expect(await surplus()).toBe(usd(0.5));
});

test('two moves at once do not both leave a gateway that holds enough for one', async () => {
  const held = -(await getHouseBalances(world.context.db)).gateway;
  const ids: bigint[] = [];
  for (let made = 0; made < 2; made += 1) {
    const move = { kind: 'venue_fund', amount: Number(held) / 1e6, reason: 'r', transaction: '0xfeed0123' } as const;
    ids.push(BigInt((await proposeTreasuryMove(world.context, deciderOf(world.finance), move)).id));
  }
  const { done, codes } = await outcomes(
    ids.map(async (id, turn) => {
      const operator = crew[turn] as TestOperator;
      return approveProposal(world.context, treasuryKind, deciderOf(operator), {
        id,
        version: 1,
        otp: await operator.code(),
      });
    }),
  );
  expect([done, codes]).toEqual([1, ['not_covered']]);
  expect((await getHouseBalances(world.context.db)).gateway).toBe(0n);
  expect(await world.findings()).toEqual([]);
});

test('who proposed a correction is disabled while a colleague approves it: posted before, or not at all', async () => {
  for (let round = 0; round < 12; round += 1) {
    const proposer = await makeOperator(world.context, 'finance');
    const input = {
      member_id: member.memberId.toString(),
      wallet_type: 'primary',
      reason: 'r',
      evidence: 'e',
    } as const;
    const made = await proposeAdjustment(world.context, deciderOf(proposer), { ...input, amount: -0.01 });
    const [id, approver] = [BigInt(made.id), crew[0] as TestOperator];
    const [otp, adminOtp] = [await approver.code(), await world.admin.code()];
    const approve = () => approveProposal(world.context, adjustmentKind, deciderOf(approver), { id, version: 1, otp });
    const disable = () =>
      disableOperator(
        world.context,
        { ...deciderOf(world.admin), otp: adminOtp },
        { operatorId: proposer.operatorId, why: 'race' },
      );
    // By turns the one and the other sets out first.
    const { codes } = await outcomes(round % 2 === 0 ? [approve(), disable()] : [disable(), approve()]);
    const [row] = await world.select<{ state: string }>(
      sql`select state from approvals.proposal where kind = 'adjustment' and id = ${id}`,
    );
    expect(codes).toEqual(row?.state === 'posted' ? [] : ['proposer_not_entitled']);
    expect(await correctionsOf(id)).toBe(row?.state === 'posted' ? 1 : 0);
    // Whatever the order was, nothing is carried out on the word of who is disabled.
    const entries = await world.select<{ action: string }>(sql`
      select action from audit.entry
      where (subject = ${`adjustment:${id}`} and action = 'adjustment.approve')
        or (subject = ${`operator:${proposer.operatorId}`} and action = 'operator.disable') order by id`);
    if (row?.state === 'posted') expect(entries[0]?.action).toBe('adjustment.approve');
  }
});

describe('fee plans', () => {
  let admins: TestOperator[];
  beforeAll(async () => {
    admins = [];
    for (let made = 0; made < 5; made += 1) admins.push(await makeOperator(world.context, 'admin'));
  });
  const countPlans = async () =>
    (await world.select<{ count: bigint }>(sql`select count(*) as count from trading.fee_plan`))[0]?.count ?? 0n;
  const proposePlan = async (tradeBps: number) => {
    const base_id = (await findFeePlans(world.context.db)).current.id.toString();
    const input = { base_id, terms: { ...firstFeePlan, trade_fee_bps: tradeBps }, reason: `At ${tradeBps}.` };
    return BigInt((await proposeFeePlan(world.context, deciderOf(world.admin), input)).id);
  };

  test('approved twenty times at once by five colleagues, one is written once', async () => {
    const [id, before] = [await proposePlan(35), await countPlans()];
    const codes = await Promise.all(admins.map((operator) => operator.code()));
    const { done, codes: refused } = await outcomes(
      Array.from({ length: 20 }, (_, turn) => {
        const operator = admins[turn % admins.length] as TestOperator;
        const verdict = { id, version: 1, otp: codes[turn % admins.length] as string };
        return approveProposal(world.context, feePlanKind, deciderOf(operator), verdict);
      }),
    );
    expect(done).toBe(1);
    for (const code of refused) expect(['proposal_decided', 'wrong_second_factor']).toContain(code);
    expect(await countPlans()).toBe(before + 1n);
  });

  test('of two that were compared with the same plan and are approved at once, one is written', async () => {
    for (let round = 0; round < 5; round += 1) {
      const before = await countPlans();
      const ids = [await proposePlan(20 + round), await proposePlan(50 + round)];
      const codes = [await admins[0]?.code(), await admins[1]?.code()];
      const { done, codes: refused } = await outcomes(
        ids.map((id, turn) =>
          approveProposal(world.context, feePlanKind, deciderOf(admins[turn] as TestOperator), {
            id,
            version: 1,
            otp: codes[turn] as string,
          }),
        ),
      );
      expect([done, refused]).toEqual([1, ['fee_plan_followed']]);
      expect(await countPlans()).toBe(before + 1n);
    }
  });

  test('who proposed one cannot approve it among colleagues who do', async () => {
    const id = await proposePlan(33);
    const [own, another] = [await world.admin.code(), await (admins[0] as TestOperator).code()];
    const { done, codes } = await outcomes([
      approveProposal(world.context, feePlanKind, deciderOf(world.admin), { id, version: 1, otp: own }),
      approveProposal(world.context, feePlanKind, deciderOf(admins[0] as TestOperator), {
        id,
        version: 1,
        otp: another,
      }),
    ]);
    expect(done).toBe(1);
    for (const code of codes) expect(['own_proposal', 'proposal_decided']).toContain(code);
    const [row] = await world.select<{ approved_by: bigint }>(
      sql`select approved_by from approvals.proposal where kind = 'fee_plan' and id = ${id}`,
    );
    expect(row?.approved_by).toBe(admins[0]?.operatorId);
  });
});
