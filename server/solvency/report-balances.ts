import type { Context } from '#server/context.ts';
import { inTransaction } from '#server/db/tx.ts';
import { reportGateways } from '#server/funds/index.ts';
import { getHouseBalance } from '#server/ledger/index.ts';
import { Refused } from '#server/refused.ts';
import { reportHolding, VenueFault } from '#server/trading/index.ts';
import { isGatewayReal, isVenueReal } from './get-reported.ts';
import { insertReport, type ReportSource } from './report-sql.ts';

/** Who is asked. Undefined: there was an answer, and it does not say all that is held. */
export type Reporters = Readonly<Record<ReportSource, (context: Context) => Promise<bigint | undefined>>>;

const reporters: Reporters = { gateway: reportGateways, venue: (context) => reportHolding(context) };

/**
 * Asks gateway and exchange what they hold and keeps the answers with their time, in staging and live mode; nobody is asked who
 * holds nothing real. Without an answer nothing is written: the last one grows old, and after an hour it is unknown.
 */
export async function reportBalances(context: Context, ask: Reporters = reporters): Promise<void> {
  const { config } = context;
  if (isGatewayReal(config)) await reportOne(context, 'gateway', ask.gateway);
  if (isVenueReal(config)) await reportOne(context, 'venue', ask.venue);
}

/** So often a holder is asked while the books move meanwhile. */
const TIMES = 3;

/** Stored with what was booked at its time. Where the books never stood still, that is the nearest to the report of what they may have been. */
async function reportOne(context: Context, source: ReportSource, ask: Reporters[ReportSource]): Promise<void> {
  let before = -(await getHouseBalance(context.db, source));
  for (let time = 1; ; time += 1) {
    const micros = await orUnknown(context, source, ask(context));
    if (micros === undefined) return;
    const after = -(await getHouseBalance(context.db, source));
    if (after === before || time === TIMES) {
      const report = { micros, booked: nearest(micros, before, after), at: context.now() };
      return inTransaction(context.db, (tx) => insertReport(tx, source, report));
    }
    before = after;
  }
}

/** Of what lies between two amounts. Of 80 between 100 and 110: 100. */
function nearest(amount: bigint, one: bigint, other: bigint): bigint {
  const [low, high] = one < other ? [one, other] : [other, one];
  return amount < low ? low : amount > high ? high : amount;
}

/** Silence of one does not keep the other from being asked. */
async function orUnknown({ log }: Context, source: ReportSource, asked: Promise<bigint | undefined>) {
  try {
    return await asked;
  } catch (error) {
    const isSilence = error instanceof VenueFault || (error instanceof Refused && error.code === 'gateway_unavailable');
    if (!isSilence) throw error;
    log.warn({ err: error, source }, 'asset report failed');
    return undefined;
  }
}
