import type { CsvCell } from '#contract/csv.ts';
import type { DataOf, QueryOf } from '#contract/endpoint.ts';
import type { funds, Movement } from '#contract/funds/deposits.ts';
import type { StatementWallet } from '#contract/ledger-reasons.ts';
import { walletWords, wordsOfKind } from '#contract/ledger-reasons.ts';
import { toDollars } from '#contract/money.ts';
import type { Context } from '#server/context.ts';
import { type TextFile, writeCsv } from '#server/csv-file.ts';
import { readIdCursor } from '#server/cursor.ts';
import { listStatement, type StatementLine, type StatementQuery } from '#server/ledger/index.ts';
import { readPeriod } from '#server/read-period.ts';

type ListMovements = typeof funds.listMovements;

/** Upper bound of lines per operation: the settlement of a trade has five. */
const OPERATION_LINES = 20;

/**
 * A page of the member's statement, newest first. A transfer between two of the member's wallets is two lines, so that
 * each wallet's lines sum to its balance. The lines of an operation stay on one page, which may therefore be a few
 * lines longer than requested.
 *
 * @throws Refused period_turned
 */
export async function listMovements(
  context: Context,
  memberId: bigint,
  { cursor, limit, ...filter }: QueryOf<ListMovements>,
): Promise<DataOf<ListMovements>> {
  const found = await listStatement(context.db, {
    memberId,
    ...readStatementFilter(filter),
    before: readIdCursor(cursor),
    limit: limit + OPERATION_LINES,
  });
  const last = found[limit - 1];
  const end = last ? found.findIndex((line, index) => index >= limit && !isSameOperation(line, last)) : -1;
  const lines = end === -1 ? found : found.slice(0, end);
  const hasMore = lines.length < found.length || found.length === limit + OPERATION_LINES;
  return { items: lines.map(showMovement), next_cursor: hasMore ? String(lines.at(-1)?.position) : null };
}

/** Transfers of an operation are posted together, with the same reference. */
const isSameOperation = (one: StatementLine, other: StatementLine): boolean =>
  one.reference === other.reference && one.createdAt.getTime() === other.createdAt.getTime();

const showMovement = (line: StatementLine): Movement => ({
  id: line.position.toString(),
  kind: line.reason,
  wallet: walletOf[line.class],
  amount: toDollars(line.signedMicros),
  balance_after: toDollars(line.balanceAfterMicros),
  reference: line.reference,
  note: line.note,
  created_at: line.createdAt.toISOString(),
});

/** Filter of the list, its CSV file and its totals. */
export type StatementFilter = QueryOf<typeof funds.getStatement>;

/** @throws Refused period_turned when the period ends before it begins */
export function readStatementFilter({
  kind,
  wallet,
  from,
  to,
}: StatementFilter): Pick<StatementQuery, 'classes' | 'reasons' | 'from' | 'to'> {
  return {
    classes: wallet === undefined ? undefined : [classOfWallet[wallet]],
    reasons: kind === undefined ? undefined : [kind],
    ...readPeriod({ from, to }),
  };
}

/** The statement's names of the member's account classes in the ledger. */
export const walletOf = {
  primary: 'primary',
  profit: 'profit',
  trade_escrow: 'in_trades',
  investment: 'invested',
  withdrawal_hold: 'on_hold',
} as const satisfies Record<string, StatementWallet>;

type WalletClass = keyof typeof walletOf;

/** The account behind a wallet: `classOfWallet.in_trades === 'trade_escrow'`. */
export const classOfWallet = Object.fromEntries(
  Object.entries(walletOf).map(([name, wallet]) => [wallet, name]),
) as Record<StatementWallet, WalletClass>;

const head = ['Date (UTC)', 'Type', 'Wallet', 'Amount (USD)', 'Balance after (USD)', 'Reference', 'Note'];

/**
 * All matching lines as CSV, newest first. It contains only lines, so that its columns can be summed; amounts have the
 * ledger's six decimals.
 *
 * @throws Refused period_turned, before the first line
 */
export function writeStatement({ db }: Context, memberId: bigint, filter: StatementFilter): TextFile {
  const query = { memberId, ...readStatementFilter(filter) };
  const list = (last: StatementLine | undefined, limit: number) =>
    listStatement(db, { ...query, before: last?.position, limit });
  return { name: statementFileName(query.from, query.to), text: writeCsv(head, cellsOf, list) };
}

const cellsOf = (line: StatementLine): CsvCell[] => [
  line.createdAt.toISOString(),
  wordsOfKind(line.reason),
  walletWords[walletOf[line.class]],
  line.signedMicros,
  line.balanceAfterMicros,
  line.reference,
  line.note,
];

const DAY_LENGTH = 'YYYY-MM-DD'.length;

/**
 * File name of a statement by the UTC days it covers. The period excludes `to`, so March is
 * `transactions-2026-03-01-to-2026-03-31.csv`; without bounds it is `transactions-beginning-to-today.csv`.
 */
function statementFileName(from: Date | undefined, to: Date | undefined): string {
  const first = from === undefined ? 'beginning' : dayOf(from);
  const last =
    to === undefined ? 'today' : dayOf(new Date(Math.max(to.getTime() - 1, from?.getTime() ?? to.getTime() - 1)));
  return `transactions-${first}-to-${last}.csv`;
}

const dayOf = (at: Date): string => at.toISOString().slice(0, DAY_LENGTH);
