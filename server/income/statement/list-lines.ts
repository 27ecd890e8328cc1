import type { DataOf, QueryOf } from '#contract/endpoint.ts';
import { type BonusKind, bonusKinds, type IncomeLine, type income, type LineKind } from '#contract/income.ts';
import { toDollars, toTotal } from '#contract/money.ts';
import type { Context } from '#server/context.ts';
import { cutPage, type Paging, readCursor, readIdCursor } from '#server/cursor.ts';
import type { Db } from '#server/db/connect.ts';
import { inSnapshot } from '#server/db/tx.ts';
import { listIncomes, sumIncomesBetween } from '#server/ledger/index.ts';
import { listSettledTrades, type ResultKind, type SettledTrade, sumResultsBetween } from '#server/trading/index.ts';
import { incomeOf, reasonOf } from '../core/income-reasons.ts';
import { lineId, readLineId } from '../core/line-id.ts';
import { showBonusLine } from '../core/show-line.ts';
import { listPaidLines } from './line-sql.ts';

type Lines = DataOf<typeof income.listLines>;

/**
 * A page of an income's lines, newest first, and its lifetime total: bonuses by session and level, results of trades
 * and plans by trade. The cursor is the id of the last line shown.
 */
export function listLines(context: Context, memberId: bigint, kind: LineKind, paging: Paging): Promise<Lines> {
  return inSnapshot(context.db, (tx) =>
    isBonus(kind) ? listBonuses(tx, memberId, kind, paging) : listResults(tx, memberId, kind, paging),
  );
}

const isBonus = (kind: LineKind): kind is BonusKind => (bonusKinds as readonly string[]).includes(kind);

async function listBonuses(tx: Db, memberId: bigint, kind: BonusKind, { cursor, limit }: Paging): Promise<Lines> {
  const after = readCursor(cursor, readLineId);
  const reason = reasonOf[incomeOf(kind)];
  // The ledger has one transfer per paid session, so other sessions need not be searched. One more than a page, as the
  // cursor's own session may have no lines left.
  const paid = await listIncomes(tx, { memberId, reason, to: after?.day, limit: limit + 2 });
  const days = paid.map(({ day }) => day);
  const found = await listPaidLines(tx, { memberId, kind, days, after, limit: limit + 1 });
  const { rows, nextCursor } = cutPage(found, limit, lineId);
  const total = (await sumIncomesBetween(tx, memberId, [reason]))[reason];
  return { items: rows.map(showBonusLine), next_cursor: nextCursor, total: toTotal(total) };
}

async function listResults(tx: Db, memberId: bigint, kind: ResultKind, { cursor, limit }: Paging): Promise<Lines> {
  const before = readIdCursor(cursor);
  const found = await listSettledTrades(tx, { memberId, kind, before, limit: limit + 1 });
  const { rows, nextCursor } = cutPage(found, limit, ({ id }) => id.toString());
  const total = (await sumResultsBetween(tx, memberId, {}))[kind];
  return { items: rows.map(showResultLine), next_cursor: nextCursor, total: toTotal(total) };
}

const showResultLine = (trade: SettledTrade): IncomeLine => ({
  id: trade.id.toString(),
  session: trade.sessionDay,
  level: null,
  symbol: trade.symbol,
  volume: toDollars(trade.amount),
  fees: toDollars(trade.fee + trade.performanceFee),
  rate: null,
  amount: toDollars(trade.result),
  coverage: null,
  created_at: trade.closedAt.toISOString(),
});

type ListTeamProfit = typeof income.listTeamProfit;

/** The specification's path for the lines of team profit. */
export const listTeamProfit = (
  context: Context,
  memberId: bigint,
  query: QueryOf<ListTeamProfit>,
): Promise<DataOf<ListTeamProfit>> => listLines(context, memberId, 'team-profit', query);
