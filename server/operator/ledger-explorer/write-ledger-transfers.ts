import { type CsvCell, csvLines } from '#contract/csv.ts';
import type { LedgerTransfer } from '#contract/operator/ledger.ts';
import type { Context } from '#server/context.ts';
import { type ReadFilter, readFilter, readTransfers, type TransferFilter } from './find-ledger-transfers.ts';

const ROWS_AT_ONCE = 1_000;
const MOST_ROWS = 100_000;

const head = [
  'Transfer',
  'Booked (UTC)',
  'Market time (UTC)',
  'From',
  'From member',
  'To',
  'To member',
  'Amount (USD)',
  'Reason',
  'Reference',
  'Key',
  'Note',
  'Reverses',
];

/** The transfers that a filter lets pass as the text of a CSV file, newest first. Refuses `period_turned`, before the first line. */
export async function writeLedgerTransfers(
  context: Context,
  filter: TransferFilter,
): Promise<{ readonly name: string; readonly text: AsyncIterable<string> }> {
  return { name: 'transfers.csv', text: writeRows(context, await readFilter(context.db, filter)) };
}

async function* writeRows({ db }: Context, filter: ReadFilter): AsyncGenerator<string> {
  yield csvLines([head]);
  let written = 0;
  let before: bigint | undefined;
  do {
    const page = await readTransfers(db, { ...filter, before, limit: ROWS_AT_ONCE });
    const items = page.items.slice(0, MOST_ROWS - written);
    yield csvLines(items.map(cellsOf));
    written += items.length;
    before = page.before ?? undefined;
  } while (before !== undefined && written < MOST_ROWS);
}

const cellsOf = (transfer: LedgerTransfer): CsvCell[] => [
  transfer.id,
  transfer.created_at,
  transfer.market_at,
  transfer.from.account,
  transfer.from.member?.referral_code ?? null,
  transfer.to.account,
  transfer.to.member?.referral_code ?? null,
  transfer.amount,
  transfer.reason,
  transfer.reference,
  transfer.key,
  transfer.note,
  transfer.reverses,
];
