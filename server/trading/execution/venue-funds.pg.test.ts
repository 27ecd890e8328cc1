import { sql } from 'kysely';
import { afterEach, expect, test } from 'vitest';
import { overview } from '#contract/operator/overview.ts';
import { getOverview } from '#server/operator/get-overview.ts';
import { still } from '#test/recorded/recorded-market.ts';
import { type ExchangeWorld, openExchangeWorld } from '#test/worlds/exchange-world.ts';
import { makeOperator } from '#test/worlds/operators.ts';
import { findVenueFunds, getSession } from '../index.ts';

let world: ExchangeWorld;
afterEach(() => world.close());

/** Ann has 20 000 dollars, the exchange 1 000; it is two hours before an opening. */
async function openShort() {
  world = await openExchangeWorld({
    candle: () => still('50000'),
    dollars: 20_000,
    balances: { USDT: '1000' },
    from: '2026-03-04T10:00:00Z',
    start: '2026-03-04T10:30:00Z',
    minutes: 420,
  });
  await makeOperator(world.context, 'finance');
  await makeOperator(world.context, 'support');
}

const listLetters = async () =>
  (
    await sql<{ subject: string; text: string }>`
      select subject, text from notify.mail where subject like '%free money' order by id`.execute(world.context.db)
  ).rows;

/** Free funds are read every 15 seconds. */
const probe = async () => {
  world.clock.advance(16);
  await world.execute(1);
};

test('from an hour before the opening free funds are compared with queued trades, and finance is alerted once a session', async () => {
  await openShort();
  const { context } = world;
  await world.place({ amount: 1000 });
  await probe();
  // 1 000 less 0.4 %: enough.
  expect(await findVenueFunds(context)).toMatchObject({
    freeMicros: 1_000_000_000n,
    queuedMicros: 996_000_000n,
    isShort: null,
  });
  await world.place({ amount: 100 });
  await probe();
  expect(await findVenueFunds(context)).toMatchObject({ queuedMicros: 1_095_600_000n, isShort: null });
  await world.goTo('11:29:00', 1);
  await probe();
  expect(await findVenueFunds(context)).toMatchObject({ isShort: null });
  expect(await listLetters()).toEqual([]);
  await world.goTo('11:30:00', 1);
  await probe();
  expect(await findVenueFunds(context)).toMatchObject({ isShort: true });
  await probe();
  const letters = await listLetters();
  expect(letters).toHaveLength(1);
  expect(letters[0]?.text).toMatch(
    /Free at the exchange: \$1,000\.00, as of \d+ [A-Z][a-z]{2} 2026, \d\d:\d\d UTC\.\n/,
  );
  expect(letters[0]?.text).toContain('Queued trades, less fees: $1,095.60.');
  expect((await getOverview(context)).venue.funds).toMatchObject({ free: 1000, queued: 1095.6, short: true });
  world.node.account.balances.set('USDT', 200_000_000_000n);
  await probe();
  expect((await getOverview(context)).venue.funds).toMatchObject({ free: 2000, short: false });
  expect(await listLetters()).toHaveLength(1);
});

test('dollars owed to the exchange are no free funds, and the overview shows them', async () => {
  await openShort();
  world.node.account.balances.set('USDT', -500_000_000n);
  await world.goTo('11:30:00', 1);
  await probe();
  expect(overview.parse(await getOverview(world.context)).venue.funds).toMatchObject({ free: -5, short: true });
});

test('refused orders are counted by asset, and the overview quotes the exchange', async () => {
  await openShort();
  await world.place({ amount: 5000 });
  await world.goTo('12:31:00', 2);
  world.clock.advance(6);
  await world.execute(1);
  const { venue } = await getOverview(world.context);
  expect(venue).toMatchObject({
    kind: 'ccxt',
    halted: [{ symbol: 'btc', reason: expect.stringContaining('insufficient balance') }],
    refused: [{ symbol: 'btc', count: 2 }],
  });
  expect(venue.funds?.short).toBe(true);
  expect(await getSession(world.context)).toMatchObject({
    waits_for: 'the exchange does not accept orders for BTC',
    waiting_assets: ['btc'],
  });
  world.node.account.balances.set('USDT', 1_000_000_000_000n);
  world.clock.advance(11);
  await world.execute(2);
  expect(await getSession(world.context)).toMatchObject({ waits_for: null, waiting_assets: null });
});
