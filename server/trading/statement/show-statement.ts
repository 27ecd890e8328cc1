import type { DataOf, QueryOf } from '#contract/endpoint.ts';
import { toDollars } from '#contract/money.ts';
import type {
  consoleStatement,
  ExchangeStatement,
  StatementBooking,
  StatementFinding,
  StatementLine,
} from '#contract/operator/statement.ts';
import { listProposalRows } from '#server/approvals/index.ts';
import type { Context } from '#server/context.ts';
import { cutPage, readIdCursor } from '#server/cursor.ts';
import type { Db } from '#server/db/connect.ts';
import { isBookable } from './book-line.ts';
import {
  type Finding,
  listFindingRows,
  listFindingsOf,
  listImports,
  type StoredFill,
  type StoredLine,
} from './finding-sql.ts';
import { exchangeOf, listMoves, type TreasuryMove } from './import-statement.ts';
import { findStatementState, getCoverage, sumOpenFindings } from './statement-sql.ts';

const IMPORTS_SHOWN = 5;

/** The latest imports of the exchange's statement, and its open findings. */
export async function showStatement(context: Context): Promise<ExchangeStatement> {
  const { db, config } = context;
  const exchange = config.venue === 'ccxt' ? exchangeOf(context) : null;
  const [imports, open, state] = await Promise.all([
    listImports(db, IMPORTS_SHOWN),
    sumOpenFindings(db),
    findStatementState(db),
  ]);
  const { to } = await getCoverage(db, exchange ?? '');
  return {
    exchange,
    imports: imports.map(({ id, from, to: until, at, lines, added, matched, ...row }) => ({
      ...{
        id: id.toString(),
        exchange: row.exchange,
        covered_from: from.toISOString(),
        covered_to: until.toISOString(),
      },
      imported_at: at.toISOString(),
      lines,
      new_lines: Number(added),
      matched: Number(matched),
    })),
    open: Number(open.count),
    asked: state.askedAt !== null && (to === null || state.askedAt > to),
    fault: state.fault,
    fault_at: state.faultAt?.toISOString() ?? null,
  };
}

type ListFindings = typeof consoleStatement.listFindings;

/** Findings by state, or one. */
export async function listFindings(
  { db }: Context,
  { state, id, cursor, limit }: QueryOf<ListFindings>,
): Promise<DataOf<ListFindings>> {
  const found =
    id === undefined
      ? await listFindingRows(db, { state, after: readIdCursor(cursor), limit: limit + 1 })
      : await listFindingsOf(db, [BigInt(id)]);
  const { rows, nextCursor } = cutPage(found, limit, ({ id }) => id);
  return { items: await showFindings(db, rows), next_cursor: nextCursor };
}

/** The part of the payload that identifies the finding. */
type PendingPayload = { readonly findingId: string };
const MAX_PENDING = 1000;

/** Pending proposals, by finding. */
export async function listPending(db: Db): Promise<ReadonlyMap<string, string>> {
  const filter = { state: 'proposed', after: undefined, limit: MAX_PENDING } as const;
  const rows = await listProposalRows<PendingPayload>(db, 'statement_line', filter);
  return new Map(rows.map(({ payload, reference }) => [payload.findingId, reference as string]));
}

export async function showFindings(db: Db, findings: readonly Finding[]): Promise<StatementFinding[]> {
  const pending = findings.some(({ state }) => state === 'open') ? await listPending(db) : new Map<string, string>();
  const moves = findings.some(({ transferId }) => transferId !== null) ? await listMoves(db, new Date(0)) : [];
  return findings.map((finding) => ({
    id: finding.id.toString(),
    exchange: finding.exchange,
    kind: finding.kind,
    state: finding.state,
    found_at: finding.foundAt.toISOString(),
    closed_at: finding.closedAt?.toISOString() ?? null,
    line: finding.line && showLine(finding.line),
    booking:
      finding.fill === null
        ? showMove(moves.find(({ transferId }) => transferId === finding.transferId))
        : showFill(finding.fill),
    bookable: finding.state === 'open' && isBookable(finding),
    settlement: finding.reference ?? pending.get(finding.id.toString()) ?? null,
  }));
}

const instantOf = (text: string): string => new Date(text).toISOString();

const showLine = ({ orderId, clientOrderId, feeCoin, at, pair, ...line }: StoredLine): StatementLine => ({
  ...line,
  at: instantOf(at),
  pair: pair === '' ? null : pair,
  order_id: orderId,
  client_order_id: clientOrderId,
  fee_coin: feeCoin,
});

const showFill = ({ batchId, tradeId, orderId, feeCoin, at, ...fill }: StoredFill): StatementBooking => ({
  ...fill,
  kind: 'fill',
  at: instantOf(at),
  batch_id: batchId,
  trade_id: tradeId,
  order_id: orderId,
  fee_coin: feeCoin,
  reference: null,
  transfer_id: null,
  amount: null,
  transaction: null,
});

function showMove(move: TreasuryMove | undefined): StatementBooking | null {
  if (move === undefined) return null;
  return {
    kind: move.kind,
    at: move.at.toISOString(),
    batch_id: null,
    trade_id: null,
    order_id: null,
    symbol: null,
    side: null,
    quantity: null,
    cost: null,
    fee: null,
    fee_coin: null,
    reference: move.reference,
    transfer_id: move.transferId.toString(),
    amount: toDollars(move.amountMicros),
    transaction: move.transaction,
  };
}
