import assert from 'node:assert';
import fc from 'fast-check';
import { account, identity, passkeySignIn } from '#contract/endpoints.ts';
import { answerResetRequests } from '#server/accounts/index.ts';
import { askForPasskey, attempt, changeSecurity, drawFactor, type FactorKind, isOn, keepTwoFactor } from './proof.ts';
import type { Mind, World } from './world.ts';

export type Step = { readonly take: (world: World) => Promise<unknown> };

/** Printed as what was drawn. */
export const step = <T>(
  name: string,
  drawn: fc.Arbitrary<T>,
  take: (world: World, value: T) => Promise<unknown>,
): fc.Arbitrary<Step> =>
  drawn.map((value) => ({
    take: (world) => take(world, value),
    [fc.toStringMethod]: () => `${name} ${fc.stringify(value)}`,
  }));

const kinds: readonly FactorKind[] = [
  'best',
  'best',
  'best',
  'best',
  'best',
  'best',
  'app',
  'passkey',
  'recovery',
  'none',
  'guess',
  'spent',
  'phished',
];
export const byWhom = fc.record({
  who: fc.constantFrom('owner' as const, 'owner' as const, 'thief' as const),
  which: fc.nat({ max: 9 }),
  kind: fc.constantFrom(...kinds),
});
export type By = { readonly who: 'owner' | 'thief'; readonly which: number; readonly kind: FactorKind };

/** Mostly a sign-in that is live, a new one if there is none, or else any that they had. */
export async function actorOf(world: World, { who, which }: By): Promise<{ mind: Mind; token: string }> {
  const mind = world.minds[who];
  if (which < 8 && !mind.tokens.some((token) => world.truth.live.has(token))) await signInBy(world, mind, 'best');
  const live = mind.tokens.filter((token) => world.truth.live.has(token));
  const all = live.length > 0 && which < 8 ? live : mind.tokens;
  return { mind, token: all[which % Math.max(1, all.length)] ?? 'no-token-at-all-0123456789' };
}

export const factorOf = (world: World, mind: Mind, token: string, kind: FactorKind) =>
  drawFactor(world, mind, kind, askForPasskey(world, token));
export const given = (factor: { value: unknown }) =>
  factor.value === undefined ? {} : { second_factor: factor.value };
let drawn = 0;
/** Another word in each call. */
export const draw = () => {
  drawn += 1;
  return drawn;
};
export const newPassword = () => `harbour tulip ${draw()} north`;

// ---- sign-ins ----

export function begin(world: World, mind: Mind, token: string, remember = false): void {
  world.truth.live.set(token, world.now());
  if (remember) world.truth.remembered.add(token);
  mind.tokens.push(token);
}

async function signInBy(world: World, mind: Mind, kind: FactorKind, remember = false): Promise<void> {
  const { truth, referralCode, call } = world;
  const isRight = mind.password === truth.password;
  const login = { loginId: referralCode, password: mind.password, remember };
  const first = await call(identity.login, { body: login });
  if (!first.isDone) {
    assert(!isRight || first.code !== 'wrong_login', 'the right password was refused');
    return;
  }
  assert(isRight, 'a wrong password was accepted');
  if (first.data.access_token !== undefined) {
    assert(!isOn(world), 'signed in without the second factor');
    return begin(world, mind, first.data.access_token, remember);
  }
  assert(isOn(world), 'asked for a second factor that there is not');
  const { challenge } = first.data;
  const factor = await drawFactor(world, mind, kind, () =>
    call(passkeySignIn.askPasskeyAtSignIn, { body: { challenge } }),
  );
  const { value = '000000' } = factor;
  const field = typeof value !== 'string' ? 'passkey' : value.length > 6 ? 'recovery_code' : 'otp';
  const body = { purpose: 'login', challenge, [field]: value };
  world.sent.count += 1;
  const second = await call(identity.verifyOtp, { body }, world.sent.count % 3 === 0 ? 2 : 1);
  if (!second.isDone) {
    assert(!factor.isRight || second.code === 'too_many_requests', `a right second factor was refused: ${second.code}`);
    return;
  }
  assert(factor.isRight, 'signed in with a wrong second factor');
  factor.use();
  keepTwoFactor(world);
  begin(world, mind, second.data.access_token, remember);
  const again = await call(identity.verifyOtp, { body });
  assert(!again.isDone, 'a challenge signed in twice');
}
const remembering = fc.record({ by: byWhom, remember: fc.boolean() });
const signIn = step('signIn', remembering, (world, { by, remember }) =>
  signInBy(world, world.minds[by.who], by.kind, remember),
);

const passkeySignInStep = step('passkeySignIn', remembering, async (world, { by: { who }, remember }) => {
  const mind = world.minds[who];
  if (mind.credentials.size === 0) return;
  const asked = await world.call(passkeySignIn.startPasskeySignIn, { body: {} });
  const answer = mind.device.force(asked.data);
  const body = { passkey: answer, remember };
  const done = await world.call(passkeySignIn.finishPasskeySignIn, { body }, 2);
  assert.equal(done.isDone, world.truth.passkeys.has(answer.id), `signing in with a passkey: ${done.code}`);
  if (!done.isDone) return;
  keepTwoFactor(world);
  begin(world, mind, done.data.access_token, remember);
  assert(
    !(await world.call(passkeySignIn.finishPasskeySignIn, { body })).isDone,
    'an answer of a passkey signed in twice',
  );
});

const signOut = step('signOut', fc.record({ by: byWhom, all: fc.boolean() }), async (world, { by, all }) => {
  const { token } = await actorOf(world, by);
  const { truth, dead } = world;
  const done = await world.call(all ? account.endOtherSessions : identity.logout, { token, body: {} });
  assert(done.isDone === truth.live.has(token) || done.isDone, `signing out: ${done.code}`);
  if (!truth.live.has(token)) return;
  for (const one of truth.live.keys())
    if ((one === token) !== all) {
      truth.live.delete(one);
      dead.add(one);
    }
});

// ---- password ----

export const changePassword = step('changePassword', byWhom, async (world, by) => {
  const { mind, token } = await actorOf(world, by);
  const factor = await factorOf(world, mind, token, by.kind);
  const password = newPassword();
  const body = { current_password: mind.password, password, ...given(factor) };
  const done = await attempt(world, {
    row: identity.changePassword,
    mind,
    token,
    password: mind.password,
    factor,
    body,
  });
  if (done === undefined) return;
  world.truth.password = password;
  mind.password = password;
  changeSecurity(world, token);
});

/** Asks for a reset; the code, for who reads the mailbox. */
export async function sendResetCode(world: World, mind: Mind): Promise<string | undefined> {
  const { truth, referralCode } = world;
  world.clock.advance(61);
  await world.call(identity.forgotPassword, { body: { loginId: referralCode } });
  await answerResetRequests(world.context);
  const mail = (await world.readMails()).find(({ to_address }) => to_address === truth.email);
  const code = new RegExp(`Id ${referralCode} is (\\d{6})\\.`).exec(mail?.text ?? '')?.[1];
  return mind.mailboxes.has(truth.email) ? code : undefined;
}

export const reset = step(
  'resetPassword',
  fc.record({ by: byWhom, late: fc.constantFrom(0, 0, 0, 11 * 60, 16 * 60) }),
  async (world, { by, late }) => {
    const { truth, referralCode, call, clock } = world;
    const mind = world.minds[by.who];
    const otp = await sendResetCode(world, mind);
    const canRead = otp !== undefined;
    if (late === 11 * 60) clock.advance(late);
    const verify = { purpose: 'reset_password', loginId: referralCode, otp: otp ?? '000000' };
    const verified = await call(identity.verifyOtp, { body: verify }, 2);
    if (!verified.isDone) {
      assert(
        !canRead || late === 11 * 60 || verified.code === 'too_many_requests',
        `a right reset code was refused: ${verified.code}`,
      );
      return;
    }
    assert(canRead && late !== 11 * 60, 'a wrong or old reset code was accepted');
    assert(!(await call(identity.verifyOtp, { body: verify })).isDone, 'a reset code worked twice');
    if (late === 16 * 60) clock.advance(late);
    const password = newPassword();
    const body = { reset_token: verified.data.reset_token, password };
    const audited = await world.countAudit();
    const done = await call(identity.resetPassword, { body }, 2);
    assert.equal(done.isDone, late === 0, `resetting the password: ${done.code}`);
    if (!done.isDone) return;
    assert((await world.countAudit()) > audited && world.mailsOf(truth.email).length > 0, 'a reset was not told');
    truth.password = password;
    mind.password = password;
    changeSecurity(world, undefined);
    assert(!(await call(identity.resetPassword, { body })).isDone, 'a reset token worked twice');
  },
);

export const signInSteps: [number, fc.Arbitrary<Step>][] = [
  [8, signIn],
  [2, passkeySignInStep],
  [2, signOut],
  [4, changePassword],
  [3, reset],
];
