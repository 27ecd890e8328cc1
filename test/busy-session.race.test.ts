import { expect, test } from 'vitest';
import { runMarket } from '#server/income/index.ts';
import { advanceMarket, getMarketTime } from '#server/market/index.ts';
import { Refused } from '#server/refused.ts';
import { cancelTrade, closeTrade, listTrades, placeTrade } from '#server/trading/index.ts';
import { closeAfterAll } from '#test/database/close-after-all.ts';
import { bootRecorded } from '#test/kit/boot.ts';
import { still } from '#test/recorded/recorded-market.ts';
import { checkBooks, checkEscrow } from './faults/books.ts';
import { addFundedMembers } from './faults/simulated-users.ts';

const MEMBERS = 6;
const TRADES_EACH = 25;
const coins = ['btc', 'eth', 'sol', 'ada'] as const;

/** Prices rise from 95 to 109 in each quarter of an hour, and fall back. */
const candle = (_: string, at: Date) => still(String(95 + (at.getUTCMinutes() % 15)));
const { database, context } = closeAfterAll(await bootRecorded({ symbols: coins, speed: 60, candle }));
await addFundedMembers(context, MEMBERS);

/** Refusals a member may get when the trade has moved on meanwhile; any other is a fault. */
const isFair = (error: unknown) =>
  error instanceof Refused && ['trade_not_open', 'trade_not_queued'].includes(error.code);

async function act(memberId: bigint): Promise<void> {
  for (let placed = 1; placed <= TRADES_EACH; placed += 1) {
    await placeTrade(context, memberId, {
      tradeId: coins[placed % 4] ?? 'btc',
      amount: 5 + (placed % 7),
      wallet_type: 'primary',
    });
    const { items } = await listTrades(context.db, { memberId, limit: 5 });
    for (const trade of items.slice(0, 2)) {
      const move =
        trade.state === 'queued' && placed % 3 === 0 ? cancelTrade : trade.state === 'open' ? closeTrade : undefined;
      await move?.(context, memberId, BigInt(trade.id)).catch((error: unknown) => {
        if (!isFair(error)) throw error;
      });
    }
  }
}

test('concurrent placing, cancelling and closing while a session opens, fills and settles never unbalances it', {
  timeout: 120_000,
}, async () => {
  const day = (await getMarketTime(context.db)).toISOString().slice(0, 10);
  await advanceMarket(context, { elapsedMs: 0, skipTo: new Date(`${day}T12:29:00Z`) });
  const faults: string[] = [];
  const step = async () => {
    await advanceMarket(context, { elapsedMs: 250 });
    await runMarket(context);
    faults.push(...(await checkEscrow(database.db)));
  };
  let isBusy = true;
  const members = Promise.all(Array.from({ length: MEMBERS }, (_, index) => act(BigInt(index + 2)))).finally(() => {
    isBusy = false;
  });
  while (isBusy) await step();
  await members;
  await advanceMarket(context, { elapsedMs: 0, skipTo: new Date(`${day}T17:29:45Z`) });
  for (let round = 0; round < 3; round += 1) await step();

  expect(faults).toEqual([]);
  expect(await checkBooks(database.db)).toEqual([]);
});
