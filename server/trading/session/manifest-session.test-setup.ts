import { sql } from 'kysely';
import type { Context } from '#server/context.ts';
import { bootTest } from '#test/boot.ts';
import { giveFunds, signUp } from '#test/members.ts';
import { playUntil, recordMarket, still } from '#test/recorded-market.ts';
import { followMarket, placeTrade } from '../index.ts';

/** btc rises, eth falls. */
const record = () =>
  recordMarket({
    from: '2026-03-04T12:00:00Z',
    minutes: 400,
    candle: (symbol, at) => still(String(100 + (at.getUTCHours() - 12) * (symbol === 'btc' ? 1 : -1))),
    symbols: ['btc', 'eth'],
  });

let recording: ReturnType<typeof record> | undefined;
const opened: Awaited<ReturnType<typeof bootTest>>[] = [];

/** Of every file after its tests: modules are shared by files, hooks are not. */
export async function closeSessions(): Promise<void> {
  for (const { database } of opened.splice(0)) await database.close();
  recording?.remove();
  recording = undefined;
}

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
export async function playSession({
  speed = '3600',
  trades = orders,
  chunkSize,
  inside = async () => {},
}: {
  speed?: string;
  trades?: typeof orders;
  chunkSize?: number;
  /** What happens while the session is open. */
  inside?: (context: Context) => Promise<unknown>;
} = {}): Promise<Context> {
  recording ??= record();
  const world = await bootTest({
    MARKET_FEED: 'replay',
    REPLAY_DATA: recording.folder,
    MARKET_START: '2026-03-04T12:20:00Z',
    MARKET_SPEED: speed,
  });
  opened.push(world);
  const { context } = world;
  for (const own of trades) {
    const { memberId } = await signUp(context);
    await giveFunds(context, memberId, 1_000_000_000n);
    for (const [tradeId, amount] of own)
      await placeTrade(context, memberId, { tradeId, amount, wallet_type: 'primary' });
  }
  const follow = () => followMarket(context, { chunkSize });
  await playUntil(context, '2026-03-04T12:31:00Z', follow);
  await inside(context);
  await playUntil(context, '2026-03-04T17:30:00Z', follow);
  return context;
}

export async function readHash({ db }: Context): Promise<string | null> {
  const { rows } = await sql<{ hash: string | null }>`
    select manifest_hash as hash from trading.session where state = 'settled'`.execute(db);
  return rows[0]?.hash ?? null;
}
