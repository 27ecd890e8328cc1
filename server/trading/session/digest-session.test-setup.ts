import { sql } from 'kysely';
import type { Context } from '#server/context.ts';
import { still } from '#test/recorded/recorded-market.ts';
import { openWorldOfTest } from '#test/worlds/trading-world.ts';
import { followMarket } from '../index.ts';

export type Order = readonly [tradeId: string, amount: number];
export const orders: readonly (readonly Order[])[] = [
  [
    ['btc', 100],
    ['eth', 50],
  ],
  [['eth', 12.5]],
  [],
];

/** A whole session of three members, two of whom trade. */
export async function runSession({
  speed = 3600,
  trades = orders,
  chunkSize,
  inside = async () => {},
}: {
  speed?: number;
  trades?: typeof orders;
  chunkSize?: number;
  /** What happens while the session is open. */
  inside?: (context: Context) => Promise<unknown>;
} = {}): Promise<Context> {
  // btc rises, eth falls.
  const candle = (symbol: string, at: Date) =>
    still(String(100 + (at.getUTCHours() - 12) * (symbol === 'btc' ? 1 : -1)));
  const { context, ann, ...world } = await openWorldOfTest({ candle, speed });
  for (const [index, own] of trades.entries()) {
    const { memberId } = index === 0 ? ann : await world.member();
    for (const [tradeId, amount] of own) await world.place({ tradeId, amount }, memberId);
  }
  const follow = () => followMarket(context, { chunkSize });
  await world.play('12:31:00', follow);
  await inside(context);
  await world.play('17:30:00', follow);
  return context;
}

export async function readHash({ db }: Context): Promise<string | null> {
  const { rows } = await sql<{ hash: string | null }>`
    select manifest_hash as hash from trading.session where state = 'settled'`.execute(db);
  return rows[0]?.hash ?? null;
}
