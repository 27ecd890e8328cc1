import type { PayoutNetwork } from '#contract/funds/withdrawals.ts';
import type { Context } from '#server/context.ts';
import { Faults } from '#server/faults.ts';
import { Refused } from '#server/refused.ts';
import { listSentPayouts, orderOf, sumSentByHand } from '../withdrawals/withdrawal.ts';
import { btcpayGateway } from './btcpay/gateway.ts';
import type { Gateway, GatewayName } from './gateway.ts';
import { nowpaymentsGateway } from './nowpayments/gateway.ts';
import { sandboxGateway } from './sandbox/gateway.ts';

const gateways: Readonly<Record<GatewayName, (context: Context) => Gateway>> = {
  sandbox: sandboxGateway,
  btcpay: btcpayGateway,
  nowpayments: nowpaymentsGateway,
};

/** The configured gateways (`PAYMENTS`), in order of preference. */
export const chooseGateways = (context: Context): Gateway[] =>
  context.config.payments.map((name) => gateways[name](context));

/**
 * What is in progress at a gateway that is no longer configured is handed over to a person after this time; until then
 * its name may have been left out of `PAYMENTS` by mistake.
 */
export const GATEWAY_GONE_AFTER_MS = 7 * 24 * 3_600_000;

/** Networks that a deposit can be paid with, in display order; empty when there is no choice. */
export const listPayWith = (chosen: readonly Gateway[]): PayoutNetwork[] =>
  chosen.flatMap((gateway) => gateway.payWith);

/**
 * The gateway for a deposit's payment network; a missing choice selects the only option. Refuses `pay_with_unavailable`
 * for a network that no gateway accepts, and for a missing choice among several.
 */
export function chooseGatewayFor(
  chosen: readonly Gateway[],
  payWith: PayoutNetwork | undefined,
): { readonly gateway: Gateway; readonly payWith: PayoutNetwork | null } {
  const offered = listPayWith(chosen);
  const [only] = chosen;
  if (offered.length === 0 && payWith === undefined && only !== undefined) return { gateway: only, payWith: null };
  const network = payWith ?? (offered.length === 1 ? offered[0] : undefined);
  const gateway = chosen.find((one) => network !== undefined && one.payWith.includes(network));
  if (gateway === undefined || network === undefined) throw new Refused('pay_with_unavailable');
  return { gateway, payWith: network };
}

/**
 * Runs work for each gateway in turn and sums the results. An error at one does not skip the others; it is thrown after
 * the last.
 */
export async function atEach(chosen: readonly Gateway[], work: (gateway: Gateway) => Promise<number>): Promise<number> {
  const faults = new Faults();
  let done = 0;
  for (const gateway of chosen) done += (await faults.keep(() => work(gateway))) ?? 0;
  faults.throwAny();
  return done;
}

/**
 * Total of the gateways' reported balances (`Gateway.reportBalance`) plus payouts already sent but still booked there;
 * undefined while any report is incomplete.
 */
export async function reportGateways(context: Context): Promise<bigint | undefined> {
  // Read before the balance, here and at each gateway: money sent in between is missing from both, never counted twice.
  let held = await sumSentByHand(context.db);
  for (const gateway of chooseGateways(context)) {
    const sent = await sumSent(context, gateway);
    const reported = await gateway.reportBalance();
    if (reported === undefined) return undefined;
    held += reported + sent;
  }
  return held;
}

async function sumSent({ db }: Context, gateway: Gateway): Promise<bigint> {
  let sum = 0n;
  for (const row of await listSentPayouts(db, gateway.name)) {
    const order = orderOf(row);
    const payout = await gateway.getPayout(row.payout_id, order);
    const isSent = payout?.state === 'completed' || (payout?.state === 'waiting' && payout.transaction !== null);
    if (isSent) sum += order.amountMicros;
  }
  return sum;
}
