import type { sql } from 'kysely';
import { mountOperators } from '#server/accounts/index.ts';
import type { Database } from '#server/db/connect.ts';
import { inTransaction } from '#server/db/tx.ts';
import { mountFeePlanProposals } from '#server/fee-plans/index.ts';
import { mountAdjustments } from '#server/funds/index.ts';
import { post, type Transfer, verifyLedger } from '#server/ledger/index.ts';
import { mountConsole } from '#server/operator/index.ts';
import { mountTreasury } from '#server/solvency/index.ts';
import { type Answer, type TestApp, testApp } from '#test/app.ts';
import { bootWithoutMarket } from '#test/boot.ts';
import { giveFunds, signUp } from '#test/members.ts';
import { makeOperator, type TestOperator } from '#test/operators.ts';

export const usd = (dollars: number) => BigInt(Math.round(dollars * 1e6));

export type Person = Awaited<ReturnType<typeof signUp>>;
type Booted = Awaited<ReturnType<typeof bootWithoutMarket>>;

export type ConsoleWorld = Booted & {
  readonly app: TestApp;
  readonly support: TestOperator;
  readonly finance: TestOperator;
  readonly second: TestOperator;
  readonly admin: TestOperator;
  /** A member with this much in the primary wallet. */
  readonly addMember: (options?: { name?: string; email?: string; dollars?: number }) => Promise<Person>;
  /** Capital of the owner: what corrections and revenue are covered by. */
  readonly addSurplus: (dollars: number) => Promise<void>;
  readonly post: (transfer: Omit<Transfer, 'marketAt' | 'key'>) => Promise<bigint>;
  readonly get: (who: { token: string }, url: string) => Promise<Answer>;
  readonly send: (who: { token: string }, method: 'POST' | 'PUT', url: string, body?: unknown) => Promise<Answer>;
  readonly select: <T>(query: ReturnType<typeof sql<T>>) => Promise<T[]>;
  /** Everything that is wrong in the ledger. */
  readonly findings: () => Promise<string[]>;
  readonly close: () => Promise<void>;
};

let posted = 0;

/** One operator of each role, a second of finance, and the calls of the console. */
export async function openConsoleWorld(opened?: Database): Promise<ConsoleWorld> {
  const booted = await bootWithoutMarket(
    '2026-03-04T14:05:00Z',
    { RATE_LIMIT: '1000000', SIGN_IN_LIMIT: '1000000' },
    opened,
  );
  const { context, database } = booted;
  const app = await testApp(
    context,
    mountConsole,
    mountAdjustments,
    mountTreasury,
    mountFeePlanProposals,
    mountOperators,
  );
  const [support, finance] = [await makeOperator(context, 'support'), await makeOperator(context, 'finance')];
  const [second, admin] = [await makeOperator(context, 'finance'), await makeOperator(context, 'admin')];
  const postOne: ConsoleWorld['post'] = async (transfer) => {
    posted += 1;
    const key = `test/${posted}`;
    const [made] = await inTransaction(context.db, (tx) => post(tx, [{ ...transfer, key, marketAt: context.now() }]));
    return (made as { id: bigint }).id;
  };
  return {
    ...booted,
    app,
    support,
    finance,
    second,
    admin,
    addMember: async ({ dollars = 0, ...options } = {}) => {
      const person = await signUp(context, options);
      if (dollars > 0) await giveFunds(context, person.memberId, usd(dollars));
      return person;
    },
    addSurplus: async (dollars) => {
      await postOne({
        from: { class: 'gateway' },
        to: { class: 'adjustments' },
        amountMicros: usd(dollars),
        reason: 'capital_in',
        reference: 'test',
      });
    },
    post: postOne,
    get: ({ token }, url) => app.ask('GET', url, { token }),
    send: ({ token }, method, url, body = {}) => app.ask(method, url, { token, body }),
    select: async (query) => (await query.execute(context.db)).rows,
    findings: async () => (await verifyLedger(context.db)).map(({ subject, message }) => `${subject}: ${message}`),
    close: async () => {
      await app.close();
      await database.close();
    },
  };
}

export const refusal = (status: number, code: string) => ({ status, body: { status: 'error', code } });
