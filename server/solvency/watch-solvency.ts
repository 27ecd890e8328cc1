import { AssertionError } from 'node:assert';
import { formatDollars } from '#contract/money.ts';
import type { Context } from '#server/context.ts';
import { clearAlarm, findAlarm, raiseAlarm } from './alarm.ts';
import { type Cover, readCover } from './get-reported.ts';

/**
 * The alarm of docs/product.md, section 1, looked at each minute: when more is owed than the lower of booked and
 * reported assets, payouts stop. The same holds for a ledger that does not balance. Either is confirmed by a second look
 * before it alarms.
 */
export async function watchSolvency(context: Context): Promise<void> {
  const standing = await findAlarm(context.db, 'solvency');
  const why = (await findShortfall(context)) && (await findShortfall(context));
  if (why !== undefined) await raiseAlarm(context, 'solvency', why);
  else if (standing !== undefined) await clearAlarm(context, standing);
}

async function findShortfall(context: Context): Promise<string | undefined> {
  try {
    const cover = await readCover(context);
    warnOfSilence(context, cover);
    return cover.sheet.liabilities > cover.counted ? describe(cover) : undefined;
  } catch (error) {
    if (!(error instanceof AssertionError)) throw error;
    context.log.error({ err: error }, 'ledger does not balance');
    return 'The ledger does not balance: assets do not equal liabilities plus surplus.';
  }
}

function describe({ sheet, counted }: Cover): string {
  const source = counted < sheet.assets.booked ? 'reported by gateway and exchange' : 'by the ledger';
  return `Assets do not cover liabilities: liabilities ${formatDollars(sheet.liabilities)}, assets ${formatDollars(counted)} ${source}.`;
}

/** Without a report for an hour, the ledger balance counts. */
function warnOfSilence({ log }: Context, { gateway, venue }: Cover): void {
  const silent = Object.entries({ gateway, venue }).filter(([, { state }]) => state === 'unknown');
  if (silent.length > 0) log.warn({ sources: silent.map(([name]) => name) }, 'no asset report within the last hour');
}
