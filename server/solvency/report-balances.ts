import type { Context } from '#server/context.ts';
import { inTransaction } from '#server/db/tx.ts';
import { reportGateways } from '#server/funds/index.ts';
import { getHouseBalance } from '#server/ledger/index.ts';
import { Refused } from '#server/refused.ts';
import { reportHolding, VenueFault } from '#server/trading/index.ts';
import { isGatewayReal, isVenueReal } from './get-reported.ts';
import { insertReport, type ReportSource } from './report-sql.ts';

/** Sources of asset reports. Undefined means an incomplete report. */
export type Reporters = Readonly<Record<ReportSource, (context: Context) => Promise<bigint | undefined>>>;

const reporters: Reporters = { gateway: reportGateways, venue: (context) => reportHolding(context) };

/**
 * Queries gateway and exchange for their balances and stores them with the time, in staging and live mode; simulated
 * holders are skipped. A failed query stores nothing: the last report ages, and counts as unknown after an hour.
 */
export async function reportBalances(context: Context, sources: Reporters = reporters): Promise<void> {
  const { config } = context;
  if (isGatewayReal(config)) await reportOne(context, 'gateway', sources.gateway);
  if (isVenueReal(config)) await reportOne(context, 'venue', sources.venue);
}

/** Attempts to get a report during which the booked balance does not change. */
const MAX_ATTEMPTS = 3;

/**
 * Stores a report with the balance booked at its time. If that kept changing, stores the value between before and after
 * that is nearest to the report.
 */
async function reportOne(context: Context, source: ReportSource, getReport: Reporters[ReportSource]): Promise<void> {
  let before = -(await getHouseBalance(context.db, source));
  for (let attempt = 1; ; attempt += 1) {
    const micros = await orUnknown(context, source, getReport(context));
    if (micros === undefined) return;
    const after = -(await getHouseBalance(context.db, source));
    if (after === before || attempt === MAX_ATTEMPTS) {
      const report = { micros, booked: nearest(micros, before, after), at: context.now() };
      return inTransaction(context.db, (tx) => insertReport(tx, source, report));
    }
    before = after;
  }
}

/** Clamps an amount to a range: 80 between 100 and 110 is 100. */
function nearest(amount: bigint, one: bigint, other: bigint): bigint {
  const [low, high] = one < other ? [one, other] : [other, one];
  return amount < low ? low : amount > high ? high : amount;
}

/** A failure of one source does not prevent the query of the other. */
async function orUnknown({ log }: Context, source: ReportSource, report: Promise<bigint | undefined>) {
  try {
    return await report;
  } catch (error) {
    const isUnavailable =
      error instanceof VenueFault || (error instanceof Refused && error.code === 'gateway_unavailable');
    if (!isUnavailable) throw error;
    log.warn({ err: error, source }, 'asset report failed');
    return undefined;
  }
}
