import { afterAll, beforeAll, expect, test } from 'vitest';
import { verifyLedger } from '#server/ledger/index.ts';
import {
  closePosition,
  findDoubles,
  type HedgeWorld,
  openHedgeWorld,
  openPosition,
  openTestVenue,
  readHedge,
} from '#test/hedge-world.ts';
import { hedgeExposure } from '../index.ts';

let world: HedgeWorld;
beforeAll(async () => {
  world = await openHedgeWorld();
  Object.assign(world.node.account.book, { pieces: 3, feeBps: 0n });
  Object.assign(world.node.market.pairs.get('BTCUSDT') as object, { lastPrice: '50000.00' });
});
afterAll(() => world.close());

test('workers that all believe they are the only one send no order twice and book no fill twice', async () => {
  const { context, node, clock } = world;
  const venues = await Promise.all(Array.from({ length: 5 }, () => openTestVenue(context, node)));
  // One name for all: the lease, which would keep four of them out, lets them in.
  const together = () => Promise.all(venues.map((venue) => hedgeExposure(context, venue, 'the only one')));
  const open: bigint[] = [];
  for (let round = 0; round < 15; round += 1) {
    const [opened] = await Promise.all([
      openPosition(context, 'btc', 700_000_000n + BigInt(round), '50000'),
      together(),
    ]);
    open.push(opened);
    if (round % 3 === 2) await Promise.all([closePosition(context, open.shift() as bigint, '50500'), together()]);
    clock.advance(1);
  }
  for (const id of open) await closePosition(context, id, '50500');
  for (let round = 0; round < 4; round += 1) {
    await together();
    clock.advance(11);
  }
  expect(await findDoubles(context, node)).toEqual([]);
  expect(await readHedge(context, 'btc')).toMatchObject({ held: '0' });
  expect(node.account.balances.get('BTC')).toBe(0n);
  expect(await verifyLedger(context.db)).toEqual([]);
});
