import assert from 'node:assert';
import { sql } from 'kysely';
import { expect } from 'vitest';
import type { OperatorCaller } from '#server/caller.ts';
import type { Context } from '#server/context.ts';
import type { Database } from '#server/db/connect.ts';
import { getValue, listValues } from '#server/db/rows.ts';
import { listEmails, type StoredEmail } from '#server/notify/index.ts';
import { openTestDatabase } from '#test/database/database.ts';
import { testClock, testContext } from '#test/worlds/builders.ts';
import { OPERATOR_PASSWORD } from '#test/worlds/test-password.ts';
import {
  answerResetRequests,
  ensureCompany,
  findCaller,
  registerMember,
  registerOperator,
  signInOperator,
} from './index.ts';
import type { NewMember } from './members/register-member.ts';
import { requestReset } from './passwords/reset-password.ts';
import { signInMember } from './sign-in/sign-in-member.ts';
import { verifyOperatorOtp } from './sign-in/sign-in-operator.ts';

export const password = 'tulip harbour 7';
export const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';
export const address = '192.0.2.7';

export type World = Awaited<ReturnType<typeof openWorld>>;

/** A test database with the company in it, and shorthands for what tests of accounts do all the time. */
export async function openWorld(env: Record<string, string> = {}, over: Partial<Context> = {}) {
  const database: Database = await openTestDatabase();
  const clock = testClock();
  // Every caller here has the same address.
  const limits = { SIGN_IN_LIMIT: '100000', RATE_LIMIT: '100000' };
  const context: Context = { ...testContext(database, clock, { ...limits, ...env }), ...over };
  const companyId = await ensureCompany(context);
  let signedUp = 0;

  const signUp = async (given: Partial<NewMember> = {}) => {
    signedUp += 1;
    const input: NewMember = {
      referralCode: 'TRADEWIND',
      mobileNumber: '+919876543210',
      name: `Member ${signedUp}`,
      email: `member${signedUp}@mail.test`,
      password,
      ...given,
    };
    return { ...(await registerMember(context, input)), input };
  };
  /** For a member without a second factor. */
  const signIn = async (loginId: string, given: { password?: string; remember?: boolean; userAgent?: string } = {}) => {
    const input = { loginId, password, userAgent: firefox, address, ...given };
    const signedIn = await signInMember(context, input);
    assert('accessToken' in signedIn, 'this member has a second factor');
    return signedIn.accessToken;
  };
  /** For an operator without a second factor. */
  const signInAsOperator = async (email: string, word = OPERATOR_PASSWORD) => {
    const signedIn = await signInOperator(context, { email, password: word, userAgent: firefox, address });
    assert('accessToken' in signedIn, 'this operator has a second factor');
    return signedIn;
  };
  /** An operator without a second factor, signed in. */
  const addPlainOperator = async () => {
    const email = `plain.${crypto.randomUUID()}@mail.test`;
    const account = { email, name: 'Olga', role: 'finance', password: OPERATOR_PASSWORD } as const;
    const operatorId = await registerOperator(context, account);
    const { accessToken: token } = await signInAsOperator(email);
    return { operatorId, email, token, caller: (await findCaller(context, token)) as OperatorCaller };
  };
  /** The first half of an operator's sign-in with a second factor. */
  const challengeOperator = async ({ email }: { readonly email: string }) => {
    const begun = await signInOperator(context, { email, password: OPERATOR_PASSWORD, userAgent: firefox, address });
    assert('challenge' in begun, 'this operator has no second factor');
    return begun.challenge;
  };
  const verifyOperator = (challenge: string, otp: string) =>
    verifyOperatorOtp(context, { challenge, otp, userAgent: firefox, address });
  const emailsTo = async (to: string): Promise<StoredEmail[]> => {
    const { items } = await listEmails(database.db, { limit: 100 });
    return items.filter((mail) => mail.to_address === to).reverse();
  };
  /** Requests a reset and reads the code from the last email that names the account. */
  const askForCode = async (loginId: string, account: { referralCode: string; input: NewMember }) => {
    await requestReset(context, { loginId, address });
    await answerResetRequests(context);
    const mails = await emailsTo(account.input.email);
    const last = mails.findLast((mail) => mail.text.includes(`for the Registered Id ${account.referralCode} is`));
    return new RegExp(`Id ${account.referralCode} is (\\d{6})\\.`).exec(last?.text ?? '')?.[1] ?? 'no code';
  };
  const count = (table: string, where = 'true') =>
    getValue(database.db)<number>`select count(*)::int from ${sql.raw(table)} where ${sql.raw(where)}`;
  const listActions = (subject: string) =>
    listValues(database.db)<string>`select action from audit.entry where subject = ${subject} order by id`;
  const listMessages = (memberId: bigint) =>
    listValues(database.db)<string>`
      select message from notify.notification where member_id = ${memberId} order by id`;
  return {
    database,
    context,
    clock,
    companyId,
    signUp,
    signIn,
    signInAsOperator,
    addPlainOperator,
    challengeOperator,
    verifyOperator,
    emailsTo,
    askForCode,
    count,
    listActions,
    listMessages,
    close: () => database.close(),
  };
}

/** The same several times in a row, refused each time. */
export async function refusedTimes(count: number, work: () => Promise<unknown>, refusal: object) {
  for (let tries = 0; tries < count; tries += 1) await expect(work()).rejects.toMatchObject(refusal);
}
