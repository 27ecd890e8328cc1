import assert from 'node:assert';
import { base32nopad } from '@scure/base';
import fc from 'fast-check';
import { account, passkeys, withdrawals } from '#contract/endpoints.ts';
import {
  attempt,
  changeSecurity,
  endProposals,
  type FactorKind,
  isOn,
  keepTwoFactor,
  MINUTES,
  noteMailed,
  readCode,
} from './proof.ts';
import { actorOf, byWhom, draw, factorOf, given, type Step, signInSteps, step } from './sign-in-steps.ts';
import {
  FOREIGN_ADDRESS,
  FOREIGN_MAILBOX,
  HOUR,
  type Mind,
  OWN_ADDRESS,
  OWN_MAILBOX,
  SECOND_MAILBOX,
  type World,
} from './world.ts';

// ---- two-factor authentication ----

export async function sendCode(
  world: World,
  token: string,
  query: Record<string, string>,
  details: string,
): Promise<void> {
  world.clock.advance(61);
  const purpose = query.purpose ?? '';
  const sent = await world.call(withdrawals.sendOtp, { token, query });
  if (!sent.isDone) return;
  assert(world.truth.live.has(token), 'a code was sent without a sign-in');
  const codeIn = (mailbox: string, about: string) =>
    /The code is (\d{6})\./.exec(world.mailsOf(mailbox).find(({ text }) => text.includes(about))?.text ?? '')?.[1] ??
    '';
  if (purpose === 'email') {
    noteMailed(world, 'email', codeIn(details, 'confirms the email address'), details);
    noteMailed(world, 'old_email', codeIn(world.truth.email, 'changes to'), details);
  } else noteMailed(world, purpose, codeIn(world.truth.email, 'With this code'), details);
}

/** What starting a further or a first factor takes. */
export async function factorStart(world: World, mind: Mind, token: string, kind: FactorKind) {
  if (isOn(world)) {
    const factor = await factorOf(world, mind, token, kind);
    return { body: { password: mind.password, ...given(factor) }, factor, password: mind.password };
  }
  await sendCode(world, token, { purpose: 'second_factor' }, '');
  const code = readCode(world, mind, 'second_factor', world.truth.email);
  return {
    body: { password: mind.password, otp: code },
    password: mind.password,
    codes: [{ purpose: 'second_factor', details: '', code }],
  };
}

function keepCodes(world: World, mind: Mind, codes: string[] | null): void {
  if (codes === null) return;
  const { truth, spent } = world;
  spent.recovery.push(...truth.recovery);
  truth.recovery.clear();
  for (const code of codes) truth.recovery.add(code);
  mind.recovery = [...codes];
}

const addApp = step(
  'addApp',
  fc.record({ by: byWhom, late: fc.constantFrom(0, 0, 0, 31 * 60) }),
  async (world, { by, late }) => {
    const { truth } = world;
    const { mind, token } = await actorOf(world, by);
    const start = await factorStart(world, mind, token, by.kind);
    const started = await attempt(world, {
      row: account.startTotp,
      mind,
      token,
      ...start,
      may: truth.app === undefined,
      isMailed: false,
    });
    if (started === undefined) return;
    const secret = base32nopad.decode(started.secret);
    truth.pending = { secret, at: world.now() };
    world.clock.advance(31 + late);
    const hadNone = !isOn(world);
    const may = truth.pending.at + 30 * MINUTES > world.now();
    const body = { otp: world.appCode(secret) };
    const done = await attempt(world, { row: account.confirmTotp, mind, token, body, may });
    if (done === undefined) return assert(!may || !truth.live.has(token), 'a set-up ended early');
    keepTwoFactor(world);
    truth.app = { secret, usedStep: Math.floor(world.now() / 30_000) };
    mind.secrets.push(secret);
    assert.equal(done.recovery_codes === null, !hadNone, 'recovery codes come with the first factor');
    keepCodes(world, mind, done.recovery_codes);
    changeSecurity(world, token);
  },
);

export const addPasskey = step('addPasskey', byWhom, async (world, by) => {
  const { truth } = world;
  const { mind, token } = await actorOf(world, by);
  const start = await factorStart(world, mind, token, by.kind);
  const started = await attempt(world, { row: passkeys.startPasskey, mind, token, ...start, isMailed: false });
  if (started === undefined) return;
  const passkey = mind.device.create(started);
  const hadNone = !isOn(world);
  const body = { name: 'Laptop', passkey };
  const done = await attempt(world, { row: passkeys.addPasskey, mind, token, body });
  if (done === undefined) return assert.fail('a passkey that was just made was refused');
  keepTwoFactor(world);
  const listed = await world.call(passkeys.listPasskeys, { token });
  truth.passkeys.set(passkey.id, listed.data.at(-1).id);
  mind.credentials.add(passkey.id);
  assert.equal(done.recovery_codes === null, !hadNone, 'recovery codes come with the first factor');
  keepCodes(world, mind, done.recovery_codes);
  changeSecurity(world, token);
});

function removed(world: World, token: string): void {
  if (!isOn(world)) {
    world.spent.recovery.push(...world.truth.recovery);
    world.truth.recovery.clear();
  }
  changeSecurity(world, token);
}

export const removeFactor = step(
  'removeFactor',
  fc.record({ by: byWhom, app: fc.boolean() }),
  async (world, { by, app }) => {
    const { truth } = world;
    const { mind, token } = await actorOf(world, by);
    const factor = await factorOf(world, mind, token, by.kind);
    const [credential, id] = [...truth.passkeys][by.which % Math.max(1, truth.passkeys.size)] ?? ['', '999'];
    const body = { password: mind.password, ...given(factor) };
    const rest = { mind, token, body, password: mind.password, factor };
    const done = app
      ? await attempt(world, { row: account.disableTotp, ...rest, may: truth.app !== undefined })
      : await attempt(world, { row: passkeys.removePasskey, id, ...rest, may: credential !== '' });
    if (done === undefined) return;
    if (app) truth.app = undefined;
    else truth.passkeys.delete(credential);
    removed(world, token);
  },
);

export const renewCodes = step('renewCodes', byWhom, async (world, by) => {
  const { mind, token } = await actorOf(world, by);
  const factor = await factorOf(world, mind, token, by.kind);
  const body = { password: mind.password, ...given(factor) };
  const done = await attempt(world, {
    row: account.renewRecoveryCodes,
    mind,
    token,
    body,
    password: mind.password,
    factor,
    may: isOn(world),
  });
  if (done === undefined) return;
  keepCodes(world, mind, done.recovery_codes);
  changeSecurity(world, token);
});

// ---- email address ----

export const emailStep = step(
  'email',
  fc.record({ by: byWhom, how: fc.constantFrom('change', 'request', 'request', 'withdraw') }),
  async (world, { by, how }) => {
    const { truth } = world;
    const { mind, token } = await actorOf(world, by);
    if (how === 'withdraw') {
      const may = truth.emailRequest !== undefined;
      if ((await attempt(world, { row: account.withdrawEmailRequest, mind, token, body: {}, may })) === undefined)
        return;
      return endRequest(world);
    }
    const own = truth.email === OWN_MAILBOX ? SECOND_MAILBOX : OWN_MAILBOX;
    const email = mind.name === 'thief' ? FOREIGN_MAILBOX : own;
    if (email === truth.email) return;
    await sendCode(world, token, { purpose: 'email', email }, email);
    const factor = await factorOf(world, mind, token, by.kind);
    const codes = [{ purpose: 'email', details: email, code: readCode(world, mind, 'email', email) }];
    if (how === 'change')
      codes.push({ purpose: 'old_email', details: email, code: readCode(world, mind, 'old_email', truth.email) });
    const [otp, old] = codes.map(({ code }) => code);
    const body = {
      email,
      otp,
      password: mind.password,
      ...(how === 'change' ? { old_otp: old } : {}),
      ...given(factor),
    };
    const rest = { mind, token, body, codes, factor, password: mind.password };
    if (how === 'request') {
      const may = !truth.isFrozen && truth.emailRequest === undefined;
      const done = await attempt(world, { row: account.requestEmailChange, ...rest, may });
      if (done !== undefined) truth.emailRequest = email;
      return;
    }
    if ((await attempt(world, { row: account.changeEmail, ...rest, may: !truth.isFrozen })) === undefined) return;
    endRequest(world);
    moveTo(world, email);
    changeSecurity(world, token);
  },
);

/** Emails about security also go to former mailboxes, for a week. */
export function moveTo(world: World, email: string): void {
  const { truth } = world;
  truth.formerEmails.set(truth.email, world.now() + 7 * 24 * HOUR * 1000);
  truth.email = email;
}

export function endRequest({ truth }: World): void {
  truth.emailRequest = undefined;
  endProposals(truth.proposals, ({ what }) => what === 'email_change');
}

// ---- money ----

/** Mostly at once; after eleven minutes an emailed code is too old. */
const late = fc.constantFrom(0, 0, 0, 0, 0, 11 * 60);

const saveAddress = step('saveAddress', fc.record({ by: byWhom, late }), async (world, drawn) => {
  const { by } = drawn;
  const { truth } = world;
  const { mind, token } = await actorOf(world, by);
  const address = mind.name === 'thief' ? FOREIGN_ADDRESS : OWN_ADDRESS;
  const details = `TRC20/${address}`;
  await sendCode(world, token, { purpose: 'address', network: 'TRC20', address }, details);
  world.clock.advance(drawn.late);
  const factor = await factorOf(world, mind, token, by.kind);
  const code = readCode(world, mind, 'address', truth.email);
  const body = { network: 'TRC20', address, otp: code, ...given(factor) };
  const codes = [{ purpose: 'address', details, code }];
  const may = !truth.isFrozen && !truth.isStopped && truth.emailRequest === undefined;
  const done = await attempt(world, { row: withdrawals.updateAddress, mind, token, body, codes, factor, may });
  if (done === undefined) return;
  truth.address = { address, at: world.now(), by: mind.name };
});

const withdraw = step(
  'withdraw',
  fc.record({
    by: byWhom,
    late,
    dollars: fc.constantFrom(50, 700, 5000),
    isOther: fc.constantFrom(false, false, false, false, true),
  }),
  async (world, drawn) => {
    const { by, dollars, isOther } = drawn;
    const { truth } = world;
    const { mind, token } = await actorOf(world, by);
    const address = truth.address?.address ?? '';
    const detailsOf = (amount: number) => `${amount}000000/primary/TRC20/${address}`;
    await sendCode(
      world,
      token,
      { purpose: 'withdrawal', amount: `${dollars}`, wallet_type: 'primary' },
      detailsOf(dollars),
    );
    world.clock.advance(drawn.late);
    const amount = isOther ? dollars + 1 : dollars;
    const factor = await factorOf(world, mind, token, by.kind);
    const code = readCode(world, mind, 'withdrawal', truth.email);
    const body = { amount, wallet_type: 'primary', otp: code, ...given(factor) };
    const usableAt = Math.max(truth.securityAt, truth.address?.at ?? Number.POSITIVE_INFINITY) + 24 * HOUR * 1000;
    const may = !truth.isFrozen && !truth.isStopped && truth.emailRequest === undefined && usableAt <= world.now();
    const key = `withdraw-${draw()}`;
    const codes = [{ purpose: 'withdrawal', details: detailsOf(amount), code }];
    const done = await attempt(world, {
      row: withdrawals.requestWithdrawal,
      mind,
      token,
      body,
      key,
      codes,
      factor,
      may,
    });
    if (done === undefined) return;
    assert.equal(done.address, address);
    truth.withdrawals.set(done.id, { address, approvals: new Set(), state: 'requested' });
  },
);

const cancel = step('cancel', byWhom, async (world, by) => {
  const { token } = await actorOf(world, by);
  const [id, one] = [...world.truth.withdrawals][by.which % Math.max(1, world.truth.withdrawals.size)] ?? [];
  if (id === undefined || one === undefined) return;
  const done = await world.call(withdrawals.cancelWithdrawal, { token, id });
  const may = one.state === 'requested' && world.truth.live.has(token);
  assert.equal(done.isDone, may, `cancelling: ${done.code}`);
  if (done.isDone) one.state = 'cancelled';
});

const notMe = step('notMe', byWhom, async (world, { who, which }) => {
  const { truth, links } = world;
  const readable = links.filter(({ mailbox }) => world.minds[who].mailboxes.has(mailbox));
  const link = readable[which < 8 ? readable.length - 1 : which % Math.max(1, readable.length)];
  if (link === undefined) return;
  const done = await world.call(withdrawals.reportAddressChange, { body: { token: link.token } });
  assert.equal(done.isDone, world.now() < link.at + 30 * 24 * HOUR * 1000, `This was not me: ${done.code}`);
  if (!done.isDone) return;
  truth.isStopped = true;
  endRequest(world);
  keepTwoFactor(world, true);
  endProposals(truth.proposals, ({ what }) => what === 'lift_withdrawal_stop');
});

/** The owner reads out a code on the telephone, loses the device and all codes, or learns the password by a reset later. */
const mishap = step('mishap', fc.constantFrom('phished', 'phished', 'lost'), async ({ minds, appCode }, what) => {
  const { owner, thief } = minds;
  const secret = owner.secrets.at(-1);
  if (what === 'phished' && secret !== undefined) thief.phished.push(appCode(secret));
  if (what === 'lost') {
    owner.secrets = [];
    owner.recovery = [];
    owner.credentials.clear();
  }
});

export const memberSteps: [number, fc.Arbitrary<Step>][] = [
  ...signInSteps,
  [5, addApp],
  [4, addPasskey],
  [4, removeFactor],
  [3, renewCodes],
  [5, emailStep],
  [5, saveAddress],
  [9, withdraw],
  [2, cancel],
  [2, notMe],
  [2, mishap],
];
