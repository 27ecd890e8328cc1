import assert from 'node:assert';
import { sql } from 'kysely';
import type { Endpoint } from '#contract/endpoint.ts';
import { mountEmailChanges, mountOperators } from '#server/accounts/index.ts';
import { inTransaction } from '#server/db/tx.ts';
import { mountLoosenings, mountOperatorPayouts, mountWithdrawals, saveAddress } from '#server/funds/index.ts';
import { mountConsole } from '#server/operator/index.ts';
import { bootWithoutMarket } from '#test/kit/boot.ts';
import { testApp } from '#test/worlds/app.ts';
import { makeAuthenticator } from '#test/worlds/authenticator.ts';
import { type Given, type Outcome, sendCall } from '#test/worlds/calls.ts';
import { giveFunds, mountAccounts, signUp, TEST_PASSWORD } from '#test/worlds/members.ts';
import { codeAt, makeOperator } from '#test/worlds/operators.ts';

export const OWN_ADDRESS = 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t';
export const FOREIGN_ADDRESS = 'TXYZopYRdj2D9XRtbG411XZZ3kM5VkAeBf';
export const OWN_MAILBOX = 'owner@example.com';
export const SECOND_MAILBOX = 'owner.new@example.com';
export const FOREIGN_MAILBOX = 'thief@example.net';
export const HOUR = 3600;
export const DAY = 24 * HOUR;

/** What somebody knows and has. It may be wrong by now. */
export type Mind = {
  readonly name: 'owner' | 'thief';
  password: string;
  tokens: string[];
  readonly mailboxes: Set<string>;
  /** Secrets of authenticator apps. */
  secrets: Uint8Array[];
  device: ReturnType<typeof makeAuthenticator>;
  readonly credentials: Set<string>;
  recovery: string[];
  /** Codes of the owner's app that were read out on the telephone. */
  phished: string[];
};

export type Mailed = { readonly code: string; readonly details: string; readonly at: number; tries: number };
export type Proposed = {
  readonly id: string;
  readonly what: 'unfreeze' | 'lift_withdrawal_stop' | 'turn_off_two_factor' | 'email_change';
  readonly by: bigint;
  state: 'proposed' | 'approved' | 'posted' | 'withdrawn' | 'rejected';
  dueAt: number;
};

/** The account as docs/product.md says that it has to be now. */
export type Truth = {
  password: string;
  email: string;
  /** Former mailboxes, each with the time until which it hears of changes. */
  readonly formerEmails: Map<string, number>;
  app: { readonly secret: Uint8Array; usedStep: number } | undefined;
  /** The set-up of an app that waits for its first code, or of a passkey. */
  pending: { readonly secret: Uint8Array; readonly at: number } | undefined;
  /** Credential ids. */
  readonly passkeys: Map<string, string>;
  readonly recovery: Set<string>;
  readonly mailed: Map<string, Mailed>;
  /** Tokens and their last use. */
  readonly live: Map<string, number>;
  /** Tokens of sign-ins with *Remember Me*. */
  readonly remembered: Set<string>;
  securityAt: number;
  address: { readonly address: string; readonly at: number; readonly by: string } | undefined;
  isFrozen: boolean;
  isStopped: boolean;
  emailRequest: string | undefined;
  readonly proposals: Proposed[];
  readonly withdrawals: Map<string, { readonly address: string; readonly approvals: Set<bigint>; state: string }>;
};

type Mail = { readonly id: bigint; readonly to_address: string; readonly subject: string; readonly text: string };
export type Link = { readonly token: string; readonly mailbox: string; readonly at: number };

export type World = Awaited<ReturnType<typeof openWorld>>;

/** A member with money and an old payout address, a thief with nothing yet, and three operators. */
export async function openWorld() {
  const { database, context, clock } = await bootWithoutMarket('2026-03-04T14:05:00Z');
  const app = await testApp(
    context,
    mountAccounts,
    mountWithdrawals,
    mountOperators,
    mountEmailChanges,
    mountLoosenings,
    mountOperatorPayouts,
    mountConsole,
  );
  const { memberId, referralCode, token } = await signUp(context, { name: 'Mira Lund', email: OWN_MAILBOX });
  await giveFunds(context, memberId, 50_000_000_000n);
  const at = clock.now().getTime();
  const early = { ...context, now: () => new Date(at - 25 * HOUR * 1000) };
  await inTransaction(context.db, (tx) => saveAddress(tx, early, { memberId, network: 'TRC20', address: OWN_ADDRESS }));
  const operators = [
    await makeOperator(context, 'finance'),
    await makeOperator(context, 'admin'),
    await makeOperator(context, 'finance'),
  ].map((one) => ({ ...one }));
  const mind = (name: Mind['name'], mailbox: string): Mind => ({
    name,
    password: name === 'owner' ? TEST_PASSWORD : 'no idea at all 7',
    tokens: name === 'owner' ? [token] : [],
    mailboxes: new Set([mailbox]),
    secrets: [],
    device: makeAuthenticator(),
    credentials: new Set(),
    recovery: [],
    phished: [],
  });
  const truth: Truth = {
    password: TEST_PASSWORD,
    email: OWN_MAILBOX,
    formerEmails: new Map(),
    app: undefined,
    pending: undefined,
    passkeys: new Map(),
    recovery: new Set(),
    mailed: new Map(),
    live: new Map([[token, at]]),
    remembered: new Set(),
    securityAt: 0,
    address: { address: OWN_ADDRESS, at: at - 25 * HOUR * 1000, by: 'owner' },
    isFrozen: false,
    isStopped: false,
    emailRequest: undefined,
    proposals: [],
    withdrawals: new Map(),
  };
  const owner = mind('owner', OWN_MAILBOX);
  owner.mailboxes.add(SECOND_MAILBOX);
  const minds = { owner, thief: mind('thief', FOREIGN_MAILBOX) };
  const dead = new Set<string>();
  const links: Link[] = [];
  const spent = { recovery: [] as string[], resets: [] as string[] };
  const now = () => clock.now().getTime();
  let lastMail = 0n;
  let newMails: Mail[] = [];

  const readMails = async () => {
    const { rows } = await sql<Mail>`
      select id, to_address, subject, text from notify.mail where id > ${lastMail} order by id`.execute(context.db);
    lastMail = rows.at(-1)?.id ?? lastMail;
    for (const { text, to_address } of rows) {
      const link = /\/not-me#(\S+)/.exec(text ?? '')?.[1];
      if (link !== undefined) links.push({ token: link, mailbox: to_address, at: now() });
    }
    newMails = rows;
    return rows;
  };
  const countAudit = async () =>
    (await sql<{ count: number }>`select count(*)::int as count from audit.entry`.execute(context.db)).rows[0]?.count ??
    0;
  /** All that a refused call may not change. */
  const fingerprint = async () => {
    const of = (table: string, columns: string) =>
      sql`(select coalesce(jsonb_agg(x), '[]') from (select ${sql.raw(columns)} from ${sql.raw(table)} order by 1, 2) x)`;
    const { rows } = await sql`select
      ${of('identity.member', 'id, email, password_hash, frozen_at, security_changed_at')} as members,
      ${of('identity.auth_session', 'id, member_id')} as sessions,
      ${of('identity.totp', 'member_id, confirmed_at, secret, case when member_id is not null then last_step end')} as apps,
      ${of('identity.passkey', 'id, member_id')} as passkeys,
      ${of('identity.recovery_code', 'member_id, code_hash')} as codes,
      ${of('identity.email_request', 'id, ended_at')} as requests,
      ${of('funds.payout_address', 'id, address, replaced_at')} as addresses,
      ${of('funds.withdrawal', 'id, state, version')} as withdrawals,
      ${of('funds.withdrawal_freeze', 'member_id, frozen_at')} as stops,
      ${of('approvals.proposal', 'id, state, due_at')} as proposals,
      (select count(*) from ledger.transfer) as transfers`.execute(context.db);
    return JSON.stringify(rows[0], (_, value) => (typeof value === 'bigint' ? value.toString() : value));
  };

  const send = async (row: Endpoint, given: Given) => {
    const outcome = await sendCall(app.ask, row, given);
    if (given.token !== undefined && truth.live.has(given.token)) truth.live.set(given.token, now());
    return outcome;
  };
  /** Sends a call once, or twice at the same moment, of which one may be done, and checks that a refusal changes nothing. */
  const call = async (row: Endpoint, given: Given = {}, times: 1 | 2 = 1): Promise<Outcome> => {
    const before = await fingerprint();
    const keys = [given.key, given.key && `${given.key}-too`].slice(0, times);
    const outcomes = await Promise.all(keys.map((key) => send(row, key === undefined ? given : { ...given, key })));
    const [done, ...others] = outcomes.filter(({ isDone }) => isDone);
    const outcome = done ?? outcomes[0];
    assert(outcome !== undefined && others.length === 0, `done twice at once: ${outcome?.name}`);
    if (done === undefined)
      assert.equal(await fingerprint(), before, `a refused call changed something: ${outcome.name}`);
    await readMails();
    return outcome;
  };

  // The link in the email about the old address is of the day before.
  await readMails();
  links.length = 0;
  return {
    context,
    clock,
    app,
    memberId,
    referralCode,
    operators,
    truth,
    minds,
    dead,
    links,
    spent,
    /** How many calls were sent and done, of which some are sent twice or again. */
    sent: { count: 0 },
    done: { count: 0 },
    now,
    call,
    countAudit,
    readMails,
    mailsOf: (mailbox: string) => newMails.filter(({ to_address }) => to_address === mailbox),
    makeDevice: makeAuthenticator,
    appCode: (secret: Uint8Array) => codeAt(secret, clock.now()),
    close: async () => {
      await app.close();
      await database.close();
    },
  };
}
