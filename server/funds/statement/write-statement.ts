import { csvLines } from '#contract/csv.ts';
import { walletWords } from '#contract/funds/statement-labels.ts';
import { wordsOfKind } from '#contract/ledger-reasons.ts';
import type { Context } from '#server/context.ts';
import type { Db } from '#server/db/connect.ts';
import { listStatement, type StatementLine, type StatementQuery } from '#server/ledger/index.ts';
import { statementFileName } from '../core/statement-file-name.ts';
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
