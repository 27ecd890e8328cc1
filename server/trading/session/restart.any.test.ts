import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Context } from '#server/context.ts';
import { inTransaction } from '#server/db/tx.ts';
import { postFrom, verifyLedger } from '#server/ledger/index.ts';
import { killAtEveryQuery } from '#test/database/kill-at-every-query.ts';
import { still } from '#test/recorded/recorded-market.ts';
import { openTradingWorld, type TradingWorld } from '#test/worlds/trading-world.ts';
import { followMarket } from '../index.ts';

/** Every price moves, differently for each coin, so that there are losses and gains of every kind. */
const steps: Readonly<Record<string, number>> = { btc: 1, eth: -1, ltc: 0.04 };
const opened: TradingWorld[] = [];
afterAll(() => Promise.all(opened.map((world) => world.close())));

/** A session with trades of three members on three coins; `follow` is what runs after each step. */
async function runSession(follow: (context: Context) => Promise<unknown>): Promise<Context> {
  const world = await openTradingWorld({
    candle: (symbol, at) => still(String(100 + (at.getUTCHours() - 12) * (steps[symbol] as number))),
    symbols: Object.keys(steps),
    speed: 3600,
  });
  opened.push(world);
  const { context } = world;
  for (const name of ['Ann', 'Bob', 'Cleo']) {
    // The last of them is booked in another block than the others.
    if (name === 'Cleo')
      await sql`select setval(pg_get_serial_sequence('identity.member', 'id'), 5000)`.execute(context.db);
    const { memberId } = name === 'Ann' ? world.ann : await world.member(name);
    for (const tradeId of ['btc', 'eth', 'ltc', 'btc']) await world.place({ tradeId, amount: 12.345678 }, memberId);
  }
  await world.play('12:31:00', () => follow(context));
  await world.play('17:30:00', () => follow(context));
  return context;
}

/** Everything the session left behind, without what differs from run to run. */
async function readBooks(context: Context) {
  const read = async (query: ReturnType<typeof sql>) => (await query.execute(context.db)).rows;
  return {
    accounts: await read(sql`select id, balance from ledger.account order by id`),
    transfers: await read(sql`select key, from_account, to_account, amount, reason, market_at from ledger.transfer
      where reason not in ('venue_fund', 'venue_return') order by key collate "C"`),
    // One a chunk, so that only their sums are the same for chunks of any size.
    venue: await read(
      sql`select reason, sum(amount) from ledger.transfer where reason in ('venue_fund', 'venue_return') group by reason order by reason`,
    ),
    trades: await read(
      sql`select id, state, fee, open_price::text, close_price::text, closed_at, gross, performance_fee, result from trading.trade order by id`,
    ),
    results: await read(sql`select * from trading.daily_result order by member_id`),
    lifetime: await read(sql`select * from trading.lifetime_result order by member_id`),
    equity: await read(sql`select * from trading.equity order by member_id`),
    messages: await read(
      sql`select member_id, message from notify.notification where kind = 'session_settled' order by member_id`,
    ),
    sessions: await read(
      sql`select day::text, state, traded_members, negative_members, manifest_hash from trading.session order by day`,
    ),
  };
}

let undisturbed: Awaited<ReturnType<typeof readBooks>>;
beforeAll(async () => {
  undisturbed = await readBooks(await runSession(followMarket));
});

test('undisturbed, twelve trades settle and each member is told once', () => {
  expect(undisturbed.trades.map((row) => (row as { state: string }).state)).toEqual(Array(12).fill('settled'));
  expect(undisturbed.messages).toHaveLength(3);
  expect(undisturbed.sessions).toMatchObject([
    { day: '2026-03-04', state: 'settled', manifest_hash: expect.stringMatching(/^[0-9a-f]{64}$/) },
    { day: '2026-03-05', state: 'scheduled' },
  ]);
});

test('killed at every single query of opening and settlement, in chunks of two, and begun again each time: the same books', async () => {
  let killed = 0;
  const context = await runSession(async (whole) => {
    killed += await killAtEveryQuery(whole, (dying) => followMarket(dying, { chunkSize: 2 }));
  });
  expect(killed).toBeGreaterThan(80);
  expect(await readBooks(context)).toEqual(undisturbed);
  expect(await verifyLedger(context.db)).toEqual([]);
});

test('what was posted once cannot be posted again with other figures', async () => {
  const { context } = opened[0] as (typeof opened)[number];
  const again = inTransaction(context.db, (tx) =>
    postFrom(
      tx,
      sql`select key, from_account, to_account, amount + 1, reason::text, reference, market_at, note
        from ledger.transfer where key = 'trade/1/return'`,
    ),
  );
  await expect(again).rejects.toMatchObject({ constraint: 'transfer_key_is_one_content' });
});
