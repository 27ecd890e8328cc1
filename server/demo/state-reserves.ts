import type { Context } from '#server/context.ts';
import { inTransaction } from '#server/db/tx.ts';
import { publishReserve, type SignedReserve, writeReserveProposal } from '#server/solvency/index.ts';
import { demoOrigin } from './make-operators.ts';

/** Signed with a public test key: `SHA-256("tradewind demo reserve")`. */
export const demoReserves: { readonly published: SignedReserve; readonly waiting: SignedReserve } = {
  published: {
    network: 'bitcoin_testnet',
    address: 'tb1pck59rstxnnu30258haukj5req0yh5728hgjdng8esqe8fmy4pf6qwxa4yq',
    amount: '0.25',
    asset: 'BTC',
    message: 'Tradewind demo, 2026-01-31: this address of a test network is ours. It holds nothing of value.',
    signature: 'AUC5dNRtNuGglnW8qxQG06MT5evLeH6uqSW3Uz39yxGhlGwefzlI/S4w8f9Atk1UCTwcm3yDNUK/j20lj9YRZOjr',
    signedOn: '2026-01-31',
  },
  waiting: {
    network: 'ethereum',
    address: '0xF3f56A64b6a98A6b975cD19c23da68b847219b64',
    amount: '3.5',
    asset: 'ETH',
    message: 'Tradewind demo, 2026-01-31: this address is ours. Its key is a test key, and it holds nothing of value.',
    signature:
      '0x415e264163b169ed6d945fa6daa80d607e17872c846ed0b9ad28f6653f12260f71753149b11da24e6bf83588e80745c6ab127a8985ad461f385468093c5f0a301b',
    signedOn: '2026-01-31',
  },
};

/** A published statement of reserves, and one that awaits a second operator. */
export async function stateReserves(context: Context, operatorId: bigint): Promise<void> {
  const by = { operatorId, address: demoOrigin.address };
  await inTransaction(context.db, async (tx) => {
    await publishReserve(tx, context, demoReserves.published);
    await writeReserveProposal(tx, context, by, demoReserves.waiting, 'A second address, on another network');
  });
}
