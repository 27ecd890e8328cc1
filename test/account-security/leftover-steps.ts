import assert from 'node:assert';
import { base32nopad } from '@scure/base';
import fc from 'fast-check';
import { account, identity, passkeys, withdrawals } from '#contract/endpoints.ts';
import { addPasskey, emailStep, factorStart, removeFactor, renewCodes, sendCode } from './member-steps.ts';
import { askForPasskey, attempt, drawFactor, readCode } from './proof.ts';
import {
  actorOf,
  begin,
  byWhom,
  changePassword,
  given,
  newPassword,
  reset,
  sendResetCode,
  step,
} from './sign-in-steps.ts';
import { type Mind, OWN_ADDRESS, type World } from './world.ts';

type Finish = () => Promise<unknown>;

/** What is begun before a security change; its end is tried afterwards, by a sign-in that is live then. */
const begins = {
  code: async (world, mind, token) => {
    const details = `TRC20/${OWN_ADDRESS}`;
    await sendCode(world, token, { purpose: 'address', network: 'TRC20', address: OWN_ADDRESS }, details);
    const code = readCode(world, mind, 'address', world.truth.email);
    return async () => {
      const { token: later } = await actorOf(world, { who: mind.name, which: 0, kind: 'best' });
      const factor = await drawFactor(world, mind, 'best', askForPasskey(world, later));
      const body = { network: 'TRC20', address: OWN_ADDRESS, otp: code, ...given(factor) };
      const codes = [{ purpose: 'address', details, code }];
      const done = await attempt(world, { row: withdrawals.updateAddress, mind, token: later, body, codes, factor });
      assert(done === undefined, 'a code outlived a change');
    };
  },
  resetToken: async (world, mind) => {
    const body = {
      purpose: 'reset_password',
      loginId: world.referralCode,
      otp: (await sendResetCode(world, mind)) ?? '000000',
    };
    const verified = await world.call(identity.verifyOtp, { body });
    if (!verified.isDone) return undefined;
    return async () => {
      const late = { reset_token: verified.data.reset_token, password: newPassword() };
      const done = await world.call(identity.resetPassword, { body: late });
      assert.equal(done.code, 'wrong_reset_token', 'a reset outlived a change');
    };
  },
  challenge: async (world, mind) => {
    const login = { loginId: world.referralCode, password: mind.password };
    const first = await world.call(identity.login, { body: login });
    const challenge = first.data?.challenge;
    if (challenge === undefined) {
      if (first.isDone) begin(world, mind, first.data.access_token);
      return undefined;
    }
    return async () => {
      const secret = mind.secrets.at(-1);
      const otp = secret === undefined ? '000000' : world.appCode(secret);
      const done = await world.call(identity.verifyOtp, { body: { purpose: 'login', challenge, otp } });
      assert.equal(done.code, 'sign_in_expired', 'a half sign-in outlived a change');
    };
  },
  setUp: async (world, mind, token) => {
    if (world.truth.app !== undefined) return undefined;
    const start = await factorStart(world, mind, token, 'best');
    const started = await attempt(world, { row: account.startTotp, mind, token, ...start, isMailed: false });
    if (started === undefined) return undefined;
    return async () => {
      const { token: later } = await actorOf(world, { who: mind.name, which: 0, kind: 'best' });
      const body = { otp: world.appCode(base32nopad.decode(started.secret)) };
      const done = await world.call(account.confirmTotp, { token: later, body });
      assert(!done.isDone, 'the set-up of an app outlived a change');
    };
  },
  passkey: async (world, mind, token) => {
    const start = await factorStart(world, mind, token, 'best');
    const started = await attempt(world, { row: passkeys.startPasskey, mind, token, ...start, isMailed: false });
    if (started === undefined) return undefined;
    return async () => {
      const { token: later } = await actorOf(world, { who: mind.name, which: 0, kind: 'best' });
      const body = { name: 'Late', passkey: world.makeDevice().create(started) };
      const done = await world.call(passkeys.addPasskey, { token: later, body });
      assert(!done.isDone, 'the set-up of a passkey outlived a change');
    };
  },
} satisfies Record<string, (world: World, mind: Mind, token: string) => Promise<Finish | undefined>>;

const between = fc.oneof(changePassword, reset, renewCodes, removeFactor, addPasskey, emailStep);

/** Codes, tokens, half sign-ins and set-ups end with every change of password, email address and second factor. */
export const leftover = step(
  'leftover',
  fc.record({ by: byWhom, what: fc.constantFrom(...(Object.keys(begins) as (keyof typeof begins)[])), between }),
  async (world, { by, what, between: change }) => {
    const { mind, token } = await actorOf(world, by);
    const finish = await begins[what](world, mind, token);
    const before = world.truth.securityAt;
    world.clock.advance(31);
    await change.take(world);
    if (world.truth.securityAt > before && finish !== undefined) await finish();
  },
);
