import { sql } from 'kysely';
import type { PayoutNetwork } from '#contract/funds/withdrawals.ts';
import { type RefusalCode, refusals } from '#contract/refusals.ts';
import type { WalletType } from '#contract/rules.ts';
import type { Context } from '#server/context.ts';
import type { Once } from '#server/db/tx.ts';
import { inTransaction } from '#server/db/tx.ts';
import { getBalances, post, verifyLedger } from '#server/ledger/index.ts';
import { giveFunds, signUp } from '#test/worlds/members.ts';
import { makeApprovers } from '#test/worlds/operators.ts';
import { checkFunds } from '../check-funds.ts';
import { marketAt, openFundsWorld, usd } from '../funds-world.test-setup.ts';
import { insertApproval } from '../review/approvals.ts';
import { moveWithdrawal } from './move-withdrawal.ts';
import { requestWithdrawal } from './request-withdrawal.ts';
import { saveAddress } from './save-address.ts';
import { sendOtp } from './send-otp.ts';
import { findWithdrawal, lockWithdrawal, type PayoutFields, type WithdrawalRow } from './withdrawal.ts';

export const TRON = 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t';
export const SEGWIT = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4';

export type Person = { readonly memberId: bigint; readonly token: string; readonly email: string };
export type Ask = { readonly amount: number; readonly wallet_type?: WalletType };

/** Matches a refusal with this code. */
export const refused = (code: RefusalCode) => ({ code, message: refusals[code][1], status: refusals[code][0] });

let people = 0;

export async function openWithdrawalsWorld(env: Record<string, string> = {}) {
  const world = await openFundsWorld(env);
  const { context, clock } = world;
  const ago = (seconds: number): Context => ({
    ...context,
    now: () => new Date(clock.now().getTime() - seconds * 1000),
  });

  const approvers = await makeApprovers(context);

  /** A member with this much in the primary wallet and an address saved 24 hours and a second ago. */
  const addPerson = async (
    dollars = 1000,
    payTo: { network: PayoutNetwork; address: string } | null = { network: 'TRC20', address: TRON },
  ): Promise<Person> => {
    people += 1;
    const email = `person${people}@example.com`;
    const { memberId, token } = await signUp(context, { email, name: `Person ${people}` });
    if (dollars > 0) await giveFunds(context, memberId, usd(dollars), `test/person/${people}`);
    if (payTo !== null) {
      const day = ago(24 * 3600 + 1);
      await inTransaction(context.db, (tx) => saveAddress(tx, day, { memberId, ...payTo }));
    }
    return { memberId, token, email };
  };
  /** Texts of the emails to a member, oldest first. */
  const mails = async ({ email }: Pick<Person, 'email'>) => {
    const { rows } = await sql<{ text: string }>`
      select text from notify.mail where to_address = ${email} order by id`.execute(context.db);
    return rows.map((row) => row.text);
  };
  /** The code of the last email with one. */
  const code = async (person: Pick<Person, 'email'>) => {
    const last = (await mails(person)).findLast((text) => text.includes('With this code'));
    return /The code is (\d{6})\./.exec(last ?? '')?.[1] ?? 'no code';
  };
  /** A newly requested code, after waiting for the minute between two codes. */
  const freshCode = async (person: Person, { amount, wallet_type = 'primary' }: Ask) => {
    clock.advance(60);
    await sendOtp(context, person.memberId, { purpose: 'withdrawal', amount, wallet_type });
    return code(person);
  };
  const find = async (id: bigint) =>
    (await findWithdrawal(context.db, id)) ?? Promise.reject(new Error('no such withdrawal'));

  return {
    ...world,
    approvers,
    addPerson,
    giveProfit: async ({ memberId }: Person, dollars: number) => {
      people += 1;
      const profit = { from: { class: 'venue' }, to: { memberId, class: 'profit' }, reason: 'trade_profit' } as const;
      const about = { key: `test/profit/${people}`, reference: 'test', marketAt, amountMicros: usd(dollars) };
      await inTransaction(context.db, (tx) => post(tx, [{ ...about, ...profit }]));
    },
    mails,
    code,
    freshCode,
    /** The complete flow: code, email, request. */
    withdraw: async (person: Person, ask: Ask, once?: Once) => {
      const otp = await freshCode(person, ask);
      const made = await requestWithdrawal(context, person.memberId, { wallet_type: 'primary', ...ask, otp }, once);
      return find(BigInt(made.id));
    },
    /** Moves it like operators and jobs: approved by two, then to the given state. */
    move: (id: bigint, to: WithdrawalRow['state'], set?: PayoutFields, note?: string) =>
      inTransaction(context.db, async (tx) => {
        const withdrawal = await lockWithdrawal(tx, id);
        if (withdrawal === undefined) throw new Error('no such withdrawal');
        if (to === 'approved') {
          for (const by of approvers) await insertApproval(tx, { withdrawalId: id, operatorId: by, now: clock.now() });
        }
        const actor = { kind: 'operator', id: 1n } as const;
        return moveWithdrawal(tx, context, {
          withdrawal,
          to,
          actor,
          set: set ?? {},
          ...(note === undefined ? {} : { note }),
        });
      }),
    stopPayouts: (stopped: boolean) =>
      (stopped
        ? sql`update funds.payout_switch set stopped_at = now(), stopped_by = 1, why = 'test'`
        : sql`update funds.payout_switch set stopped_at = null, stopped_by = null, why = null`
      ).execute(context.db),
    balances: ({ memberId }: Person) => getBalances(context.db, memberId),
    messages: ({ memberId }: Person) => world.messages(memberId),
    /** All discrepancies of the ledger. */
    findings: async () =>
      [...(await verifyLedger(context.db)), ...(await checkFunds(context.db))].map(
        ({ subject, message }) => `${subject}: ${message}`,
      ),
  };
}
