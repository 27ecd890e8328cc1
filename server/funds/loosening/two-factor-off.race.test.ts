import { setTimeout } from 'node:timers/promises';
import { base32nopad } from '@scure/base';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { findCaller, hasSecondFactor } from '#server/accounts/index.ts';
import { closeAccount } from '#server/accounts/members/close-account.ts';
import { signInMember, verifyMemberOtp } from '#server/accounts/sign-in/sign-in-member.ts';
import { confirmTotp, startTotp } from '#server/accounts/two-factor/set-up-totp.ts';
import { approveProposal } from '#server/approvals/index.ts';
import type { MemberCaller } from '#server/caller.ts';
import { closeAfterAll } from '#test/database/close-after-all.ts';
import { atOnce } from '#test/kit/at-once.ts';
import { openConsoleWorld } from '#test/worlds/console-world.ts';
import { freeze, TEST_PASSWORD } from '#test/worlds/members.ts';
import { actorOf, codeAt } from '#test/worlds/operators.ts';
import { firstFactorCodeOf } from '#test/worlds/second-factor.ts';
import { forfeitRemainder } from '../close-member.ts';
import { reportAddressChange } from '../withdrawals/freeze-withdrawals.ts';
import { executeDueLoosenings, looseningKind, proposeLoosening } from './loosening.ts';

const world = closeAfterAll(await openConsoleWorld());
const { context, clock, finance, second } = world;
const address = '127.0.0.1';

/** A member whose app is turned off now, with two sign-ins that lack only the recovery code. */
async function makeDue() {
  const member = await world.addMember();
  const caller = (await findCaller(context, member.token)) as MemberCaller;
  const mailed = await firstFactorCodeOf(context, member.memberId);
  const begun = await startTotp(context, caller, { password: TEST_PASSWORD, otp: mailed, address });
  const otp = codeAt(base32nopad.decode(begun.secret), clock.now());
  const codes = (await confirmTotp(context, caller, { otp, address })) as string[];
  const { id } = await proposeLoosening(context, actorOf(finance), {
    member_id: member.memberId.toString(),
    what: 'turn_off_two_factor',
    reason: 'r',
    otp: await finance.code(),
  });
  const decision = { id: BigInt(id), version: 1, otp: await second.code() };
  await approveProposal(context, looseningKind, actorOf(second), decision);
  clock.advance(7 * 86_400);
  const signIns = [];
  for (const recoveryCode of codes.slice(0, 2)) {
    const input = { loginId: member.referralCode, password: TEST_PASSWORD, userAgent: 'test', address };
    const begunSignIn = await signInMember(context, input);
    const challenge = 'challenge' in begunSignIn ? begunSignIn.challenge : '';
    signIns.push(() => verifyMemberOtp(context, { challenge, code: { recoveryCode }, userAgent: 'test', address }));
  }
  const [mail] = await world.select<{ text: string }>(sql`
    select text from notify.mail where member_id = ${member.memberId} order by id desc limit 1`);
  const report = () => reportAddressChange(context, /not-me#(\S+)/.exec(mail?.text ?? '')?.[1] ?? '', address);
  const close = () =>
    closeAccount(
      context,
      caller,
      { password: TEST_PASSWORD, secondFactor: codes[2] as string, address },
      { closing: [], forfeit: forfeitRemainder },
    );
  return { ...member, id, signIns, report, close };
}
const stateOf = async (id: string) =>
  (await world.select<{ state: string }>(sql`select state from approvals.proposal where id = ${id}`))[0]?.state;
const kindsOf = async (memberId: bigint) =>
  (
    await world.select<{ kind: string }>(sql`
      select kind from notify.notification where member_id = ${memberId} and kind ~ '^second_factor_(off|kept)$'`)
  ).map(({ kind }) => kind);
/** By two workers, a little later in each round: sometimes before its rivals, sometimes after them. */
const execute = async (round: number) => {
  await setTimeout(round * 2);
  await Promise.all([executeDueLoosenings(context), executeDueLoosenings(context)]);
};

test('two sign-ins while it is turned off both work and it stays on, or find it off', async () => {
  for (let round = 0; round < 12; round += 1) {
    const { memberId, id, signIns } = await makeDue();
    const { refused } = await atOnce([execute(round), ...signIns]);
    const isOn = await hasSecondFactor(context.db, memberId);
    expect(refused).toEqual(isOn ? [] : ['sign_in_expired', 'sign_in_expired']);
    expect(await stateOf(id)).toBe(isOn ? 'withdrawn' : 'posted');
    expect(await kindsOf(memberId)).toEqual([isOn ? 'second_factor_kept' : 'second_factor_off']);
  }
});

test('reported and frozen while it is turned off, withdrawals are stopped and the member is told what happened', async () => {
  for (let round = 0; round < 12; round += 1) {
    const { memberId, id, report } = await makeDue();
    await Promise.all([execute(round), report(), freeze(context, memberId)]);
    const isOn = await hasSecondFactor(context.db, memberId);
    expect(await stateOf(id)).toBe(isOn ? 'withdrawn' : 'posted');
    expect(await kindsOf(memberId)).toEqual([isOn ? 'second_factor_kept' : 'second_factor_off']);
    expect(await world.select(sql`select 1 from funds.withdrawal_freeze where member_id = ${memberId}`)).toHaveLength(
      1,
    );
  }
});

test('an account is closed while it is turned off', async () => {
  for (let round = 0; round < 12; round += 1) {
    const { memberId, id, close } = await makeDue();
    await Promise.all([execute(round), close()]);
    expect(await hasSecondFactor(context.db, memberId)).toBe(false);
    expect(['withdrawn', 'posted']).toContain(await stateOf(id));
  }
});
