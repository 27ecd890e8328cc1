import { approveProposal } from '#server/approvals/index.ts';
import type { Context } from '#server/context.ts';
import { limitsKind, proposeLimits } from '#server/trading/index.ts';
import { demoOrigin } from './make-operators.ts';

const inForce = [
  { symbol: 'bsv', trade: 5_000, member: 25_000, all: 100_000 },
  { symbol: 'etc', trade: 10_000, member: 50_000, all: 250_000 },
] as const;
const waiting = { symbol: 'fil', trade: 10_000, member: 50_000, all: 250_000 } as const;

/** Size limits of two thinly traded coins, approved by two operators, and of a third that await approval. */
export async function limitThinCoins(context: Context, firstId: bigint, secondId: bigint): Promise<void> {
  const [first, second] = [firstId, secondId].map((operatorId) => ({ operatorId, address: demoOrigin.address }));
  if (first === undefined || second === undefined) return;
  const reason = 'Its order book at the exchange is thin';
  for (const limits of inForce) {
    const { id, version } = await proposeLimits(context, first, { ...limits, version: 1, reason });
    await approveProposal(context, limitsKind, second, { id: BigInt(id), version });
  }
  await proposeLimits(context, first, { ...waiting, version: 1, reason });
}
