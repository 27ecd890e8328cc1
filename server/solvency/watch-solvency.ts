import { AssertionError } from 'node:assert';
import { formatDollars } from '#contract/money.ts';
import type { Context } from '#server/context.ts';
import type { Db } from '#server/db/connect.ts';
import { clearAlarm, findAlarm, raiseAlarm } from './alarm.ts';
import { type Cover, readCover } from './get-reported.ts';

/**
 * The solvency check of docs/product.md, section 1, run every minute: payouts stop when liabilities exceed the lower of
 * booked and reported assets, or when the ledger does not balance. Either is confirmed by a second check before the
 * alarm.
 */
export async function watchSolvency(context: Context): Promise<void> {
  const active = await findAlarm(context.db, 'solvency');
  const why = (await findShortfall(context)) && (await findShortfall(context));
  if (why !== undefined) await raiseAlarm(context, 'solvency', why);
  else if (active !== undefined) await clearAlarm(context, active);
}

async function findShortfall(context: Context): Promise<string | undefined> {
  try {
    const cover = await readCover(context);
    warnOfMissingReports(context, cover);
    return cover.sheet.liabilities > cover.counted ? describe(cover) : undefined;
  } catch (error) {
    if (!(error instanceof AssertionError)) throw error;
    context.log.error({ err: error }, 'ledger does not balance');
    return 'The ledger does not balance: assets do not equal liabilities plus surplus.';
  }
}

function describe({ sheet, counted }: Cover): string {
  const source =
    counted < sheet.assets.booked
      ? 'reported by gateway and exchange, without what is on its way between them'
      : 'by the ledger';
  return `Assets do not cover liabilities: liabilities ${formatDollars(sheet.liabilities)}, assets ${formatDollars(counted)} ${source}.`;
}

/** Named in the log so far, by process and database. */
const reported = new WeakMap<Db, string>();

/** Without a report for an hour, the ledger balance counts. Said once, until other reports are missing. */
function warnOfMissingReports({ db, log }: Context, { gateway, venue }: Cover): void {
  const missing = Object.entries({ gateway, venue }).filter(([, { state }]) => state === 'unknown');
  const sources = missing.map(([name]) => name);
  if (sources.length > 0 && reported.get(db) !== sources.join())
    log.warn({ sources }, 'no asset report within the last hour');
  reported.set(db, sources.join());
}
