import assert from 'node:assert';
import { setTimeout } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Endpoint } from '#contract/endpoint.ts';
import { identity, withdrawals } from '#contract/endpoints.ts';
import { createApp } from '#server/app.ts';
import type { Context } from '#server/context.ts';
import { getValue } from '#server/db/rows.ts';
import { inTransaction } from '#server/db/tx.ts';
import { loopsOf, timedJobs } from '#server/jobs/index.ts';
import { post } from '#server/ledger/index.ts';
import { advanceMarket } from '#server/market/index.ts';
import { getAlarms } from '#server/solvency/index.ts';
import { KillAt, killedContext } from '#test/database/kill-at.ts';
import { askOf, patient } from '#test/worlds/app.ts';
import { type Given, type Outcome, sendCall } from '#test/worlds/calls.ts';
import { openDesk } from '#test/worlds/exchange-desk.ts';
import { letTimePass, type SessionsWorld, swinging } from '#test/worlds/exchange-sessions.ts';
import { openExchangeWorld } from '#test/worlds/exchange-world.ts';
import { TEST_PASSWORD } from '#test/worlds/members.ts';
import { makeOperator, type TestOperator } from '#test/worlds/operators.ts';
import { openTradingWorld } from '#test/worlds/trading-world.ts';

const ADDRESS = 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t';

export type Life = {
  readonly memberId: bigint;
  readonly referralCode: string;
  readonly email: string;
  token: string;
  isClosed: boolean;
  /** Its closing was asked for: calls at the same time may come too late. */
  wasToClose: boolean;
};

/** A call of an account came after its closing. */
export class AccountClosed extends Error {}

/** Workers that do everything once, that are killed at this query first, or that are two. */
export type Workers = 'one' | 'two' | { readonly killedAt: number };

/** Sent by other means than here: orders through a connection of the test, deliveries in the server itself. */
const apart = ['market', 'prices', 'execution', 'webhooks', 'trading.statement'];

/** Says of a check that was ended by its worker's death that it could not run: only in a test does it live on to say so. */
const UNKILLED = 'integrity.check';

type Job = { readonly name: string; readonly run: () => Promise<unknown> };

/** A server, its workers and operators, with an exchange or on paper; everybody else comes and goes through calls. */
export async function openLives(exchange: string | null, phase: number) {
  const market = { dollars: 0, ...swinging(phase) };
  const there = exchange === null ? undefined : await openExchangeWorld({ exchange, ...market });
  const world = there ?? (await openTradingWorld(market));
  const { context, clock, database } = world;
  const { fastify } = await createApp(context, patient);
  const ask = askOf(fastify);
  const finance = [await makeOperator(context, 'finance'), await makeOperator(context, 'finance')] as const;
  const admins = [await makeOperator(context, 'admin'), await makeOperator(context, 'admin')] as const;
  await sql`update identity.auth_session set expires_at = expires_at + interval '1 year' where operator_id is not null`.execute(
    context.db,
  );
  const desk = there && (await openDesk(there));
  const capital = { amountMicros: 2_000_000_000_000n, reference: 'test', marketAt: context.now() };
  const [from, to] = [{ class: 'gateway' }, { class: 'adjustments' }] as const;
  await inTransaction(context.db, (tx) => post(tx, [{ ...capital, key: 'test/own', reason: 'capital_in', from, to }]));
  await desk?.fund(1_000_000n);
  await there?.execute(1);
  await desk?.importStatement();

  const call = (row: Endpoint, given: Given = {}): Promise<Outcome> => sendCall(ask, row, given);
  let keys = 0;
  const nextKey = () => {
    keys += 1;
    return `life-${keys.toString().padStart(8, '0')}`;
  };
  /** A call of a member; one that may be repeated is sent twice. */
  const as = async (life: Life, row: Endpoint, given: Given = {}): Promise<Outcome> => {
    const send = async (key?: string) => {
      const sent = await call(row, { token: life.token, ...given, ...(key !== undefined && { key }) });
      if (life.wasToClose && sent.code === 'session_required') throw new AccountClosed(sent.name);
      return sent;
    };
    if (!row.idempotent) return send();
    const key = nextKey();
    const outcome = await send(key);
    const again = await send(key);
    if (outcome.isDone) assert.deepEqual(again.data, outcome.data);
    return outcome;
  };
  /** A call of an operator, with the code of their app where the call takes one. */
  const by = async (operator: TestOperator, row: Endpoint, { body, ...given }: Given = {}, takesCode = false) =>
    call(row, {
      token: operator.token,
      ...given,
      ...(row.idempotent && { key: nextKey() }),
      ...(body !== undefined && { body: { ...body, ...(takesCode && { otp: await operator.code() }) } }),
    });
  const must = (outcome: Outcome) => {
    assert(outcome.isDone, outcome.name);
    return outcome.data;
  };
  /** Asks for a code for one operation, and reads it in the member's mailbox; undefined if it was refused. */
  const codeFor = async (life: Life, query: Record<string, string>): Promise<string | undefined> => {
    clock.advance(61);
    if (!(await as(life, withdrawals.sendOtp, { query })).isDone) return undefined;
    const text = await getValue(context.db)<string>`
      select text from notify.mail where to_address = ${life.email} and text like '%The code is%' order by id desc limit 1`;
    return /The code is (\d{6})\./.exec(text)?.[1];
  };

  const lives: Life[] = [];
  const members: bigint[] = [];
  /** Signs up under an invitation, signs in and saves a payout address. */
  const join = async (sponsorCode: string = context.config.companyCode): Promise<Life> => {
    const email = `life${lives.length}@example.com`;
    const person = { name: `Life ${lives.length}`, mobile_number: '+919876543210', email, password: TEST_PASSWORD };
    const body = { referralCode: sponsorCode, ...person, terms: true };
    const { referral_code: referralCode } = must(await call(identity.register, { body, key: nextKey() }));
    const login = { loginId: referralCode, password: TEST_PASSWORD, remember: true };
    const { access_token: token, user } = must(await call(identity.login, { body: login }));
    const life = { memberId: BigInt(user.id), referralCode, email, token, isClosed: false, wasToClose: false };
    const address = { network: 'TRC20', address: ADDRESS };
    const otp = await codeFor(life, { purpose: 'address', ...address });
    must(await as(life, withdrawals.updateAddress, { body: { ...address, otp } }));
    lives.push(life);
    members.push(life.memberId);
    return life;
  };

  let workers: Workers = 'one';
  const jobsOf = (of: Context): Job[] =>
    [...timedJobs(of, database), ...loopsOf(of).map(({ name, round }) => ({ name, run: () => round(0) }))].filter(
      ({ name }) => !apart.includes(name),
    );
  const jobs = jobsOf(context);
  const work = async (only = jobs) => {
    for (const job of only) {
      if (typeof workers === 'object' && job.name !== UNKILLED) {
        const kill = new KillAt(workers.killedAt);
        const dying = jobsOf(killedContext(context, kill)).find(({ name }) => name === job.name);
        await dying?.run().catch((error: unknown) => {
          // What it says after its death is of the test alone.
          if (kill.left >= 0) throw error;
        });
      }
      await Promise.all([job.run(), ...(workers === 'two' ? [job.run()] : [])]);
    }
  };
  const books = jobs.filter(({ name }) => name === 'income.follow');
  const searches = jobs.filter(({ name }) => name === 'payout-look');
  /** Waits for a reply that itself waits for what the worker finds at a gateway. */
  const whileSearching = async (reply: Promise<Outcome>) => {
    const isOver = reply.then(
      () => true,
      () => true,
    );
    while (!(await Promise.race([isOver, setTimeout(20, false)]))) await work(searches);
    return reply;
  };
  const wait = letTimePass(clock, async (until, rounds, isNight) => {
    await advanceMarket(context, { elapsedMs: 0, skipTo: until });
    await work();
    if (there !== undefined) {
      await there.followPrices();
      await there.execute(rounds);
      await desk?.bookOwn();
      await work(books);
      if (isNight) await desk?.importDue();
    }
    assert.deepEqual(await getAlarms(context.db), []);
  });
  const sessions: SessionsWorld | undefined = there &&
    desk && {
      ...there,
      get venue() {
        return there.venue;
      },
      ...{ desk, members, given: [], wait },
    };

  await join((await join()).referralCode);
  return {
    context,
    clock,
    lives,
    finance,
    admins,
    sessions,
    /** Of all invoices. */
    payPages: [] as string[],
    /** The dollars of each trade that was confirmed to a member. */
    acknowledged: new Map<string, number>(),
    as,
    by,
    must,
    codeFor,
    join,
    wait,
    whileSearching,
    setWorkers: (now: Workers) => {
      workers = now;
    },
    /** Pays at the gateway's page, or says what else happened there. */
    pay: async (url: string, form: Record<string, string>) => {
      const reply = await fastify.inject({
        method: 'POST',
        url: new URL(url, 'http://localhost').pathname,
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        payload: new URLSearchParams(form).toString(),
      });
      assert(reply.statusCode < 500, `${url}: ${reply.statusCode}`);
    },
    close: async () => {
      await fastify.close();
      await world.close();
    },
  };
}
export type Lives = Awaited<ReturnType<typeof openLives>>;
