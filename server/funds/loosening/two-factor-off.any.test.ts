import { base32nopad } from '@scure/base';
import { sql } from 'kysely';
import { beforeEach, describe, expect, test } from 'vitest';
import { writeMinute } from '#contract/day-text.ts';
import { findCaller, freezeMember, hasSecondFactor } from '#server/accounts/index.ts';
import { disableOperator } from '#server/accounts/operators/accounts/change-operator.ts';
import { beginPasskey, finishPasskey, getRelyingParty } from '#server/accounts/passkeys/ceremonies.ts';
import { addPasskey } from '#server/accounts/passkeys/member-passkeys.ts';
import { getSecurity } from '#server/accounts/sign-in/get-security.ts';
import { beginPasskeySignIn, signInByPasskey } from '#server/accounts/sign-in/sign-in-by-passkey.ts';
import { signInMember, verifyMemberOtp } from '#server/accounts/sign-in/sign-in-member.ts';
import { confirmTotp, startTotp } from '#server/accounts/two-factor/set-up-totp.ts';
import { countProposals } from '#server/approvals/index.ts';
import type { MemberCaller } from '#server/caller.ts';
import { inTransaction } from '#server/db/tx.ts';
import { closeAfterAll } from '#test/database/close-after-all.ts';
import { refusal, success } from '#test/worlds/app.ts';
import { makeAuthenticator } from '#test/worlds/authenticator.ts';
import { openConsoleWorld, type Person } from '#test/worlds/console-world.ts';
import { TEST_PASSWORD } from '#test/worlds/members.ts';
import { codeAt, makeOperator, type TestOperator } from '#test/worlds/operators.ts';
import { firstFactorCodeOf } from '#test/worlds/second-factor.ts';
import { reportAddressChange } from '../withdrawals/freeze-withdrawals.ts';
import { executeDueLoosenings } from './loosening.ts';

const world = closeAfterAll(await openConsoleWorld());
const { context, clock } = world;
const DAY = 24 * 3600;
const address = '127.0.0.1';
const what = 'turn_off_two_factor';
const rp = getRelyingParty(context.config, 'localhost');

let member: Person;
let secret: Uint8Array;
let recoveryCodes: string[];
let device: ReturnType<typeof makeAuthenticator>;
/** New ones, because their sign-ins last 8 hours. */
let finance: TestOperator;
let second: TestOperator;
beforeEach(async () => {
  member = await world.addMember();
  [finance, second] = [await makeOperator(context, 'finance'), await makeOperator(context, 'finance')];
  const caller = (await findCaller(context, member.token)) as MemberCaller;
  const mailed = await firstFactorCodeOf(context, member.memberId);
  const begun = await startTotp(context, caller, { password: TEST_PASSWORD, otp: mailed, address });
  secret = base32nopad.decode(begun.secret);
  recoveryCodes = (await confirmTotp(context, caller, { otp: codeAt(secret, clock.now()), address })) as string[];
  device = makeAuthenticator();
  await inTransaction(context.db, async (tx) => {
    const answer = device.create(await beginPasskey(context, tx, rp, member, { id: 'm', name: 'Member' }));
    await finishPasskey(context, tx, member, { name: 'Laptop', answer });
  });
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
/** As the member's own page shows it. */
const shownEnd = async () => (await getSecurity(context.db, member.memberId)).second_factor_ends_at;
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
  const pending = (await countProposals(context.db)).loosening;
  await agree();
  // What was approved and waits asks no operator for anything.
  expect((await countProposals(context.db)).loosening).toBe(pending);
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
      (select count(*)::int from identity.passkey where member_id = ${member.memberId}) as passkeys,
      (select count(*)::int from identity.recovery_code where member_id = ${member.memberId}) as codes,
      (select security_changed_at from identity.member where id = ${member.memberId}) as changed`);
  expect(left).toEqual({ apps: 0, passkeys: 0, codes: 0, changed: clock.now() });
  expect(await kinds()).toEqual(['second_factor_on', 'second_factor_ending', 'second_factor_off']);
  const [entry] = await world.select(sql`
    select actor_kind, after ->> 'why' as why from audit.entry
    where subject = ${`member:${member.memberId}`} and action = 'member.disable_second_factor'`);
  expect(entry).toEqual({ actor_kind: 'system', why: 'Passport shown in a video call' });
});

test('once it is approved, the member sees the day on their page and in an email, with the button that ends it', async () => {
  expect(await shownEnd()).toBeNull();
  const id = await agree();
  expect(await shownEnd()).toBe(new Date(clock.now().getTime() + 7 * DAY * 1000).toISOString());
  const { subject, text } = (await mails()).at(-1) ?? { subject: '', text: '' };
  expect(subject).toBe('Two-factor authentication of your Tradewind account will be turned off');
  expect(text).toContain(`is turned off on ${writeMinute(new Date(clock.now().getTime() + 7 * DAY * 1000))}`);
  await reportAddressChange(context, /not-me#(\S+)/.exec(text)?.[1] ?? '', address);
  expect([await stateOf(id), (await kinds()).at(-1)]).toEqual(['withdrawn', 'second_factor_kept']);
  expect(await shownEnd()).toBeNull();
  expect(await waitWeek()).toBe(0);
  expect(await isOn()).toBe(true);
});

const enter = async (code: { otp: string } | { recoveryCode: string }) => {
  const signedIn = await signIn();
  const challenge = 'challenge' in signedIn ? signedIn.challenge : '';
  await verifyMemberOtp(context, { challenge, code, userAgent: 'test', address });
};
const uses = {
  'the app': () => enter({ otp: codeAt(secret, clock.now()) }),
  'a recovery code': () => enter({ recoveryCode: recoveryCodes[0] as string }),
  'a passkey alone': async () =>
    signInByPasskey(context, { answer: device.get(await beginPasskeySignIn(context, rp)), userAgent: 'test', address }),
};
describe.each(Object.entries(uses))('a sign-in with %s', (_, use) => {
  test('ends an approved one at once, which the member is told', async () => {
    const id = await agree();
    await use();
    expect([await stateOf(id), (await kinds()).filter((kind) => kind.endsWith('kept'))]).toEqual([
      'withdrawn',
      ['second_factor_kept'],
    ]);
    expect(await waitWeek()).toBe(0);
    expect([await isOn(), (await kinds()).includes('second_factor_off')]).toEqual([true, false]);
    const [entry] = await world.select(sql`
      select actor_kind, after ->> 'state' as state from audit.entry
      where subject = ${`loosening:${id}`} and action = 'loosening.withdraw'`);
    expect(entry).toEqual({ actor_kind: 'member', state: 'withdrawn' });
  });

  test('ends a pending one, of which the member hears nothing', async () => {
    const { id } = (await propose()).body.data;
    expect(await shownEnd()).toBeNull();
    await use();
    const late = await world.send(second, 'POST', `operator/loosenings/${id}/approve`, {
      version: 1,
      otp: await second.code(),
    });
    expect(late).toMatchObject(refusal(409, 'proposal_decided'));
    expect((await kinds()).filter((kind) => /kept|ending/.test(kind))).toEqual([]);
  });
});

describe('of an account that was frozen because a thief added a passkey', () => {
  const freeze = () =>
    inTransaction(context.db, (tx) =>
      freezeMember(tx, { memberId: member.memberId, actor: { kind: 'system', id: null }, why: 'x', now: clock.now() }),
    );

  test.each(Object.entries(uses))('a sign-in with %s does not keep it', async (_, use) => {
    await freeze();
    const id = await agree();
    await use();
    expect(await stateOf(id)).toBe('approved');
    expect(await waitWeek()).toBe(1);
    expect(await isOn()).toBe(false);
  });

  test('the button in the email does', async () => {
    await freeze();
    const id = await agree();
    await reportAddressChange(context, /not-me#(\S+)/.exec((await mails()).at(-1)?.text ?? '')?.[1] ?? '', address);
    expect([await stateOf(id), await waitWeek(), await isOn()]).toEqual(['withdrawn', 0, true]);
  });
});

test('a passkey added with a factor that was used before ends it too', async () => {
  const start = await inTransaction(context.db, (tx) =>
    beginPasskey(context, tx, rp, member, { id: 'm', name: 'Member' }),
  );
  const id = await agree();
  const input = { name: 'Phone', answer: makeAuthenticator().create(start), address };
  await addPasskey(context, (await findCaller(context, member.token)) as MemberCaller, input);
  expect(await stateOf(id)).toBe('withdrawn');
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
  const withdrawn = await world.send(third, 'POST', `operator/loosenings/${other}/withdraw`, { version: 2 });
  const [decided_by, ended_by] = [second, third].map(({ operatorId }) => ({
    id: operatorId.toString(),
    name: 'Op finance',
  }));
  expect(withdrawn).toMatchObject(success({ state: 'withdrawn', decided_by, ended_by }));
  expect(await waitWeek()).toBe(0);
  expect([await stateOf(other), await isOn()]).toEqual(['withdrawn', true]);
  expect((await kinds()).slice(-2)).toEqual(['second_factor_ending', 'second_factor_kept']);
});

test('without two-factor authentication nothing is proposed', async () => {
  await sql`delete from identity.totp where member_id = ${member.memberId}`.execute(context.db);
  await sql`delete from identity.passkey where member_id = ${member.memberId}`.execute(context.db);
  expect(await propose()).toMatchObject(refusal(409, 'nothing_to_lift'));
});
