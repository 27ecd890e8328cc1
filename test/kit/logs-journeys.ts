import assert from 'node:assert';
import { base32nopad } from '@scure/base';
import { sql } from 'kysely';
import { answerResetRequests } from '#server/accounts/index.ts';
import type { Context } from '#server/context.ts';
import { signatureHeader, signBody } from '#server/funds/deposits/webhook-signature.ts';
import { makePng, pngChunk } from '#server/tickets/attachment-files.test-setup.ts';
import type { testClock } from '#test/worlds/builders.ts';
import { giveFunds } from '#test/worlds/members.ts';
import { codeAt, makeOperator, OPERATOR_PASSWORD } from '#test/worlds/operators.ts';
import { openLiveClient } from './live-client.ts';

export type Reply = {
  readonly status: number;
  readonly requestId: string;
  readonly data: Record<string, string>;
  readonly text: string;
};

/** A browser at a running server, with a record of everything that must never appear in a log. */
export type Visit = {
  readonly origin: string;
  readonly context: Context;
  readonly clock: ReturnType<typeof testClock>;
  /** Records a secret under a name, and returns it. */
  readonly plant: (name: string, secret: string) => string;
  readonly ask: (
    method: string,
    path: string,
    options?: { token?: string; body?: unknown; headers?: Record<string, string> },
  ) => Promise<Reply>;
  /** The same, where the call must succeed. */
  readonly well: (...args: Parameters<Visit['ask']>) => Promise<Record<string, string>>;
};

const mobile = '+919876501234';
const email = 'sigrid.hollow@mail.test';
const password = 'an umbrella in Bergen';
const newPassword = 'two umbrellas in Oslo';
const payTo = 'TJRabPrwbZy45sbavfcjinPJC18kjpRTv8';

/** The match in the member's latest email that has one. */
async function findInMail(visit: Visit, pattern: RegExp): Promise<string> {
  const { rows } = await sql<{ text: string }>`
    select text from notify.mail where to_address = ${email} order by id`.execute(visit.context.db);
  const found = pattern.exec(rows.findLast((row) => pattern.test(row.text))?.text ?? '')?.[1];
  assert(found !== undefined, `no mail has ${pattern}`);
  return found;
}

/** Another code than this. */
const otherThan = (code: string) => (code === '906142' ? '906143' : '906142');

/** Signs up, signs in with and without a second factor, and resets the password. @returns the signed-in member */
export async function visitAccount(visit: Visit): Promise<{ token: string; code: () => string }> {
  const { ask, well, plant, clock } = visit;
  plant('mail address', email);
  plant('mobile number', mobile);
  const { referral_code: loginId = '' } = await well('POST', 'auth/register', {
    body: {
      referralCode: 'TRADEWIND',
      mobile_number: mobile,
      name: plant('name', 'Sigrid Hollow'),
      email,
      password: plant('password', password),
    },
  });
  const login = (word: string) => ask('POST', 'auth/login', { body: { loginId, password: word, remember: true } });
  assert.equal((await login(plant('wrong password', 'no umbrella at all'))).status, 422);
  const first = plant('token', String((await login(password)).data.access_token));
  await well('GET', 'auth/me', { token: first });

  const mailed = await mailedCode(visit, first, 'purpose=second_factor');
  const { secret = '', uri = '' } = await well('POST', 'auth/totp/start', {
    token: first,
    body: { password, otp: mailed },
  });
  plant('secret of the app', secret);
  plant('address of the app', uri);
  const code = () => plant('code of the app', codeAt(base32nopad.decode(secret), clock.now()));
  const set = await well('POST', 'auth/totp/confirm', { token: first, body: { otp: code() } });
  const recoveryCodes = set.recovery_codes as unknown as string[];
  for (const one of recoveryCodes) plant('recovery code', one);
  await well('POST', 'auth/logout', { token: first });

  const half = plant('challenge', String((await login(password)).data.challenge));
  const verify = (proof: object) => ask('POST', 'auth/otp-verify', { body: { purpose: 'login', ...proof } });
  assert.equal((await verify({ challenge: half, otp: plant('wrong code', otherThan(code())) })).status, 422);
  const second = await verify({ challenge: half, recovery_code: recoveryCodes[3] });
  plant('second token', String(second.data.access_token));
  plant('device token', String(second.data.device_token));

  clock.advance(60);
  await well('POST', 'auth/forgot-password', { body: { loginId } });
  await answerResetRequests(visit.context);
  const otp = plant('code of the reset', await findInMail(visit, /is (\d{6})\./));
  const prove = (digits: string) =>
    ask('POST', 'auth/otp-verify', { body: { purpose: 'reset_password', loginId, otp: digits } });
  assert.equal((await prove(otherThan(otp))).status, 422);
  const resetToken = plant('reset token', String((await prove(otp)).data.reset_token));
  await well('POST', 'auth/reset-password', {
    body: { reset_token: resetToken, password: plant('new password', newPassword) },
  });
  clock.advance(60);
  const last = plant('last challenge', String((await login(newPassword)).data.challenge));
  const token = plant('last token', String((await verify({ challenge: last, otp: code() })).data.access_token));
  return { token, code };
}

/** Requests the email code for an operation. */
async function mailedCode(visit: Visit, token: string, query: string): Promise<string> {
  visit.clock.advance(60);
  await visit.well('GET', `auth/send-otp?${query}`, { token });
  return visit.plant(`code for ${query}`, await findInMail(visit, /The code is (\d{6})\./));
}

/** Saves a payout address, deposits and withdraws; an operator approves. */
export async function visitMoney(visit: Visit, member: { token: string; code: () => string }): Promise<void> {
  const { ask, well, plant, clock, context } = visit;
  const { token } = member;
  plant('payout address', payTo);
  const about = `purpose=address&network=TRC20&address=${payTo}`;
  const otp = await mailedCode(visit, token, about);
  await well('PUT', 'auth/update-address', {
    token,
    body: { network: 'TRC20', address: payTo, otp, second_factor: member.code() },
  });
  plant('alarm of the address', await findInMail(visit, /not-me#(\S+)/));
  clock.advance(25 * 3600);

  const secret = context.config.sandboxSecret as string;
  const event = JSON.stringify({ type: 'InvoiceSettled', invoiceId: plant('invoice', 'inv_9f3kQ2mZ7xW1') });
  const deliver = (signature: string) =>
    ask('POST', 'webhooks/sandbox', { body: event, headers: { [signatureHeader]: plant('signature', signature) } });
  assert.equal((await deliver(signBody(secret, Buffer.from(event)))).status, 200);
  assert.equal((await deliver(signBody('a guess that is wrong', Buffer.from(event)))).status, 401);

  const { rows } = await sql<{ id: bigint }>`
    select id from identity.member where email = ${email}`.execute(context.db);
  await giveFunds(context, rows[0]?.id as bigint, 900_000_000n);
  const code = await mailedCode(visit, token, 'purpose=withdrawal&amount=100&wallet_type=primary');
  const order = { amount: 100, wallet_type: 'primary' };
  const request = (digits: string) =>
    ask('POST', 'safe/withdrawal', { token, body: { ...order, otp: digits, second_factor: member.code() } });
  assert.equal((await request(otherThan(code))).status, 422);
  const made = await request(code);
  assert.equal(made.status, 200);
  await visitOffice(visit, String(made.data.id));
}

/** An operator signs in with a second factor and approves the withdrawal. */
async function visitOffice(visit: Visit, withdrawalId: string): Promise<void> {
  const { ask, well, plant, context } = visit;
  const operator = await makeOperator(context, 'finance');
  plant('password of an operator', OPERATOR_PASSWORD);
  plant('secret of an operator', base32nopad.encode(operator.secret));
  plant('mail address of an operator', operator.email);
  const login = (word: string) => ask('POST', 'operator/login', { body: { email: operator.email, password: word } });
  assert.equal((await login(plant('wrong password of an operator', 'gale force ten'))).status, 422);
  const challenge = plant('challenge of an operator', String((await login(OPERATOR_PASSWORD)).data.challenge));
  const otp = plant('code of an operator', await operator.code());
  const verify = (digits: string) => ask('POST', 'operator/otp-verify', { body: { challenge, otp: digits } });
  assert.equal((await verify(otherThan(otp))).status, 422);
  const token = plant('token of an operator', String((await verify(otp)).data.access_token));
  const approve = { version: 1, otp: plant('second code of an operator', await operator.code()) };
  await well('POST', `operator/withdrawals/${withdrawalId}/approve`, { token, body: approve });
}

/** Writes a ticket with a picture, and opens a live connection. */
export async function visitSupport(visit: Visit, { token }: { token: string }): Promise<void> {
  const { well, plant, origin } = visit;
  const picture = makePng(pngChunk('prVt', plant('what a picture holds', 'a passport in the picture')));
  const content = plant('picture', picture.toString('base64'));
  await well('POST', 'ticket/create', {
    token,
    body: {
      subject: plant('subject of a ticket', 'My lost wallet, please'),
      category: 'account',
      message: plant('message of a ticket', 'The seed words are hidden at home.'),
      attachments: [{ name: plant('name of a file', 'passport-of-sigrid.png'), type: 'image/png', content }],
    },
  });
  const socket = await openLiveClient(origin, token);
  socket.close();
  await socket.closed;
  const refused = await openLiveClient(origin, plant('foreign token', 'q'.repeat(43)));
  await refused.closed;
}
