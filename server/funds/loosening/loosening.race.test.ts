import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { approveProposal, withdrawProposal } from '#server/approvals/index.ts';
import { inTransaction } from '#server/db/tx.ts';
import { closeAfterAll } from '#test/database/close-after-all.ts';
import { atOnce, inTurns } from '#test/kit/at-once.ts';
import { openConsoleWorld } from '#test/worlds/console-world.ts';
import { freeze } from '#test/worlds/members.ts';
import { actorOf } from '#test/worlds/operators.ts';
import { freezeWithdrawals } from '../withdrawals/freeze-withdrawals.ts';
import { looseningKind, proposeLoosening } from './loosening.ts';

const world = closeAfterAll(await openConsoleWorld());
const { context, finance, second, admin } = world;
const system = { actor: { kind: 'system', id: null }, why: 'race' } as const;

const freezeOne = (memberId: bigint) => freeze(context, memberId);
const stop = (memberId: bigint) =>
  inTransaction(context.db, (tx) => freezeWithdrawals(tx, context, { memberId, cause: 'not_me', ...system }));
const propose = async (memberId: bigint, what: 'unfreeze' | 'lift_withdrawal_stop', who = finance, code?: string) => {
  const input = { member_id: memberId.toString(), what, reason: 'r', otp: code ?? (await who.code()) };
  return BigInt((await proposeLoosening(context, actorOf(who), input)).id);
};
const isFrozen = async (memberId: bigint) =>
  (await world.select<object>(sql`select 1 from identity.member where id = ${memberId} and frozen_at is not null`))
    .length === 1;
const isStopped = async (memberId: bigint) =>
  (await world.select<object>(sql`select 1 from funds.withdrawal_freeze where member_id = ${memberId}`)).length === 1;

test.each([
  ['unfreeze', freezeOne, isFrozen],
  ['lift_withdrawal_stop', stop, isStopped],
] as const)(
  '%s: restricted again while it is approved, the member is restricted',
  async (what, again, isRestricted) => {
    for (let round = 0; round < 12; round += 1) {
      const { memberId } = await world.addMember();
      await again(memberId);
      const id = await propose(memberId, what);
      const otp = await second.code();
      const rivals = [
        () => approveProposal(context, looseningKind, actorOf(second), { id, version: 1, otp }),
        () => again(memberId),
      ];
      const { refused } = await atOnce(inTurns(round, rivals));
      // In either order: the stop is imposed after it was lifted, or has ended the proposal.
      expect(await isRestricted(memberId)).toBe(true);
      expect(refused.every((code) => code === 'proposal_decided')).toBe(true);
    }
  },
);

test('of two who propose the same at once one waits, and it is approved or withdrawn', async () => {
  for (let round = 0; round < 6; round += 1) {
    const { memberId } = await world.addMember();
    await freezeOne(memberId);
    const otps = [await finance.code(), await second.code()] as const;
    const { done, refused } = await atOnce([
      propose(memberId, 'unfreeze', finance, otps[0]),
      propose(memberId, 'unfreeze', second, otps[1]),
    ]);
    expect([done.length, refused]).toEqual([1, ['proposal_waiting']]);
    const [row] = await world.select<{ id: bigint; by: bigint }>(sql`
      select id, proposed_by as by from approvals.proposal where kind = 'loosening' and member_id = ${memberId}`);
    const id = row?.id as bigint;
    const otp = await admin.code();
    const proposer = { operatorId: row?.by as bigint, address: '127.0.0.1' };
    const both = await atOnce([
      approveProposal(context, looseningKind, actorOf(admin), { id, version: 1, otp }),
      withdrawProposal(context, looseningKind, proposer, { id, version: 1 }),
    ]);
    expect([both.done.length, both.refused]).toEqual([1, ['proposal_decided']]);
  }
});
