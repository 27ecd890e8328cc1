import { AssertionError } from 'node:assert';
import { formatDollars } from '#contract/format-dollars.ts';
import type { Context } from '#server/context.ts';
import { clearAlarm, raiseAlarm } from './alarm.ts';
import { type Cover, readCover } from './get-reported.ts';

/**
 * The alarm of docs/product.md, section 1, looked at each minute: when more is owed than the lower of booked and
 * reported assets, payouts stop. Books that do not add up by themselves are no better. Either is looked at once more
 * before it alarms.
 */
export async function watchSolvency(context: Context): Promise<void> {
  const why = (await findShortfall(context)) && (await findShortfall(context));
  if (why === undefined) await clearAlarm(context, 'solvency');
  else await raiseAlarm(context, 'solvency', why);
}

async function findShortfall(context: Context): Promise<string | undefined> {
  try {
    const cover = await readCover(context);
    warnOfSilence(context, cover);
    return cover.sheet.liabilities > cover.counted ? describe(cover) : undefined;
  } catch (error) {
    if (!(error instanceof AssertionError)) throw error;
    context.log.error({ err: error }, 'the books do not add up');
    return 'The books do not add up: assets are not liabilities and surplus.';
  }
}

function describe({ sheet, counted }: Cover): string {
  const against = counted < sheet.assets.booked ? 'gateway and exchange report' : 'the books hold';
  return `More is owed than held: ${formatDollars(sheet.liabilities)} are owed, ${against} ${formatDollars(counted)}.`;
}

/** The books stand for who has not answered for an hour. */
function warnOfSilence({ log }: Context, { gateway, venue }: Cover): void {
  const silent = Object.entries({ gateway, venue }).filter(([, { state }]) => state === 'unknown');
  if (silent.length > 0) log.warn({ sources: silent.map(([name]) => name) }, 'no report of assets for an hour');
}
