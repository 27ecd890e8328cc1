import type { sql } from 'kysely';
import { mountEmailChanges, mountOperators } from '#server/accounts/index.ts';
import type { Database } from '#server/db/connect.ts';
import { inTransaction } from '#server/db/tx.ts';
import { mountFeePlans } from '#server/fee-plans/index.ts';
import { mountAdjustments, mountLoosenings, mountOperatorPayouts } from '#server/funds/index.ts';
import { post, type Transfer, verifyLedger } from '#server/ledger/index.ts';
import { mountConsole } from '#server/operator/index.ts';
import { mountReserves, mountTreasury } from '#server/solvency/index.ts';
import { bootWithoutMarket } from '#test/kit/boot.ts';
import { testApp } from './app.ts';
import { giveFunds, signUp } from './members.ts';
import { makeOperator } from './operators.ts';

export const usd = (dollars: number) => BigInt(Math.round(dollars * 1e6));

export type Person = Awaited<ReturnType<typeof signUp>>;

let posted = 0;

/** One operator of each role, a second one of finance, and the console's calls. */
export async function openConsoleWorld(opened?: Database) {
  const booted = await bootWithoutMarket('2026-03-04T14:05:00Z', {}, opened);
  const { context, database } = booted;
  const app = await testApp(
    context,
    mountConsole,
    mountAdjustments,
    mountLoosenings,
    mountOperatorPayouts,
    mountTreasury,
    mountReserves,
    mountFeePlans,
    mountOperators,
    mountEmailChanges,
  );
  const [support, finance] = [await makeOperator(context, 'support'), await makeOperator(context, 'finance')];
  const [second, admin] = [await makeOperator(context, 'finance'), await makeOperator(context, 'admin')];
  const postOne = async (transfer: Omit<Transfer, 'marketAt' | 'key'>): Promise<bigint> => {
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
    /** A member with this much in the primary wallet. */
    addMember: async ({ dollars = 0, ...options }: { name?: string; email?: string; dollars?: number } = {}) => {
      const person = await signUp(context, options);
      if (dollars > 0) await giveFunds(context, person.memberId, usd(dollars));
      return person;
    },
    /** Owner's capital, which covers corrections and revenue. */
    addSurplus: async (dollars: number) => {
      await postOne({
        from: { class: 'gateway' },
        to: { class: 'adjustments' },
        amountMicros: usd(dollars),
        reason: 'capital_in',
        reference: 'test',
      });
    },
    post: postOne,
    get: ({ token }: { token: string }, url: string) => app.ask('GET', url, { token }),
    send: ({ token }: { token: string }, method: 'POST' | 'PUT', url: string, body: unknown = {}) =>
      app.ask(method, url, { token, body }),
    select: async <T>(query: ReturnType<typeof sql<T>>) => (await query.execute(context.db)).rows,
    /** All ledger discrepancies. */
    findings: async () => (await verifyLedger(context.db)).map(({ subject, message }) => `${subject}: ${message}`),
    close: async () => {
      await app.close();
      await database.close();
    },
  };
}
