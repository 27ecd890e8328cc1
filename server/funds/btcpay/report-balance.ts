import { Decimal } from 'decimal.js';
import { z } from 'zod';
import { askBtcpay, type Btcpay } from './ask-btcpay.ts';
import { getBitcoinRate } from './payouts.ts';
import { storeMethodShape, toMicros, walletShape } from './shapes.ts';

const BITCOIN = 'BTC-CHAIN';

/**
 * What the store's Bitcoin wallet holds, in dollars at the rate of this moment, unconfirmed coins with it: a payout's change
 * comes back unconfirmed. Undefined for a store that takes payments in another way as well: a part of what is held is not known
 * to be all of it.
 *
 * 0.5 BTC at $50,000 are 25 000 000 000 micros. Refuses `gateway_unavailable`.
 */
export async function reportBalance(btcpay: Btcpay): Promise<bigint | undefined> {
  const path = `/stores/${btcpay.storeId}/payment-methods`;
  const query = { onlyEnabled: 'true' };
  const methods = await askBtcpay(btcpay, { method: 'GET', path, query }, z.array(storeMethodShape));
  if (methods.length !== 1 || methods[0]?.paymentMethodId !== BITCOIN) return undefined;
  const { balance } = await askBtcpay(btcpay, { method: 'GET', path: `${path}/${BITCOIN}/wallet` }, walletShape);
  return toMicros(Decimal.mul(balance, await getBitcoinRate(btcpay)));
}
