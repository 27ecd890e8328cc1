import { csvLines } from '#contract/csv.ts';
import { walletWords } from '#contract/funds/statement-labels.ts';
import { wordsOfKind } from '#contract/ledger-reasons.ts';
import type { Context } from '#server/context.ts';
import type { Db } from '#server/db/connect.ts';
import { listStatement, type StatementLine, type StatementQuery } from '#server/ledger/index.ts';
import { walletOf } from '../core/statement-wallets.ts';
import { readStatementFilter, type StatementFilter } from './read-statement-filter.ts';

const LINES_AT_ONCE = 1_000;

const head = ['When (UTC)', 'What', 'Wallet', 'Amount (USD)', 'Balance after (USD)', 'Reference', 'Note'];

/**
 * All lines that match as the text of a CSV file, newest first, made while it is read: there can be a million of them. The
 * table holds nothing but lines, so that its columns can be summed; amounts have the ledger's six decimals.
 *
 * @throws Refused period_turned, before the first line
 */
export function writeStatement(
  { db }: Context,
  memberId: bigint,
  filter: StatementFilter,
): { readonly name: string; readonly text: AsyncIterable<string> } {
  const wanted = readStatementFilter(filter);
  return { name: statementFileName(wanted.from, wanted.to), text: writeLines(db, { memberId, ...wanted }) };
}

async function* writeLines(db: Db, query: Omit<StatementQuery, 'before' | 'limit'>): AsyncGenerator<string> {
  yield csvLines([head]);
  let lines: StatementLine[] = [];
  do {
    lines = await listStatement(db, { ...query, before: lines.at(-1)?.position, limit: LINES_AT_ONCE });
    yield csvLines(lines.map(cellsOf));
  } while (lines.length === LINES_AT_ONCE);
}

const cellsOf = (line: StatementLine) => [
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
 * The name of a statement's file, by the UTC days it covers. The period ends before `to`, so a whole month of March is
 * `transactions-2026-03-01-to-2026-03-31.csv`; without bounds it is `transactions-beginning-to-today.csv`.
 */
function statementFileName(from: Date | undefined, to: Date | undefined): string {
  const first = from === undefined ? 'beginning' : dayOf(from);
  const last =
    to === undefined ? 'today' : dayOf(new Date(Math.max(to.getTime() - 1, from?.getTime() ?? to.getTime() - 1)));
  return `transactions-${first}-to-${last}.csv`;
}

const dayOf = (at: Date): string => at.toISOString().slice(0, DAY_LENGTH);
