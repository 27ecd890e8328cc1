import type { sql } from 'kysely';
import type { AttachmentType } from '#contract/tickets/ticket-rules.ts';
import { ensureCompany } from '#server/accounts/index.ts';
import { closeAccount } from '#server/accounts/members/close-account.ts';
import { openTestDatabase } from '#test/database/database.ts';
import { testApp } from '#test/worlds/app.ts';
import { testClock, testContext } from '#test/worlds/builders.ts';
import { signUp, TEST_PASSWORD } from '#test/worlds/members.ts';
import { makeOperator } from '#test/worlds/operators.ts';
import { closeMemberTickets, mountOperatorTickets, mountSupport } from './index.ts';

export type Person = Awaited<ReturnType<typeof signUp>>;
type Body = Record<string, unknown>;

/** Members, one support operator and the ticket calls; no money or market. */
export async function openSupportWorld() {
  const database = await openTestDatabase();
  const clock = testClock();
  const context = testContext(database, clock, { RATE_LIMIT: '1000000', SIGN_IN_LIMIT: '1000000' });
  await ensureCompany(context);
  const app = await testApp(context, mountSupport, mountOperatorTickets);
  const support = await makeOperator(context, 'support');
  type Caller = { readonly token: string };
  const get = ({ token }: Caller, url: string) => app.ask('GET', url, { token });
  const post = ({ token }: Caller, url: string, body: unknown, key?: string) =>
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
    /** A ticket as the member receives it. */
    open: async (person: Caller, more: Body = {}): Promise<{ id: string; reference: string }> => {
      const made = await post(person, 'ticket/create', { ...question, ...more });
      if (made.status !== 200) throw new Error(made.text);
      return made.body.data;
    },
    reply: (person: Caller, ticketId: string, message: string, more: Body = {}) =>
      post(person, 'ticket/reply-user', { ticketId, message, ...more }),
    answer: (ticketId: string, message: string, more: Body = {}) =>
      post(support, `operator/tickets/${ticketId}/reply`, { message, ...more }),
    closeAccount: ({ memberId }: Person) =>
      closeAccount(
        context,
        { kind: 'member', memberId, authSessionId: 0n },
        { password: TEST_PASSWORD, address: '127.0.0.1' },
        { closing: [closeMemberTickets], forfeit: async () => {} },
      ),
    thread: async (person: Caller, ticketId: string) =>
      (await get(person, `ticket/ticket-msg?ticketId=${ticketId}`)).body.data,
    operatorThread: async (ticketId: string) => (await get(support, `operator/tickets/${ticketId}`)).body.data,
    list: async <T>(query: ReturnType<typeof sql<T>>) => (await query.execute(context.db)).rows,
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
