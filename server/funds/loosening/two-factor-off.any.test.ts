import { base32nopad } from '@scure/base';
import { sql } from 'kysely';
import { beforeEach, expect, test } from 'vitest';
import { findCaller, hasSecondFactor } from '#server/accounts/index.ts';
import { disableOperator } from '#server/accounts/operators/accounts/change-operator.ts';
import { signInMember, verifyMemberOtp } from '#server/accounts/sign-in/sign-in-member.ts';
import { confirmTotp, startTotp } from '#server/accounts/two-factor/set-up-totp.ts';
import type { MemberCaller } from '#server/caller.ts';
import { closeAfterAll } from '#test/database/close-after-all.ts';
import { refusal, success } from '#test/worlds/app.ts';
import { openConsoleWorld, type Person } from '#test/worlds/console-world.ts';
import { TEST_PASSWORD } from '#test/worlds/members.ts';
import { codeAt, makeOperator, type TestOperator } from '#test/worlds/operators.ts';
import { reportAddressChange } from '../withdrawals/freeze-withdrawals.ts';
import { executeDueLoosenings } from './loosening.ts';

const world = closeAfterAll(await openConsoleWorld());
const { context, clock } = world;
const DAY = 24 * 3600;
const address = '127.0.0.1';
const what = 'turn_off_two_factor';

let member: Person;
let secret: Uint8Array;
/** New ones, because their sign-ins last 8 hours. */
let finance: TestOperator;
let second: TestOperator;
beforeEach(async () => {
  member = await world.addMember();
  [finance, second] = [await makeOperator(context, 'finance'), await makeOperator(context, 'finance')];
  const caller = (await findCaller(context, member.token)) as MemberCaller;
  const begun = await startTotp(context, caller, { password: TEST_PASSWORD, secondFactor: undefined, address });
  secret = base32nopad.decode(begun.secret);
  await confirmTotp(context, caller, { otp: codeAt(secret, clock.now()), address });
  clock.advance(60);
});

const propose = async () =>
  world.send(finance, 'POST', 'operator/loosenings', {
    member_id: member.memberId.toString(),
    what,
    reason: 'Passport shown in a video call',
    otp: await finance.code(),
  });
/** Proposed by one operator, and approved by another. */
async function agree(): Promise<string> {
  const { id } = (await propose()).body.data;
  clock.advance(60);
  const approved = await world.send(second, 'POST', `operator/loosenings/${id}/approve`, {
    version: 1,
    otp: await second.code(),
  });
  const dueAt = new Date(clock.now().getTime() + 7 * DAY * 1000).toISOString();
  expect(approved).toMatchObject(success({ state: 'approved', due_at: dueAt }));
  return id;
}
/** A week goes by, as every worker sees it. */
const waitWeek = () => {
  clock.advance(7 * DAY);
  return executeDueLoosenings(context);
};
const isOn = () => hasSecondFactor(context.db, member.memberId);
const stateOf = async (id: string) =>
  (await world.select<{ state: string }>(sql`select state from approvals.proposal where id = ${id}`))[0]?.state;
const signIn = () =>
  signInMember(context, { loginId: member.referralCode, password: TEST_PASSWORD, userAgent: 'test', address });
const mails = () =>
  world.select<{ subject: string; text: string }>(
    sql`select subject, text from notify.mail where member_id = ${member.memberId} and subject like 'Two-factor%' order by id`,
  );
const kinds = async () =>
  (
    await world.select<{ kind: string }>(
      sql`select kind from notify.notification where member_id = ${member.memberId} and kind like 'second_factor%' order by id`,
    )
  ).map(({ kind }) => kind);

test('is turned off a week after two operators agreed: then the password alone signs in, and all sign-ins ended', async () => {
  await agree();
  clock.advance(7 * DAY - 1);
  expect(await executeDueLoosenings(context)).toBe(0);
  expect([await isOn(), 'challenge' in (await signIn())]).toEqual([true, true]);
  clock.advance(1);
  expect(await executeDueLoosenings(context)).toBe(1);
  expect(await executeDueLoosenings(context)).toBe(0);
  expect([await isOn(), 'accessToken' in (await signIn())]).toEqual([false, true]);
  expect(await findCaller(context, member.token)).toBeUndefined();
  const [left] = await world.select(sql`
    select (select count(*)::int from identity.totp where member_id = ${member.memberId}) as apps,
      (select count(*)::int from identity.recovery_code where member_id = ${member.memberId}) as codes,
      (select security_changed_at from identity.member where id = ${member.memberId}) as changed`);
  expect(left).toEqual({ apps: 0, codes: 0, changed: clock.now() });
  expect(await kinds()).toEqual(['second_factor_on', 'second_factor_ending', 'second_factor_off']);
  const [entry] = await world.select(sql`
    select actor_kind, after ->> 'why' as why from audit.entry
    where subject = ${`member:${member.memberId}`} and action = 'member.disable_second_factor'`);
  expect(entry).toEqual({ actor_kind: 'system', why: 'Passport shown in a video call' });
});

test('the member is emailed when it is approved, with the day and the button that ends it', async () => {
  const id = await agree();
  const { subject, text } = (await mails()).at(-1) ?? { subject: '', text: '' };
  expect(subject).toBe('Two-factor authentication of your Tradewind account will be turned off');
  expect(text).toContain(
    `is turned off on ${new Date(clock.now().getTime() + 7 * DAY * 1000).toISOString().slice(0, 10)}`,
  );
  await reportAddressChange(context, /not-me#(\S+)/.exec(text)?.[1] ?? '', address);
  expect(await stateOf(id)).toBe('withdrawn');
  expect(await waitWeek()).toBe(0);
  expect(await isOn()).toBe(true);
});

test('it stays on if the member signs in with the app meanwhile', async () => {
  const id = await agree();
  const signedIn = await signIn();
  const challenge = 'challenge' in signedIn ? signedIn.challenge : '';
  await verifyMemberOtp(context, { challenge, code: { otp: codeAt(secret, clock.now()) }, userAgent: 'test', address });
  await waitWeek();
  expect([await stateOf(id), await isOn()]).toEqual(['withdrawn', true]);
  expect((await kinds()).at(-1)).toBe('second_factor_kept');
});

test('and if one of the two operators is no longer entitled by then, or withdraws it', async () => {
  const id = await agree();
  const by = { operatorId: world.admin.operatorId, otp: await world.admin.code(), address };
  await disableOperator(context, by, { operatorId: second.operatorId, why: 'left' });
  await waitWeek();
  expect([await stateOf(id), await isOn()]).toEqual(['withdrawn', true]);

  [finance, second] = [await makeOperator(context, 'finance'), await makeOperator(context, 'finance')];
  const other = await agree();
  const third = await makeOperator(context, 'finance');
  await world.send(third, 'POST', `operator/loosenings/${other}/withdraw`, { version: 2 });
  expect(await waitWeek()).toBe(0);
  expect([await stateOf(other), await isOn()]).toEqual(['withdrawn', true]);
  expect((await kinds()).slice(-2)).toEqual(['second_factor_ending', 'second_factor_kept']);
});

test('without two-factor authentication nothing is proposed', async () => {
  await sql`delete from identity.totp where member_id = ${member.memberId}`.execute(context.db);
  expect(await propose()).toMatchObject(refusal(409, 'nothing_to_lift'));
});
