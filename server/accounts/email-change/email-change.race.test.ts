import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { approveProposal } from '#server/approvals/index.ts';
import { inTransaction } from '#server/db/tx.ts';
import { closeAfterAll } from '#test/database/close-after-all.ts';
import { atOnce, inTurns } from '#test/kit/at-once.ts';
import { openConsoleWorld } from '#test/worlds/console-world.ts';
import { actorOf, makeOperator, type TestOperator } from '#test/worlds/operators.ts';
import { disableOperator } from '../operators/accounts/change-operator.ts';
import { emailChangeKind, executeDueEmailChanges, proposeEmailChange } from './email-change.ts';
import { endEmailRequest, insertEmailRequest } from './request-email-change.ts';

const world = closeAfterAll(await openConsoleWorld());
const { context, finance, second, admin, clock } = world;

/** A member who requested a change of address. */
async function lostMailbox(): Promise<bigint> {
  const { memberId } = await world.addMember();
  const draft = { memberId, email: `moved.${memberId}@mail.test`, now: clock.now() };
  await inTransaction(context.db, (tx) => insertEmailRequest(tx, draft));
  return memberId;
}
const propose = async (memberId: bigint, who: TestOperator, otp: string) => {
  const input = { member_id: memberId.toString(), reason: 'Called back.', otp };
  return BigInt((await proposeEmailChange(context, actorOf(who), input)).id);
};
const approve = (id: bigint, who: TestOperator, otp: string) =>
  approveProposal(context, emailChangeKind, actorOf(who), { id, version: 1, otp });
const withdraw = (memberId: bigint) =>
  inTransaction(context.db, (tx) =>
    endEmailRequest(tx, context, {
      memberId,
      outcome: 'withdrawn',
      executor: { actor: { kind: 'member', id: memberId }, address: '127.0.0.1' },
    }),
  );
const codesOf = async (all: Parameters<typeof atOnce>[0]) => (await atOnce(all)).refused;
const stateOf = async (memberId: bigint) =>
  (
    await world.select<{ moved: boolean; outcome: string | null; state: string }>(sql`
      select m.email like 'moved.%' as moved, r.outcome, p.state
      from identity.member m join identity.email_request r on r.member_id = m.id
      join approvals.proposal p on p.kind = 'email_change' and p.member_id = m.id
      where m.id = ${memberId}`)
  )[0];

test('of two operators who propose concurrently one succeeds, and of two who approve one', async () => {
  for (let round = 0; round < 4; round += 1) {
    const memberId = await lostMailbox();
    const proposing = [await finance.code(), await second.code()] as const;
    expect(await codesOf([propose(memberId, finance, proposing[0]), propose(memberId, second, proposing[1])])).toEqual([
      'proposal_waiting',
    ]);
    const [row] = await world.select<{ id: bigint; by: bigint }>(sql`
      select id, proposed_by as by from approvals.proposal where kind = 'email_change' and member_id = ${memberId}`);
    const id = row?.id as bigint;
    const other = row?.by === finance.operatorId ? second : finance;
    const otps = [await other.code(), await admin.code()] as const;
    expect(await codesOf([approve(id, other, otps[0]), approve(id, admin, otps[1])])).toEqual(['proposal_decided']);
  }
});

test('a change withdrawn by its member during its approval is withdrawn', async () => {
  for (let round = 0; round < 8; round += 1) {
    const memberId = await lostMailbox();
    const id = await propose(memberId, finance, await finance.code());
    const otp = await second.code();
    const codes = await codesOf(inTurns(round, [() => approve(id, second, otp), () => withdraw(memberId)]));
    expect(codes.every((code) => code === 'proposal_decided')).toBe(true);
    expect(await stateOf(memberId)).toEqual({ moved: false, outcome: 'withdrawn', state: 'withdrawn' });
  }
});

test('a change withdrawn by its member when it is due is either executed or withdrawn', async () => {
  for (let round = 0; round < 8; round += 1) {
    const memberId = await lostMailbox();
    const id = await propose(memberId, finance, await finance.code());
    await approve(id, second, await second.code());
    clock.advance(7 * 86_400);
    const codes = await codesOf(
      inTurns(round, [
        () => executeDueEmailChanges(context),
        () => executeDueEmailChanges(context),
        () => withdraw(memberId),
      ]),
    );
    expect(codes).toEqual([]);
    const after = await stateOf(memberId);
    expect(after).toEqual(
      after?.moved
        ? { moved: true, outcome: 'changed', state: 'posted' }
        : { moved: false, outcome: 'withdrawn', state: 'withdrawn' },
    );
  }
});

test('a change due while one of its approvers is being disabled is either executed or not', async () => {
  for (let round = 0; round < 6; round += 1) {
    const memberId = await lostMailbox();
    const thief = await makeOperator(context, 'finance');
    await approve(await propose(memberId, finance, await finance.code()), thief, await thief.code());
    clock.advance(7 * 86_400);
    const by = { ...actorOf(admin), otp: await admin.code() };
    const codes = await codesOf(
      inTurns(round, [
        () => executeDueEmailChanges(context),
        () => disableOperator(context, by, { operatorId: thief.operatorId, why: 'stolen phone' }),
      ]),
    );
    expect(codes).toEqual([]);
    const after = await stateOf(memberId);
    expect(after).toEqual(
      after?.moved
        ? { moved: true, outcome: 'changed', state: 'posted' }
        : { moved: false, outcome: null, state: 'withdrawn' },
    );
  }
});
