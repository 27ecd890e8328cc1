import { expect, test } from 'vitest';
import { findRow } from '#server/db/rows.ts';
import { inTransaction } from '#server/db/tx.ts';
import { changeSpread } from '#server/market/index.ts';
import { atOnce } from '#test/kit/at-once.ts';
import { still } from '#test/recorded/recorded-market.ts';
import { makeOperator } from '#test/worlds/operators.ts';
import { openWorldOfTest } from '#test/worlds/trading-world.ts';
import { buyPrice, sellPrice } from '../core/price.ts';
import { followMarket } from '../index.ts';

test('spreads decided by two operators while three servers follow a session are of this session entirely, or of the next', async () => {
  const world = await openWorldOfTest({ minutes: 8 * 1440, speed: 3600, candle: () => still('100') });
  const { context } = world;
  const { operatorId } = await makeOperator(context, 'admin');
  const decide = async (spreadBps: number) => {
    const seen = await findRow(context.db)<{ version: number }>`select version from market.asset where symbol = 'btc'`;
    const order = { symbol: 'btc', version: seen?.version ?? 0, spreadBps, reason: 'dearer', operatorId };
    return inTransaction(context.db, (tx) => changeSpread(tx, { ...order, at: context.now() }));
  };
  let spreadBps = 10;
  const follow = async () => {
    spreadBps += 2;
    const [decided, _followed] = await Promise.all([
      atOnce([decide(spreadBps), decide(spreadBps + 1)]),
      Promise.all([followMarket(context), followMarket(context), followMarket(context)]),
    ]);
    expect([[], ['asset_changed']]).toContainEqual(decided.refused);
  };
  for (const day of ['04', '05', '06', '07', '08']) {
    const before = await world.place();
    await world.play(`${day}T12:31:00`, follow);
    const within = await world.place();
    await world.play(`${day}T17:31:00`, follow);
    const taken = await findRow(context.db)<{ bps: number }>`
      select spread_bps as bps from market.spread_change where first_session_on = ${`2026-03-${day}`}::date`;
    const bps = taken?.bps as number;
    for (const { id } of [before, within])
      expect(await world.trade(id)).toMatchObject({
        state: 'settled',
        open_price: Number(buyPrice('100', bps)),
        close_price: Number(sellPrice('100', bps)),
      });
  }
});
