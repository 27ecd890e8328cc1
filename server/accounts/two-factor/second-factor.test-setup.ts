import assert from 'node:assert';
import { base32nopad } from '@scure/base';
import type { MemberCaller } from '#server/caller.ts';
import { codeAt } from '#test/worlds/operators.ts';
import { firstFactorCodeOf } from '#test/worlds/second-factor.ts';
import { address, firefox, password, type World } from '../accounts-world.test-setup.ts';
import { findCaller } from '../index.ts';
import { signInMember, verifyMemberOtp } from '../sign-in/sign-in-member.ts';
import { confirmTotp, startTotp } from './set-up-totp.ts';

/** A new member with an authenticator app, signed in. The set-up’s code is used: `code` shows the ones after it. */
export async function enrol(world: World) {
  const { context, clock } = world;
  const account = await world.signUp();
  const token = await world.signIn(account.referralCode);
  const caller = await callerOf(world, token);
  const letters = await beginApp(world, caller);
  const secret = base32nopad.decode(letters);
  const recoveryCodes = await confirmTotp(context, caller, { otp: codeAt(secret, clock.now()), address });
  assert(recoveryCodes !== null, 'the first second factor brings recovery codes');
  /** Waits until the app shows another code. */
  const code = () => {
    clock.advance(30);
    return codeAt(secret, clock.now());
  };
  return { ...account, token, caller, secret, recoveryCodes, code };
}

/** Starts the set-up of a member's first app. @returns its secret in text form */
export async function beginApp({ context }: World, caller: MemberCaller): Promise<string> {
  const otp = await firstFactorCodeOf(context, caller.memberId);
  return (await startTotp(context, caller, { password, otp, address })).secret;
}

export async function callerOf(world: World, token: string): Promise<MemberCaller> {
  const caller = await findCaller(world.context, token);
  assert(caller?.kind === 'member', 'signed in');
  return caller;
}

/** The first half of a sign-in with a second factor. */
export async function challengeOf(
  { context }: World,
  loginId: string,
  given: { readonly remember?: boolean; readonly password?: string } = {},
): Promise<string> {
  const signedIn = await signInMember(context, { loginId, password, userAgent: firefox, address, ...given });
  assert('challenge' in signedIn, 'a second factor is asked for');
  return signedIn.challenge;
}

/** The second half. */
export const verifyWith = (
  { context }: World,
  challenge: string,
  code: Parameters<typeof verifyMemberOtp>[1]['code'],
  userAgent = firefox,
) => verifyMemberOtp(context, { challenge, code, userAgent, address });
