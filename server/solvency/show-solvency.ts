import type { DataOf } from '#contract/endpoint.ts';
import { dollarsOrNull, toDollars } from '#contract/money.ts';
import type { solvency } from '#contract/solvency/sheet.ts';
import type { Context } from '#server/context.ts';
import { listCoins } from '#server/funds/index.ts';
import { getSolvency } from '#server/income/index.ts';
import { listResiduals } from '#server/trading/index.ts';
import { type Holding, reportedTotal } from './core/counted-assets.ts';
import { getOwnLeaf } from './get-own-leaf.ts';
import { isGatewayReal, readCover } from './get-reported.ts';
import { findLastPublished } from './heads/heads-sql.ts';

type Residual = Awaited<ReturnType<typeof listResiduals>>[number];
type Solvency = DataOf<typeof solvency.getSolvency>;

/** The solvency page of a member: ledger figures, reported assets, residuals, and the member's proof of liabilities. */
export async function showSolvency(context: Context, memberId: bigint): Promise<Solvency> {
  const { assets, ...sheet } = await getSolvency(context);
  const own = await getOwnLeaf(context, memberId);
  const { gateway, venue } = await readCover(context);
  return {
    ...sheet,
    // Paper mode has no reports.
    assets: {
      ...assets,
      reported: context.config.mode === 'paper' ? null : dollarsOrNull(reportedTotal([gateway, venue])),
    },
    ...(await showAtGateway(context, gateway)),
    ...(await readResiduals(context)),
    sealed_at: own?.snapshot.taken_at ?? null,
    root: own?.snapshot.root ?? null,
    own,
    heads: (await findLastPublished(context.db)) ?? null,
  };
}

/** Coins at gateways, and the deviation of reports from the ledger. */
export async function showAtGateway(context: Context, { deviation }: Holding) {
  const coins = isGatewayReal(context.config) ? await listCoins(context) : [];
  return {
    gateway_deviation: dollarsOrNull(deviation),
    gateway_coins: coins.map(({ asset, units, bookedMicros, valuedAt }) => ({
      asset,
      units,
      value: toDollars(bookedMicros),
      valued_at: valuedAt?.toISOString() ?? null,
      valued: valuedAt !== null && context.now().getTime() - valuedAt.getTime() <= VALUED_MS,
    })),
  };
}

/** Coins are valued hourly; an older valuation is marked. */
const VALUED_MS = 2 * 3_600_000;

/** The total is null if one is unknown. Assets do not offset each other: shortages and excesses add up. */
async function readResiduals(context: Context): Promise<Pick<Solvency, 'exposure' | 'residuals'>> {
  const residuals = await listResiduals(context);
  const isKnown = residuals.every(({ valueMicros }) => valueMicros !== null);
  const micros = residuals.reduce((sum, { valueMicros }) => sum + (valueMicros ?? 0n), 0n);
  return { exposure: isKnown ? toDollars(micros) : null, residuals: residuals.map(showResidual) };
}

export const showResidual = ({ symbol, quantity, valueMicros }: Residual) => ({
  symbol,
  quantity,
  value: dollarsOrNull(valueMicros),
});
