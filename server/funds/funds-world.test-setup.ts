import assert from 'node:assert/strict';
import { sql } from 'kysely';
import { registerMember } from '#server/accounts/index.ts';
import { getBalances, getHouseBalance } from '#server/ledger/index.ts';
import { bootWithoutMarket } from '#test/kit/boot.ts';
import { TEST_PASSWORD } from '#test/worlds/test-password.ts';
import { createDeposit } from './deposits/create-deposit.ts';
import { findDeposit } from './deposits/sql.ts';
import { chooseGateways } from './gateways/choose-gateway.ts';

export const marketAt = new Date('2026-02-01T14:05:00Z');
export const usd = (dollars: number) => BigInt(Math.round(dollars * 1e6));

export type FundsWorld = Awaited<ReturnType<typeof openFundsWorld>>;

/** Members can sign up and market time is fixed, which is all that deposits need from other domains. */
export async function openFundsWorld(env: Record<string, string> = {}) {
  const { database, context, clock } = await bootWithoutMarket(marketAt.toISOString(), env);
  const [gateway] = chooseGateways(context);
  assert(gateway !== undefined, 'PAYMENTS names at least one');

  const addMember = async () => {
    const input = {
      name: 'Anika Rao',
      email: 'anika@example.com',
      mobileNumber: '+919876543210',
      password: TEST_PASSWORD,
    };
    const { memberId } = await registerMember(context, { referralCode: context.config.companyCode, ...input });
    return memberId;
  };
  const find = async (id: bigint) =>
    (await findDeposit(context.db, id)) ?? Promise.reject(new Error('no such deposit'));
  return {
    database,
    context,
    clock,
    gateway,
    addMember,
    /** A deposit with its invoice, by default of a new member. */
    addDeposit: async (amount: number, memberId?: bigint) => {
      const { id } = await createDeposit(context, memberId ?? (await addMember()), { amount }, undefined, [gateway]);
      return find(BigInt(id));
    },
    find,
    primary: async (memberId: bigint) => (await getBalances(context.db, memberId)).primary,
    unallocated: () => getHouseBalance(context.db, 'unallocated'),
    /** The member's notifications, oldest first. */
    messages: async (memberId: bigint) => {
      const { rows } = await sql<{ message: string }>`
        select message from notify.notification where member_id = ${memberId} order by id`.execute(context.db);
      return rows.map((row) => row.message);
    },
  };
}
