import { Decimal } from 'decimal.js';
import { z } from 'zod';
import { queryServer } from '../call-server.ts';
import { getBitcoinRate } from './payouts.ts';
import { type Btcpay, lightningBalanceShape, storeMethodShape, toMicros, walletShape } from './shapes.ts';

const BITCOIN = 'BTC-CHAIN';
/** Two payment methods of the same Lightning node. */
const LIGHTNING: readonly string[] = ['BTC-LN', 'BTC-LNURL'];

const SATOSHI_PER_BITCOIN = 100_000_000;
const MILLISATOSHI_PER_BITCOIN = 100_000_000_000;

/**
 * Balance of the store's Bitcoin wallet and Lightning node in micros at the current rate. Includes unconfirmed coins,
 * because a payout's change is unconfirmed at first. Undefined when the balance would be partial: for a store with
 * other payment methods, or a node that does not report its channels.
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
  const methods = await queryServer(
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
  return (await queryServer(btcpay, { method: 'GET', path }, walletShape)).balance;
}

/**
 * Balance of the store's node: the local side of its channels, including those opening or closing, and its on-chain
 * wallet, if any. The remote side of a channel belongs to the peer.
 */
async function readNode(btcpay: Btcpay): Promise<Decimal | undefined> {
  const path = `/stores/${btcpay.storeId}/lightning/BTC/balance`;
  const { offchain, onchain } = await queryServer(btcpay, { method: 'GET', path }, lightningBalanceShape);
  if (!offchain?.local) return undefined;
  const channels = sum(offchain.local, offchain.opening, offchain.closing).div(MILLISATOSHI_PER_BITCOIN);
  return channels.plus(sum(onchain?.confirmed, onchain?.unconfirmed, onchain?.reserved).div(SATOSHI_PER_BITCOIN));
}

const sum = (...parts: (Decimal | null | undefined)[]): Decimal =>
  parts.reduce<Decimal>((total, part) => total.plus(part ?? 0), new Decimal(0));
