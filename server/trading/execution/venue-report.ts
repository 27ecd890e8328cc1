import { writeDollars } from '#contract/money.ts';
import { listPostedSince } from '#server/approvals/index.ts';
import type { Context } from '#server/context.ts';
import type { Db } from '#server/db/connect.ts';
import { getHouseBalance } from '#server/ledger/index.ts';
import { listAssets } from '#server/market/index.ts';
import { residualOf } from '../core/execution/holding-state.ts';
import { compareBalances, isDifferent, reportedHolding, type VenueLine } from '../core/execution/venue-difference.ts';
import { Exact, valueAtMark } from '../core/price.ts';
import { type HaltedAsset, listHaltedAssets } from '../halts/halt-trading.ts';
import { sumOpenFindings } from '../statement/statement-sql.ts';
import { type Batch, listUnfinished } from './batch-sql.ts';
import {
  countFills,
  countRounded,
  type ExposureDifference,
  listExposureDifferences,
  sumOpenCost,
  sumUnanswered,
} from './exposure-sql.ts';
import { listHoldings, listMemberPositions } from './holding-sql.ts';
import { openVenue } from './venue-ccxt.ts';
import type { Venue } from './venue-port.ts';
import { findVenueState, type VenueState } from './venue-state.ts';

/** What the exchange holds of an asset beyond members' coins, as left by rounding. */
export type Residual = {
  readonly symbol: string;
  /** Coins, signed: negative for a shortfall. */
  readonly quantity: string;
  /** Its value at the mark, in unsigned micros; null without a mark. */
  readonly valueMicros: bigint | null;
};

export type VenueReport = {
  readonly venue: VenueState;
  /** The venue balance in the ledger, with open positions at cost. */
  readonly ledgerMicros: bigint;
  /** Total cost of all open positions. */
  readonly openCostMicros: bigint;
  readonly lines: readonly VenueLine[];
  readonly residuals: readonly Residual[];
  readonly unfinished: readonly Batch[];
  readonly halted: readonly HaltedAsset[];
  /** Statement entries that are neither matched nor settled. */
  readonly openEntries: bigint;
  /** Every discrepancy, in words; empty when the exchange agrees with the ledger. */
  readonly findings: readonly string[];
};

/** The residual of each asset (docs/product.md, section 1: a separate line). */
export async function listResiduals({ db }: Pick<Context, 'db'>): Promise<Residual[]> {
  const holdings = await listHoldings(db);
  const members = await listMemberPositions(db);
  const known = new Map(holdings.map((one) => [one.symbol, one]));
  return members.flatMap(({ symbol, ...own }) => {
    const { held = '0', mark = null } = known.get(symbol) ?? {};
    const quantity = residualOf(held, own);
    return Number(quantity) === 0 ? [] : [{ symbol, quantity, valueMicros: valueAtMark(quantity, mark) }];
  });
}

/**
 * Compares the exchange's balances with the ledger's `venue` account and the holdings. Expected dollars: the ledger's
 * venue balance less the cost of open positions less the value of the residual.
 *
 * Venue balance 1 000, positions cost 400, a residual of 0.3 coins valued at 30: 1 000 − 400 − 30 = 570.
 *
 * @throws VenueFault when the exchange does not respond
 */
export async function reportVenue(context: Context, given?: Venue): Promise<VenueReport> {
  const { db } = context;
  const venue = given ?? (await openVenue(context));
  const { total } = await venue.listBalances();
  const [held, unfinished] = [await listHoldings(db), await listUnfinished(db)];
  const ledgerMicros = -(await getHouseBalance(db, 'venue'));
  const openCostMicros = await sumOpenCost(db);
  const booked = writeDollars(ledgerMicros - openCostMicros - (await sumUnanswered(db)));
  const coins = new Map(held.map((row) => [venue.coinOf(row.symbol), row.held]));
  const { roundedPerFill } = venue;
  const rounded = roundedPerFill === '0' ? '0' : new Exact(roundedPerFill).times(await countFills(db)).toFixed();
  const roundings = held.length + (await countRounded(db)) + 2 * (await countStated(db));
  const lines = compareBalances(total, venue.dollar, booked, coins);
  return {
    venue: await findVenueState(db),
    ledgerMicros,
    openCostMicros,
    lines,
    residuals: await listResiduals(context),
    unfinished,
    halted: await listHaltedAssets(db),
    openEntries: (await sumOpenFindings(db)).count,
    findings: [
      ...lines.filter((line) => isDifferent(line, venue.dollar, roundings, rounded)).map(describeDifference),
      ...(await listExposureDifferences(db)).map(describeExposure),
      ...unfinished.map(describeUnfinished),
    ],
  };
}

/** Orders of which operators stated what was filled: cost and fee in micros, while the exchange keeps more decimals. */
async function countStated(db: Db): Promise<number> {
  const posted = await listPostedSince<{ readonly order?: unknown }>(db, 'venue_fill', new Date(0));
  return posted.filter(({ payload }) => payload.order !== undefined).length;
}

const describeDifference = ({ coin, reported, booked, difference }: VenueLine): string =>
  `${coin}: the exchange reports ${reported}, the ledger says ${booked}, difference ${difference.startsWith('-') ? '' : '+'}${difference}`;

const describeExposure = ({ symbol, kept, counted }: ExposureDifference): string =>
  `${symbol}: stored exposure ${kept}, open trades ${counted}`;

const describeUnfinished = ({ id, symbol, clientOrderId }: Batch): string =>
  clientOrderId === null
    ? `${symbol}: batch ${id} is not booked yet`
    : `${symbol}: order ${clientOrderId} of batch ${id} is not booked yet`;

/**
 * The exchange's reported holding in micros, positions at cost (`reportedHolding`); undefined when unknown.
 *
 * @throws VenueFault when the exchange does not respond
 */
export async function reportHolding(context: Context, given?: Venue): Promise<bigint | undefined> {
  const venue = given ?? (await openVenue(context));
  const { ledgerMicros, lines } = await reportVenue(context, venue);
  const assets = await listAssets(context.db);
  const prices = new Map(assets.map(({ symbol, mark }) => [venue.coinOf(symbol), mark?.price ?? null]));
  return reportedHolding(ledgerMicros, lines, { dollar: venue.dollar, prices });
}
