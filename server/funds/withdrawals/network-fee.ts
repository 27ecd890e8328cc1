import type { PayoutNetwork } from '#contract/funds/withdrawals.ts';
import { toDollars } from '#contract/money.ts';
import type { Config } from '#server/config.ts';
import type { Context } from '#server/context.ts';
import type { Gateway } from '../gateways/gateway.ts';

/** So long an estimate is shown to everybody who asks. */
const KEPT_MS = 60_000;

type Estimate = { readonly at: number; readonly micros: Promise<bigint | undefined> };

const kept = new WeakMap<Config, Map<PayoutNetwork, Estimate>>();

/** Who pays on this network and knows what the network takes. */
export const findEstimator = (gateways: readonly Gateway[], network: PayoutNetwork): Gateway | undefined =>
  gateways.find((gateway) => gateway.estimateNetworkFee !== undefined && gateway.canPay(network));

/**
 * What the network would take for a payout, in dollars; the house pays it (docs/product.md, section 5). Null where nobody
 * estimates it. Refuses `gateway_unavailable`: not known is not zero.
 */
export async function getNetworkFee(
  { config, now }: Context,
  gateways: readonly Gateway[],
  network: PayoutNetwork,
): Promise<{ estimate: number | null }> {
  const estimates = kept.get(config) ?? new Map<PayoutNetwork, Estimate>();
  kept.set(config, estimates);
  const at = now().getTime();
  const known = estimates.get(network);
  const asked = findEstimator(gateways, network)?.estimateNetworkFee;
  if (asked === undefined) return { estimate: null };
  const estimate = known && at - known.at < KEPT_MS ? known : { at, micros: asked(network) };
  estimates.set(network, estimate);
  try {
    const micros = await estimate.micros;
    return { estimate: micros === undefined ? null : toDollars(micros) };
  } catch (error) {
    if (estimates.get(network) === estimate) estimates.delete(network);
    throw error;
  }
}
