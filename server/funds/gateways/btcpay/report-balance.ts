import { Decimal } from 'decimal.js';
import { z } from 'zod';
import { askBtcpay, type Btcpay } from './ask-btcpay.ts';
import { getBitcoinRate } from './payouts.ts';
import { lightningBalanceShape, storeMethodShape, toMicros, walletShape } from './shapes.ts';

const BITCOIN = 'BTC-CHAIN';
/** Two ways to pay into the same Lightning node. */
const LIGHTNING: readonly string[] = ['BTC-LN', 'BTC-LNURL'];

const SATOSHI_PER_BITCOIN = 100_000_000;
const MILLISATOSHI_PER_BITCOIN = 100_000_000_000;

/**
 * What the store's Bitcoin wallet and its Lightning node hold, in dollars at the rate of this moment, unconfirmed coins with it:
 * a payout's change comes back unconfirmed. Undefined for a store that takes payments in another way as well, and while the
 * node does not say what its channels hold: a part of what is held is not known to be all of it.
 *
 * 0.5 BTC at $50,000 are 25 000 000 000 micros. Refuses `gateway_unavailable`.
 */
export async function reportBalance(btcpay: Btcpay): Promise<bigint | undefined> {
  const coins = await reportCoins(btcpay);
  return coins && toMicros(coins.times(await getBitcoinRate(btcpay)));
}

/** The same in Bitcoin. */
export async function reportCoins(btcpay: Btcpay): Promise<Decimal | undefined> {
  const path = `/stores/${btcpay.storeId}`;
  const query = { onlyEnabled: 'true' };
  const methods = await askBtcpay(
    btcpay,
    { method: 'GET', path: `${path}/payment-methods`, query },
    z.array(storeMethodShape),
  );
  const ids = methods.map((method) => method.paymentMethodId);
  if (ids.length === 0 || ids.some((id) => id !== BITCOIN && !LIGHTNING.includes(id))) return undefined;
  const wallet = ids.includes(BITCOIN) ? await readWallet(btcpay) : new Decimal(0);
  const node = ids.some((id) => LIGHTNING.includes(id)) ? await readNode(btcpay) : new Decimal(0);
  return node && wallet.plus(node);
}

async function readWallet(btcpay: Btcpay): Promise<Decimal> {
  const path = `/stores/${btcpay.storeId}/payment-methods/${BITCOIN}/wallet`;
  return (await askBtcpay(btcpay, { method: 'GET', path }, walletShape)).balance;
}

/**
 * Coins of the store's node: our end of its channels, those that open or close, and its own wallet in the chain. The other
 * end of a channel belongs to somebody else. A node without a wallet in the chain leaves that part out.
 */
async function readNode(btcpay: Btcpay): Promise<Decimal | undefined> {
  const path = `/stores/${btcpay.storeId}/lightning/BTC/balance`;
  const { offchain, onchain } = await askBtcpay(btcpay, { method: 'GET', path }, lightningBalanceShape);
  if (!offchain?.local) return undefined;
  const channels = sum(offchain.local, offchain.opening, offchain.closing).div(MILLISATOSHI_PER_BITCOIN);
  return channels.plus(sum(onchain?.confirmed, onchain?.unconfirmed, onchain?.reserved).div(SATOSHI_PER_BITCOIN));
}

const sum = (...parts: (Decimal | null | undefined)[]): Decimal =>
  parts.reduce<Decimal>((total, part) => total.plus(part ?? 0), new Decimal(0));
