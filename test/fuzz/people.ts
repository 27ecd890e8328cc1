import { randomUUID } from 'node:crypto';
import { base32nopad } from '@scure/base';
import { sql } from 'kysely';
import { toMicros } from '#contract/money.ts';
import { registerOperator } from '#server/accounts/index.ts';
import type { Context } from '#server/context.ts';
import { inTransaction } from '#server/db/tx.ts';
import { anikasAddress, demoPassword, demoPeople } from '#server/demo/people.ts';
import { admitWithdrawal, createDeposit, holdWithdrawal, payInSandbox, saveAddress } from '#server/funds/index.ts';
import { getMarketTime } from '#server/market/index.ts';
import { Refused } from '#server/refused.ts';
import { callApi } from '#test/kit/send-api.ts';
import { giveFunds, signUp, TEST_PASSWORD } from '#test/worlds/members.ts';
import { codeAt, makeOperator, OPERATOR_PASSWORD } from '#test/worlds/operators.ts';
import { firstFactorCode } from '#test/worlds/second-factor.ts';
import type { CallerName } from './requests.ts';

/** An account holder, with the valid values for the fields of a request. */
export type Person = {
  readonly token: string;
  readonly loginId: string;
  readonly password: string;
  /** The authenticator secret, if set up. */
  readonly secret?: Uint8Array | undefined;
  /** The column and id under which their codes are stored. */
  readonly owner: { readonly column: 'member_id' | 'operator_id'; readonly id: bigint };
  readonly email: string;
};

/** In rounds. */
const RENEWAL = 4;
const HOUR_MS = 3_600_000;

type World = { readonly origin: string; readonly context: Context };

/** Signs everyone in again; accounts that can no longer sign in are replaced by new ones. */
export async function renewPeople(
  world: World,
  round: number,
  before: ReadonlyMap<CallerName, Person>,
): Promise<Map<CallerName, Person>> {
  const cast = new Map<CallerName, Person>();
  for (const name of Object.keys(makers) as (keyof typeof makers)[])
    cast.set(name, await replace(world, name, before.get(name), round));
  return cast;
}

/** Signs in an account for the same role, or creates one. */
export async function replace(
  world: World,
  name: CallerName,
  before: Person | undefined,
  round: number,
): Promise<Person> {
  const make = makers[name as keyof typeof makers];
  // Periodically creates an account without any restrictions.
  if (before === undefined || name === 'trader' || (name !== 'unready' && round % RENEWAL === 0))
    return make(world, round);
  try {
    return await signIn(world, before);
  } catch {
    // The account is closed, disabled or locked, or its password has changed.
    return make(world, round);
  }
}

const makers = {
  trader: async (world: World, round: number) => {
    // Sooner or later the operators freeze everyone of the demo world.
    if (round % 2 === 1) return makeTrader(world);
    const person = demoPeople[round % demoPeople.length];
    const { rows } = await sql<{ id: bigint }>`
      select id from identity.member where referral_code = ${person?.code}`.execute(world.context.db);
    const known = { token: '', loginId: person?.code ?? '', password: demoPassword, email: person?.email ?? '' };
    return signIn(world, { ...known, owner: { column: 'member_id', id: rows[0]?.id ?? 0n } }).catch(() =>
      makeTrader(world),
    );
  },
  newcomer: async (world: World) => {
    const person = await makeMember(world, 5000);
    await bringOld(world.context, person).catch((error) => {
      if (!(error instanceof Refused)) throw error;
    });
    return signIn(world, person);
  },
  secured: async (world: World) => {
    const person = await makeMember(world, 3000);
    const { token, password } = person;
    const otp = await firstFactorCode(world.context, token);
    const started = await callApi<{ secret: string }>(world.origin, 'auth/totp/start', {
      token,
      body: { password, otp },
    });
    const secret = base32nopad.decode(started.secret);
    await callApi(world.origin, 'auth/totp/confirm', { token, body: { otp: codeAt(secret, world.context.now()) } });
    return signIn(world, { ...person, secret });
  },
  unready: async (world: World) => {
    const email = `${randomUUID()}@mail.test`;
    const id = await registerOperator(world.context, {
      email,
      name: 'Op',
      role: 'finance',
      password: OPERATOR_PASSWORD,
    });
    const owner = { column: 'operator_id', id } as const;
    return signIn(world, { token: '', loginId: email, password: OPERATOR_PASSWORD, owner, email });
  },
  support: (world: World) => makeOfRole(world, 'support'),
  finance: (world: World) => makeOfRole(world, 'finance'),
  finance2: (world: World) => makeOfRole(world, 'finance'),
  admin: (world: World) => makeOfRole(world, 'admin'),
  admin2: (world: World) => makeOfRole(world, 'admin'),
} as const;

/** Signed in by password: whoever signed up by a link has to confirm it first. */
const makeTrader = async (world: World): Promise<Person> => signIn(world, await makeMember(world, 5000));

async function makeMember({ context }: World, dollars: number): Promise<Person> {
  const email = `${randomUUID()}@mail.test`;
  const { memberId, referralCode, token } = await signUp(context, { email });
  if (dollars > 0) {
    // Real time is ahead of the demo's market; money is dated by the market, as deposits are.
    const marketAt = await getMarketTime(context.db);
    await giveFunds({ ...context, now: () => marketAt }, memberId, toMicros(dollars));
  }
  const owner = { column: 'member_id', id: memberId } as const;
  return { token, loginId: referralCode, password: TEST_PASSWORD, owner, email };
}

/**
 * Creates pending work: an address that is already in force, two withdrawals, and an underpaid deposit. Stops where an
 * operator of another lane has already frozen the member.
 */
async function bringOld(context: Context, { owner: { id: memberId } }: Person): Promise<void> {
  const before = { ...context, now: () => new Date(context.now().getTime() - 26 * HOUR_MS) };
  await inTransaction(context.db, (tx) => saveAddress(tx, before, { memberId, ...anikasAddress }));
  for (const dollars of [20, 35])
    await inTransaction(context.db, async (tx) => {
      const row = await admitWithdrawal(tx, context, { memberId, amountMicros: toMicros(dollars), wallet: 'primary' });
      await holdWithdrawal(tx, context, row);
    });
  const { id } = await createDeposit(context, memberId, { amount: 500, risk_accepted: true }, undefined);
  await payInSandbox(context, { depositId: BigInt(id) }, 'less', { amountMicros: toMicros(320) });
}

async function makeOfRole({ context }: World, role: 'support' | 'finance' | 'admin'): Promise<Person> {
  const { operatorId, email, token, secret } = await makeOperator(context, role);
  const owner = { column: 'operator_id', id: operatorId } as const;
  return { token, loginId: email, password: OPERATOR_PASSWORD, secret, owner, email };
}

async function signIn(world: World, person: Person): Promise<Person> {
  const { loginId, password, owner } = person;
  const isOperator = owner.column === 'operator_id';
  const head = isOperator ? 'operator' : 'auth';
  const name = isOperator ? { email: loginId } : { loginId };
  type Answer = { access_token?: string; challenge?: string };
  const first = await callApi<Answer>(world.origin, `${head}/login`, { body: { ...name, password } });
  if (first.access_token !== undefined) return { ...person, token: first.access_token };
  const proof = { challenge: first.challenge, otp: await findCode(world, person) };
  const second = await callApi<Required<Answer>>(world.origin, `${head}/otp-verify`, {
    body: isOperator ? proof : { purpose: 'login', ...proof },
  });
  return { ...person, token: second.access_token };
}

/** The current authenticator code, as if none had been used yet. */
async function findCode({ context }: World, { secret, owner }: Person): Promise<string | undefined> {
  if (secret === undefined) return undefined;
  await sql`update identity.totp set last_step = 0 where ${sql.ref(owner.column)} = ${owner.id}`.execute(context.db);
  return codeAt(secret, context.now());
}

/** The code of the latest email. */
async function findEmailedCode({ context }: World, { email }: Person): Promise<string | undefined> {
  const { rows } = await sql<{ text: string | null }>`
    select text from notify.mail where to_address = ${email} order by id desc limit 5`.execute(context.db);
  return rows.map(({ text }) => /is (\d{6})\./.exec(text ?? '')?.[1]).find((code) => code !== undefined);
}

/** A token from the latest emailed links: invitations, alarms, confirmations. */
export async function findEmailedToken({ context }: World, pick: number): Promise<string | undefined> {
  const { rows } = await sql<{ text: string | null }>`
    select text from notify.mail where text like '%#%' order by id desc limit 12`.execute(context.db);
  const tokens = rows.flatMap(({ text }) => /#([A-Za-z0-9_-]{22,100})\b/.exec(text ?? '')?.[1] ?? []);
  return tokens[pick % Math.max(1, tokens.length)];
}

/** The currently valid values of this person for fields with these names. */
export async function findSecrets(world: World, person: Person): Promise<Record<string, string | undefined>> {
  const { loginId, password, email, owner } = person;
  const shown = await findCode(world, person);
  const otp = owner.column === 'operator_id' ? shown : await findEmailedCode(world, person);
  return { loginId, password, current_password: password, email, second_factor: shown, otp: otp ?? shown };
}
