import { callApi } from '#test/kit/send-api.ts';
import { giveFunds, signUp } from '#test/worlds/members.ts';
import type { FaultWorld } from './fault-world.ts';

/** An acknowledged trade, with the times of request and acknowledgement in milliseconds. */
export type Acknowledged = { readonly tradeId: bigint; readonly askedAt: number; readonly toldAt: number };

/** Members with money, by session token. */
export async function makeTraders({ context }: Pick<FaultWorld, 'context'>, count: number): Promise<string[]> {
  const tokens: string[] = [];
  for (let index = 0; index < count; index += 1) {
    const { memberId, token } = await signUp(context, { email: `trader.${index}@example.com` });
    await giveFunds(context, memberId, 1_000_000_000_000n);
    tokens.push(token);
  }
  return tokens;
}

/** Places one trade over HTTP. Throws unless it succeeds. */
export async function placeOne(origin: string, token: string): Promise<Acknowledged> {
  const askedAt = Date.now();
  const body = { tradeId: 'btc', amount: 5, wallet_type: 'primary' };
  const headers = { 'idempotency-key': crypto.randomUUID() };
  const data = await callApi<{ id: string }>(origin, 'trading/do-trade', { token, body, headers });
  return { tradeId: BigInt(data.id), askedAt, toldAt: Date.now() };
}

/** Each member places one trade after another until `stop`, which returns the acknowledged ones. */
export function startTrading(origin: string, tokens: readonly string[]): { stop: () => Promise<Acknowledged[]> } {
  let isOver = false;
  const told: Acknowledged[] = [];
  const trade = async (token: string) => {
    while (!isOver) told.push(await placeOne(origin, token));
  };
  const ends = Promise.all(tokens.map(trade));
  return {
    stop: async () => {
      isOver = true;
      await ends;
      return told;
    },
  };
}
