import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { firstFeePlan } from '#contract/fee-plan.ts';
import { changeOperatorRole, disableOperator } from '#server/accounts/index.ts';
import { makeOperator, type TestOperator } from '#test/operators.ts';
import { type ConsoleWorld, openConsoleWorld, type Person, refusal } from './console-world.test-setup.ts';

let world: ConsoleWorld;
let member: Person;
beforeAll(async () => {
  world = await openConsoleWorld();
  member = await world.addMember({ dollars: 100 });
  await world.addSurplus(1000);
});
afterAll(() => world.close());

const decision = async () => ({
  operatorId: world.admin.operatorId,
  otp: await world.admin.code(),
  address: '127.0.0.1',
});
const disable = async ({ operatorId }: TestOperator) =>
  disableOperator(world.context, await decision(), { operatorId, why: 'stolen phone' });
const lower = async ({ operatorId }: TestOperator) =>
  changeOperatorRole(world.context, await decision(), { operatorId, role: 'support', why: 'other work' });

const kinds = {
  adjustments: {
    propose: 'operator/adjustments',
    list: 'operator/adjustments',
    body: () => ({
      member_id: member.memberId.toString(),
      wallet_type: 'primary',
      amount: 5,
      reason: 'r',
      evidence: 'e',
    }),
  },
  'treasury moves': {
    propose: 'operator/treasury/moves',
    list: 'operator/treasury/moves',
    body: () => ({ kind: 'capital_in', amount: 5, reason: 'r', transaction: 'f4184fc596' }),
  },
  'fee plans': {
    propose: 'operator/fee-plans',
    list: 'operator/fee-plans/proposals',
    body: () => ({ base_id: '1', terms: { ...firstFeePlan, trade_fee_bps: 35 }, reason: 'Cheaper.' }),
  },
};

describe.each(Object.entries(kinds))('%s', (_, { propose, list, body }) => {
  test.each([
    ['disabled', disable],
    ['lowered', lower],
  ])(
    'proposed by who was %s since are not carried out, show that they do not count, and can be rejected',
    async (_state, distrust) => {
      const thief = await makeOperator(world.context, 'admin');
      const made = await world.send(thief, 'POST', propose, body());
      const { id, proposer_counts } = made.body.data;
      expect(proposer_counts).toBe(true);
      await distrust(thief);
      const transfers = () => world.select<object>(sql`select max(id) as last from ledger.transfer`);
      const before = await transfers();
      const otp = await world.admin.code();
      expect(await world.send(world.admin, 'POST', `${list}/${id}/approve`, { version: 1, otp })).toMatchObject(
        refusal(409, 'proposer_not_entitled'),
      );
      expect(await transfers()).toEqual(before);
      const { items } = (await world.get(world.admin, `${list}?state=proposed`)).body.data;
      expect(items).toMatchObject([{ id, proposer_counts: false, proposed_by: { name: 'Op admin' } }]);
      const rejected = await world.send(world.admin, 'POST', `${list}/${id}/reject`, { version: 1, reason: 'Stolen.' });
      expect(rejected).toMatchObject({ status: 200, body: { data: { state: 'rejected', proposer_counts: true } } });
    },
  );
});
