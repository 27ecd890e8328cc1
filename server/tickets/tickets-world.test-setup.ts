import type { sql } from 'kysely';
import type { AttachmentType } from '#contract/tickets/ticket-rules.ts';
import { ensureCompany } from '#server/accounts/index.ts';
import type { Context } from '#server/context.ts';
import type { Database } from '#server/db/connect.ts';
import { type Answer, type TestApp, testApp } from '#test/app.ts';
import { testClock, testContext } from '#test/builders.ts';
import { openTestDatabase } from '#test/database.ts';
import { signUp } from '#test/members.ts';
import { makeOperator, type TestOperator } from '#test/operators.ts';
import { mountSupport, mountSupportDesk } from './index.ts';

export type Person = Awaited<ReturnType<typeof signUp>>;
type Body = Record<string, unknown>;

export type SupportWorld = {
  readonly database: Database;
  readonly context: Context;
  readonly clock: ReturnType<typeof testClock>;
  readonly app: TestApp;
  readonly support: TestOperator;
  readonly addMember: (name?: string) => Promise<Person>;
  readonly get: (person: { token: string }, url: string) => Promise<Answer>;
  readonly post: (person: { token: string }, url: string, body: unknown, key?: string) => Promise<Answer>;
  /** A ticket of the member as they get it back. */
  readonly open: (person: Person, more?: Body) => Promise<{ id: string; reference: string }>;
  readonly reply: (person: Person, ticketId: string, message: string, more?: Body) => Promise<Answer>;
  readonly answer: (ticketId: string, message: string, more?: Body) => Promise<Answer>;
  readonly thread: (person: Person, ticketId: string) => Promise<Answer['body']>;
  readonly deskThread: (ticketId: string) => Promise<Answer['body']>;
  readonly list: <T>(query: ReturnType<typeof sql<T>>) => Promise<T[]>;
  readonly close: () => Promise<void>;
};

/** Members, one operator of support and the calls of tickets: nothing of money or a market. */
export async function openSupportWorld(): Promise<SupportWorld> {
  const database = await openTestDatabase();
  const clock = testClock();
  const context = testContext(database, clock, { RATE_LIMIT: '1000000', SIGN_IN_LIMIT: '1000000' });
  await ensureCompany(context);
  const app = await testApp(context, mountSupport, mountSupportDesk);
  const support = await makeOperator(context, 'support');
  const get: SupportWorld['get'] = ({ token }, url) => app.ask('GET', url, { token });
  const post: SupportWorld['post'] = ({ token }, url, body, key) =>
    app.ask('POST', url, { token, body, ...(key === undefined ? {} : { headers: { 'idempotency-key': key } }) });
  let people = 0;
  return {
    database,
    context,
    clock,
    app,
    support,
    get,
    post,
    addMember: (name = 'Mira Lund') => {
      people += 1;
      return signUp(context, { name, email: `mira.${people}@example.com` });
    },
    open: async (person, more = {}) => {
      const made = await post(person, 'ticket/create', { ...question, ...more });
      if (made.status !== 200) throw new Error(made.text);
      return made.body.data;
    },
    reply: (person, ticketId, message, more = {}) => post(person, 'ticket/reply-user', { ticketId, message, ...more }),
    answer: (ticketId, message, more = {}) => post(support, `operator/tickets/${ticketId}/reply`, { message, ...more }),
    thread: async (person, ticketId) => (await get(person, `ticket/ticket-msg?ticketId=${ticketId}`)).body.data,
    deskThread: async (ticketId) => (await get(support, `operator/tickets/${ticketId}`)).body.data,
    list: async (query) => (await query.execute(context.db)).rows,
    close: async () => {
      await app.close();
      await database.close();
    },
  };
}

export const question = { subject: 'Deposit not credited yet', category: 'deposit', message: 'Where is it?' };

export const file = (name: string, type: AttachmentType, bytes: Uint8Array) => ({
  name,
  type,
  content: Buffer.from(bytes).toString('base64'),
});
