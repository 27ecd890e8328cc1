import type { PayoutNetwork } from '#contract/funds/withdrawals.ts';
import { toDollars } from '#contract/money.ts';
import type { Config } from '#server/config.ts';
import type { Context } from '#server/context.ts';
import type { Gateway } from '../gateways/gateway.ts';

const CACHED_MS = 60_000;

type Estimate = { readonly at: number; readonly micros: Promise<bigint | undefined> };

const cache = new WeakMap<Config, Map<PayoutNetwork, Estimate>>();

/** The gateway that pays on this network and estimates its fee. */
export const findEstimator = (gateways: readonly Gateway[], network: PayoutNetwork): Gateway | undefined =>
  gateways.find((gateway) => gateway.estimateNetworkFee !== undefined && gateway.canPay(network));

/**
 * Estimated network fee of a payout in dollars, paid by the house (docs/product.md, section 5). Null when no gateway
 * estimates it. Refuses `gateway_unavailable`: unknown is not zero.
 */
export async function getNetworkFee(
  { config, now }: Context,
  gateways: readonly Gateway[],
  network: PayoutNetwork,
): Promise<{ estimate: number | null }> {
  const estimates = cache.get(config) ?? new Map<PayoutNetwork, Estimate>();
  cache.set(config, estimates);
  const at = now().getTime();
  const known = estimates.get(network);
  const estimateFee = findEstimator(gateways, network)?.estimateNetworkFee;
  if (estimateFee === undefined) return { estimate: null };
  const estimate = known && at - known.at < CACHED_MS ? known : { at, micros: estimateFee(network) };
  estimates.set(network, estimate);
  try {
    const micros = await estimate.micros;
    return { estimate: micros === undefined ? null : toDollars(micros) };
  } catch (error) {
    if (estimates.get(network) === estimate) estimates.delete(network);
    throw error;
  }
}
