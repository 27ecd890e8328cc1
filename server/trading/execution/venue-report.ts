import type { Context } from '#server/context.ts';
import { getHouseBalance } from '#server/ledger/index.ts';
import { listAssets } from '#server/market/index.ts';
import { valueAtMark } from '../core/execution/hedge-plan.ts';
import { compareBalances, isDifferent, reportedHolding, type VenueLine } from '../core/execution/venue-difference.ts';
import { type ExposureDifference, listExposureDifferences, sumOpenCost } from './hedge-exposure-sql.ts';
import {
  type HedgeOrder,
  type LastRejection,
  listHeld,
  listPending,
  listRejections,
  listUnfinishedOrders,
} from './hedge-sql.ts';
import { openVenue } from './venue-ccxt.ts';
import { coinOf, type Venue } from './venue-port.ts';
import { findVenueState, type VenueState } from './venue-state.ts';

/** A net position that no order hedges yet. */
export type Residual = {
  readonly symbol: string;
  /** Coins, signed: negative where the exchange holds too much. */
  readonly quantity: string;
  /** Dollars of it at the mark, in micros without sign; null without a mark. */
  readonly valueMicros: bigint | null;
};

export type VenueReport = {
  readonly venue: VenueState;
  /** What the ledger says the exchange holds, open positions at their cost. */
  readonly ledgerMicros: bigint;
  /** What all open positions cost. */
  readonly openCostMicros: bigint;
  readonly lines: readonly VenueLine[];
  readonly residuals: readonly Residual[];
  readonly unfinished: readonly HedgeOrder[];
  readonly rejections: readonly LastRejection[];
  /** Whatever does not agree, in words; empty when the exchange has what the ledger says. */
  readonly findings: readonly string[];
};

/** The residual of each asset (docs/product.md, section 1: net exposure not hedged is a line of its own). */
export async function listResiduals(context: Context): Promise<Residual[]> {
  const [pending, assets] = [await listPending(context.db), await listAssets(context.db)];
  const marks = new Map(assets.map((asset) => [asset.symbol, asset.mark?.price ?? null]));
  return pending
    .filter(({ quantity }) => Number(quantity) !== 0)
    .map(({ symbol, quantity }) => ({
      symbol,
      quantity,
      valueMicros: valueAtMark(quantity, marks.get(symbol) ?? null),
    }));
}

/**
 * Compares the exchange's balances with the ledger's `venue` account and the hedges. Expected dollars: the ledger's
 * venue balance less the cost of open positions less the dollars of what is pending.
 *
 * The ledger says 1 000; positions cost 400, of which 30 are not bought yet (pending −30): 1 000 − 400 + 30 = 630.
 *
 * @throws VenueFault when the exchange does not respond
 */
export async function reportVenue(context: Context, given?: Venue): Promise<VenueReport> {
  const { db } = context;
  const balances = await (given ?? (await openVenue(context))).listBalances();
  const [held, pending, unfinished] = [await listHeld(db), await listPending(db), await listUnfinishedOrders(db)];
  const ledgerMicros = -(await getHouseBalance(db, 'venue'));
  const openCostMicros = await sumOpenCost(db);
  const pendingCash = pending.reduce((sum, { membersCash }) => sum + membersCash, 0n);
  const coins = new Map(held.map((row) => [coinOf(row.symbol), row.held]));
  const lines = compareBalances(balances, asDollars(ledgerMicros - openCostMicros - pendingCash), coins);
  return {
    venue: await findVenueState(db),
    ledgerMicros,
    openCostMicros,
    lines,
    residuals: await listResiduals(context),
    unfinished,
    rejections: await listRejections(db),
    findings: [
      ...lines.filter((line) => isDifferent(line, held.length)).map(sayDifference),
      ...(await listExposureDifferences(db)).map(sayExposure),
      ...unfinished.map(sayUnfinished),
    ],
  };
}

/** Micros as decimal text. `asDollars(-1_500_000n) === '-1.500000'` */
function asDollars(micros: bigint): string {
  const digits = (micros < 0n ? -micros : micros).toString().padStart(7, '0');
  return `${micros < 0n ? '-' : ''}${digits.slice(0, -6)}.${digits.slice(-6)}`;
}

const sayDifference = ({ coin, reported, booked, difference }: VenueLine): string =>
  `${coin}: the exchange reports ${reported}, the ledger says ${booked}, difference ${difference.startsWith('-') ? '' : '+'}${difference}`;

const sayExposure = ({ symbol, kept, counted }: ExposureDifference): string =>
  `${symbol}: stored exposure ${kept}, open trades ${counted}`;

const sayUnfinished = (order: HedgeOrder): string =>
  `${order.symbol}: order ${order.clientOrderId} (${order.side} ${order.quantity}) is in flight and not fully booked`;

/**
 * The exchange's reported holding in micros, positions at cost (`reportedHolding`); undefined when unknown. @throws
 * VenueFault when the exchange does not respond
 */
export async function reportHolding(context: Context, given?: Venue): Promise<bigint | undefined> {
  const { ledgerMicros, lines } = await reportVenue(context, given);
  const assets = await listAssets(context.db);
  const prices = new Map(assets.map(({ symbol, mark }) => [coinOf(symbol), mark?.price ?? null]));
  return reportedHolding(ledgerMicros, lines, prices);
}
