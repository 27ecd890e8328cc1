import type { DataOf } from '#contract/endpoint.ts';
import { symbols } from '#contract/rules.ts';
import type { trading } from '#contract/trading/trading.ts';
import type { Context } from '#server/context.ts';
import { inDollars } from './change-limits.ts';
import { depthSince, listLimits } from './limit-sql.ts';

/** Size limits by asset; for all members together the effective limit, including order book depth. */
export async function showLimits(context: Context): Promise<DataOf<typeof trading.listLimits>> {
  const limits = await listLimits(context.db, depthSince(context));
  return {
    items: limits
      .toSorted((a, b) => rankOf(a) - rankOf(b))
      .map(({ roomMicros, ...line }) => ({
        symbol: line.symbol,
        ...inDollars({ ...line, allMicros: roomMicros }),
      })),
  };
}

/** In the specification's order. */
const rankOf = ({ symbol }: { readonly symbol: string }): number => (symbols as readonly string[]).indexOf(symbol);
