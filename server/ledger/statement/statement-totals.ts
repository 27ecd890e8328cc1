import assert from 'node:assert';
import type { Tx } from '#server/db/connect.ts';
import { classOf, type MemberClass, memberClassNames } from '../core/account.ts';
import type { Reason } from '../core/flow.ts';
import { statementRanges } from '../core/statement-range.ts';
import { getBalances } from '../posting/balances.ts';
import type { StatementQuery } from './statement.ts';
import { listBalancesAt, readClock, sumRanges } from './statement-totals-sql.ts';

type Balances = Readonly<Record<MemberClass, bigint>>;

/** What the lines of one account and reason come to. */
export type StatementSum = {
  readonly class: MemberClass;
  readonly reason: Reason;
  readonly receivedMicros: bigint;
  readonly spentMicros: bigint;
  /** How many lines; a transfer between two accounts of the member is one in each. */
  readonly lines: number;
};

export type StatementTotals = {
  /** Where the period really ends: no later than the reading. */
  readonly to: Date;
  readonly opening: Balances;
  readonly closing: Balances;
  readonly sums: readonly StatementSum[];
};

/**
 * The totals of a member's statement over a period, `from` included, `to` not. Filters by account and reason narrow the
 * sums; the balances are those of all accounts. Opening and closing balances come from the lines around the two instants,
 * the sums from the lines between, so that each account's opening + received − spent = closing is checked and not assumed.
 *
 * A wallet that had $40, got $100 and paid $60: opening 40, received 100, spent 60, closing 80.
 *
 * @param tx a snapshot (`inSnapshot`), because balances and sums are two statements
 */
export async function sumStatement(
  tx: Tx,
  { memberId, classes, reasons, from, to }: Omit<StatementQuery, 'before' | 'limit'>,
): Promise<StatementTotals> {
  const all = statementRanges(memberId, memberClassNames, undefined);
  const balancesAt = async (at: Date) => byClass(await listBalancesAt(tx, all, at));
  const now = await getBalances(tx, memberId);
  const end = await endOf(tx, from, to);
  const opening = from === undefined ? byClass([]) : await balancesAt(from);
  const closing = to === undefined ? now : await balancesAt(to);
  const wanted = statementRanges(memberId, classes ?? memberClassNames, reasons);
  const sums = mergeSides(await sumRanges(tx, wanted, { from, to }));
  if (reasons === undefined)
    for (const name of classes ?? memberClassNames) refuseImbalance(memberId, name, opening, closing, sums);
  return { to: end, opening, closing, sums };
}

/** A millisecond after the reading, because instants are told in whole ones: so all that was read is before it. */
async function endOf(tx: Tx, from: Date | undefined, to: Date | undefined): Promise<Date> {
  const read = (await readClock(tx)).getTime() + 1;
  return new Date(Math.max(from?.getTime() ?? 0, Math.min(to?.getTime() ?? read, read)));
}

function byClass(rows: readonly { account: bigint; balance: bigint }[]): Balances {
  const balances = new Map(rows.map((row) => [classOf(row.account), row.balance]));
  return Object.fromEntries(memberClassNames.map((name) => [name, balances.get(name) ?? 0n])) as Record<
    MemberClass,
    bigint
  >;
}

function mergeSides(rows: Awaited<ReturnType<typeof sumRanges>>): StatementSum[] {
  const sums = new Map<string, StatementSum>();
  for (const { account, reason, side, lines, amount } of rows) {
    const name = classOf(account) as MemberClass;
    const other = sums.get(`${name} ${reason}`);
    sums.set(`${name} ${reason}`, {
      class: name,
      reason,
      receivedMicros: (other?.receivedMicros ?? 0n) + (side === 'credit' ? amount : 0n),
      spentMicros: (other?.spentMicros ?? 0n) + (side === 'debit' ? amount : 0n),
      lines: (other?.lines ?? 0) + Number(lines),
    });
  }
  return [...sums.values()];
}

function refuseImbalance(
  memberId: bigint,
  name: MemberClass,
  opening: Balances,
  closing: Balances,
  sums: readonly StatementSum[],
): void {
  const moved = sums
    .filter((sum) => sum.class === name)
    .reduce((total, sum) => total + sum.receivedMicros - sum.spentMicros, 0n);
  assert.equal(opening[name] + moved, closing[name], `the statement of ${name} of member ${memberId} does not add up`);
}
