import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { approveProposal } from '#server/approvals/index.ts';
import { inTransaction } from '#server/db/tx.ts';
import { closeAfterAll } from '#test/database/close-after-all.ts';
import { openConsoleWorld } from '#test/worlds/console-world.ts';
import { actorOf, makeOperator, type TestOperator } from '#test/worlds/operators.ts';
import { changeOperatorRole, disableOperator } from '../operators/accounts/change-operator.ts';
import { emailChangeKind, executeDueEmailChanges, listOpenRequests, proposeEmailChange } from './email-change.ts';
import { insertEmailRequest } from './request-email-change.ts';

const world = closeAfterAll(await openConsoleWorld());
const { context, finance, second, admin, clock } = world;
const WEEK = 7 * 86_400;

const propose = async (memberId: bigint, who: TestOperator) => {
  const input = { member_id: memberId.toString(), reason: 'Called back.', otp: await who.code() };
  return BigInt((await proposeEmailChange(context, actorOf(who), input)).id);
};
const approve = async (id: bigint, who: TestOperator) =>
  approveProposal(context, emailChangeKind, actorOf(who), { id, version: 1, otp: await who.code() });
const emailOf = async (memberId: bigint) =>
  (await world.select<{ email: string }>(sql`select email from identity.member where id = ${memberId}`))[0]?.email;
const stateOf = async (id: bigint) =>
  (await world.select<{ state: string }>(sql`select state from approvals.proposal where id = ${id}`))[0]?.state;

const decision = async () => ({ ...actorOf(admin), otp: await admin.code() });
const disable = async ({ operatorId }: TestOperator) =>
  disableOperator(context, await decision(), { operatorId, why: 'stolen phone' });
const lower = async ({ operatorId }: TestOperator) =>
  changeOperatorRole(context, await decision(), { operatorId, role: 'support', why: 'other work' });

test.each([
  ['proposed', 'disabled', disable],
  ['proposed', 'lowered to support', lower],
  ['approved', 'disabled', disable],
  ['approved', 'lowered to support', lower],
] as const)(
  'a change %s by an operator who is %s within the seven days is not executed, and can be proposed again',
  async (did, _, distrust) => {
    const { memberId } = await world.addMember();
    const [before, email] = [await emailOf(memberId), `moved.${memberId}@mail.test`];
    await inTransaction(context.db, (tx) => insertEmailRequest(tx, { memberId, email, now: clock.now() }));
    const thief = await makeOperator(context, 'finance');
    const id = await propose(memberId, did === 'proposed' ? thief : finance);
    await approve(id, did === 'approved' ? thief : second);
    await distrust(thief);
    clock.advance(WEEK);
    await executeDueEmailChanges(context);
    expect(await emailOf(memberId)).toBe(before);
    expect(await stateOf(id)).toBe('withdrawn');
    const entries = await world.select(sql`
      select actor_kind, before ->> 'state' as before, after ->> 'state' as after from audit.entry
      where subject = ${`email_change:${id}`} and action = 'email_change.withdraw'`);
    expect(entries).toEqual([{ actor_kind: 'system', before: 'approved', after: 'withdrawn' }]);
    const open = (await listOpenRequests(context)).find(({ member }) => member.id === memberId.toString());
    expect(open).toMatchObject({ email, proposed: false });
    const subjects = await world.select<{ subject: string; addresses: number }>(sql`
      select subject, count(distinct to_address)::int as addresses from notify.mail
      where member_id = ${memberId} and subject like 'The change of%' group by subject order by min(id)`);
    expect(subjects).toEqual([
      { subject: 'The change of your Tradewind email address was approved', addresses: 2 },
      { subject: 'The change of your Tradewind email address has to be approved again', addresses: 2 },
    ]);

    await approve(await propose(memberId, finance), second);
    clock.advance(WEEK);
    await executeDueEmailChanges(context);
    expect(await emailOf(memberId)).toBe(email);
    // Whoever approved it is no device of the member's.
    expect(
      await world.select(sql`
        select message, text like '%All devices were signed out.%' as "isInEmail"
        from notify.notification as n join notify.mail using (member_id)
        where member_id = ${memberId} and n.kind = 'email_changed' and subject like 'The email address of your%'`),
    ).toContainEqual({ message: 'Your email address was changed. All devices were signed out.', isInEmail: true });
  },
);

test('nobody decides on a change of their own address', async () => {
  const { memberId } = await world.addMember();
  const email = finance.email.toUpperCase();
  await inTransaction(context.db, (tx) => insertEmailRequest(tx, { memberId, email, now: clock.now() }));
  const own = { code: 'own_proposal' };
  await expect(propose(memberId, finance)).rejects.toMatchObject(own);
  const id = await propose(memberId, second);
  await expect(approve(id, finance)).rejects.toMatchObject(own);
  expect(await stateOf(id)).toBe('proposed');
  await approve(id, admin);
});
