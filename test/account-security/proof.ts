import assert from 'node:assert';
import { verifySync } from 'otplib';
import type { Endpoint } from '#contract/endpoint.ts';
import { passkeys } from '#contract/endpoints.ts';
import type { Outcome } from '#test/worlds/calls.ts';
import type { Mailed, Mind, World } from './world.ts';

export type FactorKind = 'best' | 'app' | 'passkey' | 'recovery' | 'none' | 'guess' | 'spent' | 'phished';
export const MINUTES = 60_000;

export const isOn = ({ truth }: World): boolean => truth.app !== undefined || truth.passkeys.size > 0;

/** A second factor, and what its use changes; `isRight` only when the account would have to accept it. */
export type Factor = { readonly value: unknown; readonly isRight: boolean; readonly use: () => void };

const wrong = (value: unknown): Factor => ({
  value,
  isRight: false,
  use: () => assert.fail('a wrong second factor was accepted'),
});

/** Whether the last call emailed the stop link to each mailbox that the owner may still read. */
export function isOwnerTold(world: World, about = '', mailboxes = boxesOf(world)): boolean {
  return mailboxes.every((box) =>
    world.mailsOf(box).some(({ text }) => text.includes('/not-me#') && text.includes(about)),
  );
}
export const boxesOf = ({ truth, now }: World): string[] => [
  truth.email,
  ...[...truth.formerEmails].filter(([, until]) => now() < until).map(([email]) => email),
];

/** The time step of a code, if it is new enough. */
function findStep(world: World, secret: Uint8Array, token: string): number | undefined {
  const epoch = Math.floor(world.now() / 1000);
  const found = verifySync({ secret, token, epoch, epochTolerance: 30 });
  return found.valid ? Math.floor(epoch / 30) + found.delta : undefined;
}

function appFactor(world: World, code: string): Factor {
  const { app } = world.truth;
  const step = app && findStep(world, app.secret, code);
  if (app === undefined || step === undefined || step <= app.usedStep) return wrong(code);
  return {
    value: code,
    isRight: true,
    use: () => {
      app.usedStep = step;
    },
  };
}

function recoveryFactor(world: World, code: string): Factor {
  const { truth, spent, minds } = world;
  if (!truth.recovery.has(code)) return wrong(code);
  return {
    value: code,
    isRight: true,
    use: () => {
      assert(isOwnerTold(world, 'recovery code'), 'a used recovery code was not told');
      truth.recovery.delete(code);
      spent.recovery.push(code);
      for (const mind of Object.values(minds)) mind.recovery = mind.recovery.filter((one) => one !== code);
    },
  };
}

/** @param ask for the options of a passkey */
export async function drawFactor(
  world: World,
  mind: Mind,
  kind: FactorKind,
  ask: () => Promise<Outcome>,
): Promise<Factor> {
  const { truth } = world;
  if (kind === 'best') {
    for (const one of ['app', 'passkey', 'phished', 'recovery'] as const) {
      const factor = await drawFactor(world, mind, one, ask);
      if (factor.isRight) return factor;
    }
    return wrong(isOn(world) ? '000000' : undefined);
  }
  if (kind === 'app') {
    const secret = mind.secrets.at(-1);
    return secret === undefined ? wrong('000000') : appFactor(world, world.appCode(secret));
  }
  if (kind === 'phished') return appFactor(world, mind.phished.at(-1) ?? '000000');
  if (kind === 'recovery') return recoveryFactor(world, mind.recovery.at(-1) ?? 'AAAA-AAAA-AAAA-AAAA');
  if (kind === 'spent') return recoveryFactor(world, world.spent.recovery.at(-1) ?? 'AAAA-AAAA-AAAA-AAAA');
  if (kind === 'passkey') {
    if (mind.credentials.size === 0) return wrong('000000');
    const asked = await ask();
    if (!asked.isDone) return wrong('000000');
    const allowed = (asked.data.allowCredentials as { id: string }[]).map(({ id }) => id);
    const has = allowed.length === 0 || allowed.some((id) => mind.credentials.has(id));
    const answer = has ? mind.device.get(asked.data) : mind.device.force(asked.data);
    if (!truth.passkeys.has(answer.id)) return wrong(answer);
    return { value: answer, isRight: true, use: () => undefined };
  }
  return wrong(kind === 'none' ? undefined : '000000');
}

export const askForPasskey = (world: World, token: string) => () =>
  world.call(passkeys.askPasskey, { token, body: {} });

/** The owner, or somebody, has a factor: it is not lost. */
export function keepTwoFactor({ truth }: World, isReport = false): void {
  if (truth.isFrozen && !isReport) return;
  endProposals(truth.proposals, ({ what }) => what === 'turn_off_two_factor');
}

export function endProposals(all: World['truth']['proposals'], isMoot: (one: (typeof all)[number]) => boolean): void {
  for (const one of all)
    if ((one.state === 'proposed' || one.state === 'approved') && isMoot(one)) one.state = 'withdrawn';
}

/** What every change of password, email address and second factor brings. `kept` is the sign-in that stays. */
export function changeSecurity(world: World, kept: string | undefined): void {
  const { truth, dead } = world;
  truth.securityAt = world.now();
  truth.mailed.clear();
  truth.pending = undefined;
  for (const token of truth.live.keys())
    if (token !== kept) {
      truth.live.delete(token);
      dead.add(token);
    }
}

/** The code last emailed for this, as somebody reads it who has the mailbox. */
export function readCode(world: World, mind: Mind, purpose: string, mailbox: string): string {
  return mind.mailboxes.has(mailbox) ? (world.truth.mailed.get(purpose)?.code ?? '000000') : '000000';
}
export function isRightCode(world: World, purpose: string, details: string, code: string): boolean {
  const mailed = world.truth.mailed.get(purpose);
  return (
    mailed !== undefined &&
    mailed.code === code &&
    mailed.details === details &&
    world.now() < mailed.at + 10 * MINUTES &&
    mailed.tries < 5
  );
}
export const noteMailed = (world: World, purpose: string, code: string, details: string): void => {
  const mailed: Mailed = { code, details, at: world.now(), tries: 0 };
  world.truth.mailed.set(purpose, mailed);
};

export const proofCodes = new Set([
  ...['wrong_password', 'wrong_otp', 'wrong_second_factor', 'second_factor_required', 'passkey_refused'],
  ...['session_required', 'wrong_login', 'sign_in_expired', 'wrong_reset_token', 'wrong_alarm'],
]);

type Attempt = {
  readonly row: Endpoint;
  readonly mind: Mind;
  readonly token: string;
  readonly id?: string;
  readonly body: object;
  readonly key?: string;
  readonly password?: string;
  readonly factor?: Factor;
  /** Emailed codes with what they have to be for. */
  readonly codes?: readonly { purpose: string; details: string; code: string }[];
  /** Another condition of the documents. */
  readonly may?: boolean;
  /** Whether emails tell of it, to the address of before. */
  readonly isMailed?: boolean;
};

/**
 * Sends a call of a member, which must be done only with every proof that the documents name, and must not be refused
 * for its proofs when they are right.
 *
 * @returns the reply of a done call, whose proofs are used up
 */
export async function attempt(world: World, given: Attempt): Promise<Outcome['data'] | undefined> {
  const { truth } = world;
  const { row, mind, token, id, body, key, password, factor, codes = [], may = true, isMailed = true } = given;
  const needs = {
    session: truth.live.has(token),
    password: password === undefined || password === truth.password,
    factor: factor === undefined || !isOn(world) || factor.isRight,
    codes: codes.every(({ purpose, details, code }) => isRightCode(world, purpose, details, code)),
    may,
  };
  const to = boxesOf(world);
  const audited = await world.countAudit();
  world.sent.count += 1;
  const sent = { token, body, ...(id === undefined ? {} : { id }), ...(key === undefined ? {} : { key }) };
  const outcome = await world.call(row, sent, world.sent.count % 3 === 0 ? 2 : 1);
  const proofs = `${mind.name}: ${row.summary}: ${JSON.stringify(needs)} ${outcome.code}`;
  if (!outcome.isDone) {
    const isProven = needs.session && needs.password && needs.factor && needs.codes;
    const isSure = codes.every(({ purpose }) => truth.mailed.get(purpose)?.tries === 0);
    for (const { purpose } of codes) {
      const mailed = truth.mailed.get(purpose);
      if (mailed !== undefined)
        mailed.tries += outcome.code === 'wrong_otp' || outcome.code === 'wrong_second_factor' ? 1 : 0;
    }
    assert(!(isProven && isSure && proofCodes.has(outcome.code)), `right proofs were refused: ${proofs}`);
    return undefined;
  }
  assert(Object.values(needs).every(Boolean), `done without every proof: ${proofs}`);
  if (isOn(world) && factor !== undefined) {
    factor.use();
    keepTwoFactor(world);
  }
  for (const { purpose } of codes) truth.mailed.delete(purpose);
  assert((await world.countAudit()) > audited, `not in the audit log: ${proofs}`);
  if (isMailed) assert(isOwnerTold(world, '', to), `not emailed: ${proofs}`);
  world.done.count += 1;
  if (world.done.count % 3 === 0) {
    const again = await world.call(row, { ...sent, key: `again-${world.done.count}` });
    assert(!again.isDone, `done twice with the same proofs: ${proofs}`);
  }
  return outcome.data ?? {};
}
