import type { DataOf } from '#contract/endpoint.ts';
import { toDollars } from '#contract/money.ts';
import type { solvency } from '#contract/solvency/sheet.ts';
import type { Context } from '#server/context.ts';
import { getSolvency } from '#server/income/index.ts';
import { listResiduals } from '#server/trading/index.ts';
import { reportedTotal } from './core/counted-assets.ts';
import { getOwnLeaf } from './get-own-leaf.ts';
import { readCover } from './get-reported.ts';

type Solvency = DataOf<typeof solvency.getSolvency>;

/** The books of a member's page: what the ledger says, what holders report, what is not hedged, and the own place in the seal. */
export async function showSolvency(context: Context, memberId: bigint): Promise<Solvency> {
  const { assets, ...books } = await getSolvency(context);
  const own = await getOwnLeaf(context, memberId);
  return {
    ...books,
    assets: { ...assets, reported: await readReported(context) },
    exposure: await readExposure(context),
    sealed_at: own?.snapshot.taken_at ?? null,
    root: own?.snapshot.root ?? null,
    own,
  };
}

/** Where nothing real is held nobody reports. */
async function readReported(context: Context): Promise<number | null> {
  if (context.config.mode === 'paper') return null;
  const { gateway, venue } = await readCover(context);
  const total = reportedTotal([gateway, venue]);
  return total === null ? null : toDollars(total);
}

/** Assets do not make up for each other: what is short of one is added to what is over of another. */
async function readExposure(context: Context): Promise<Solvency['exposure']> {
  const residuals = await listResiduals(context);
  const isKnown = residuals.every(({ valueMicros }) => valueMicros !== null);
  const micros = residuals.reduce((sum, { valueMicros }) => sum + (valueMicros ?? 0n), 0n);
  return {
    value: isKnown ? toDollars(micros) : null,
    assets: residuals.map(({ symbol, quantity, valueMicros }) => ({
      symbol,
      quantity,
      value: valueMicros === null ? null : toDollars(valueMicros),
    })),
  };
}
