import { sql } from 'kysely';
import { registerMember } from '#server/accounts/index.ts';
import type { Context } from '#server/context.ts';
import { inTransaction } from '#server/db/tx.ts';
import { saveAddress, sendOtp } from '#server/funds/index.ts';
import { admitWithdrawal, holdWithdrawal, requestWithdrawal } from '#server/funds/withdrawals/request-withdrawal.ts';
import { getBalances } from '#server/ledger/index.ts';
import { placeTrade } from '#server/trading/index.ts';
import { giveFunds, TEST_PASSWORD } from './members.ts';

/** The kinds of simultaneous attempts at one member's whole balance. */
export const rushKinds = ['same code', 'below the code', 'against trades'] as const;
export type RushKind = (typeof rushKinds)[number];

export type RushEnd = {
  readonly memberId: bigint;
  /** The number of successes of each kind. */
  readonly withdrawals: number;
  readonly trades: number;
  /** How often each refusal code or error occurred. */
  readonly refused: Readonly<Record<string, number>>;
  readonly balances: Awaited<ReturnType<typeof getBalances>>;
};

const ADDRESS = 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t';
const DAY_MS = 24 * 3_600_000;

/**
 * One round: a new member with `dollars` in the primary wallet, and `count` simultaneous attempts to spend all of it.
 * Exactly one may succeed: requests with the same valid code, requests whose code is already verified, or these
 * alternating with trades (which need an asset to trade).
 */
export async function rushWithdrawals(
  context: Context,
  kind: RushKind,
  { dollars = 100, count = 200 }: { readonly dollars?: number; readonly count?: number } = {},
): Promise<RushEnd> {
  const memberId = await addWithdrawer(context, dollars);
  const ask = await readyAsk(context, memberId, dollars, kind);
  const trade = () => placeTrade(context, memberId, { tradeId: 'btc', amount: dollars, wallet_type: 'primary' });
  const isTrade = (index: number) => kind === 'against trades' && index % 2 === 1;
  const ends = await Promise.allSettled(
    Array.from({ length: count }, (_, index) => (isTrade(index) ? trade() : ask())),
  );
  const came = (wanted: (index: number) => boolean) =>
    ends.filter((end, index) => end.status === 'fulfilled' && wanted(index)).length;
  return {
    memberId,
    withdrawals: came((index) => !isTrade(index)),
    trades: came(isTrade),
    refused: countReasons(ends),
    balances: await getBalances(context.db, memberId),
  };
}

/** The balance is spent, the code's attempts are used up, or code attempts are rate-limited. */
const expectedReasons: ReadonlySet<string> = new Set(['insufficient_funds', 'wrong_otp', 'too_many_requests']);

/** What is wrong after a round, or undefined. */
export function rushFault(end: RushEnd, dollars = 100): string | undefined {
  const amount = BigInt(dollars) * 1_000_000n;
  const { primary, withdrawal_hold: held, trade_escrow: escrowed } = end.balances;
  const isOne =
    end.withdrawals + end.trades === 1 &&
    primary === 0n &&
    held === (end.withdrawals === 1 ? amount : 0n) &&
    escrowed === (end.trades === 1 ? amount : 0n);
  const strange = Object.keys(end.refused).filter((reason) => !expectedReasons.has(reason));
  if (isOne && strange.length === 0) return undefined;
  return `member ${end.memberId}: ${end.withdrawals} withdrawals and ${end.trades} trades, ${primary} left, ${held} held, ${escrowed} in trades; ${JSON.stringify(end.refused)}`;
}

/** A member with money and a payout address that has been in force for a day. */
export async function addWithdrawer(context: Context, dollars: number): Promise<bigint> {
  const { memberId } = await registerMember(context, {
    referralCode: context.config.companyCode,
    name: 'Rush Hour',
    email: `rush.${crypto.randomUUID()}@example.com`,
    mobileNumber: '+919876543210',
    password: TEST_PASSWORD,
  });
  await giveFunds(context, memberId, BigInt(dollars) * 1_000_000n, `rush/${memberId}`);
  const yesterday = { ...context, now: () => new Date(context.now().getTime() - DAY_MS) };
  await inTransaction(context.db, (tx) => saveAddress(tx, yesterday, { memberId, network: 'TRC20', address: ADDRESS }));
  return memberId;
}

async function readyAsk(
  context: Context,
  memberId: bigint,
  dollars: number,
  kind: RushKind,
): Promise<() => Promise<unknown>> {
  if (kind === 'same code') {
    await sendOtp(context, memberId, { purpose: 'withdrawal', amount: dollars, wallet_type: 'primary' });
    const otp = await readCode(context, memberId);
    return () => requestWithdrawal(context, memberId, { amount: dollars, wallet_type: 'primary', otp });
  }
  const order = { memberId, amountMicros: BigInt(dollars) * 1_000_000n, wallet: 'primary' } as const;
  return () =>
    inTransaction(context.db, async (tx) => {
      await holdWithdrawal(tx, context, await admitWithdrawal(tx, context, order));
    });
}

/** The code in the member's latest email that has one. */
export async function readCode({ db }: Context, memberId: bigint): Promise<string> {
  const { rows } = await sql<{ text: string }>`
    select m.text from notify.mail m join notify.recipient r on r.address = m.to_address
    where r.member_id = ${memberId} and m.text like '%The code is %' order by m.id desc limit 1`.execute(db);
  return /The code is (\d{6})\./.exec(rows[0]?.text ?? '')?.[1] ?? 'no code';
}

function countReasons(ends: readonly PromiseSettledResult<unknown>[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const end of ends) {
    if (end.status === 'fulfilled') continue;
    const reason = (end.reason as { code?: string }).code ?? String(end.reason);
    counts[reason] = (counts[reason] ?? 0) + 1;
  }
  return counts;
}
