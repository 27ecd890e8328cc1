import { expect, onTestFinished, test } from 'vitest';
import { approveProposal } from '#server/approvals/index.ts';
import { verifyLedger } from '#server/ledger/index.ts';
import { still } from '#test/recorded/recorded-market.ts';
import {
  findDuplicates,
  matchedFills,
  openExchangeWorld,
  readBatches,
  readHolding,
} from '#test/worlds/exchange-world.ts';
import { actorOf, makeOperator } from '#test/worlds/operators.ts';
import { executeBatches } from '../execution/execute-batches.ts';
import { closeTrade } from '../index.ts';
import { importStatement, importWhenDue, requestImport } from './import-statement.ts';
import { proposeSettlement, statementKind } from './settle-finding.ts';
import { listFindings } from './show-statement.ts';

/**
 * A trade, and the exchange fills its opening or close this far from the mark, although its order book is as always.
 *
 * @param isUnheard its answer to the order never arrives
 */
async function fillFar(side: 'buy' | 'sell', isUnheard = false) {
  const world = await openExchangeWorld({ candle: () => still('50000'), dollars: 20_000, minutes: 3000 });
  onTestFinished(() => world.close());
  const { context, node, memberId } = world;
  await world.execute(1);
  await world.goTo('12:31:00');
  const { id } = await world.place({ amount: 1000 });
  if (side === 'sell') {
    await world.goTo('12:32:00');
    await closeTrade(context, memberId, BigInt(id));
  }
  const book = await world.venue.readBook('btc', '0.003');
  node.account.book.slippageBps = -6000n;
  if (isUnheard) node.interferences.push({ call: node.calls.send, with: 'do_and_break' });
  await world.goTo('12:33:00', 0);
  world.clock.advance(1);
  await executeBatches(context, { ...world.venue, readBook: async () => book });
  node.account.book.slippageBps = 0n;
  return { ...world, id };
}

test.each([
  ['buy', 'answered', 'opening'],
  ['buy', 'unanswered', 'opening'],
  ['sell', 'answered', 'open'],
] as const)(
  'a %s far from the mark, its order %s, is booked once two operators settled its entry of the statement so',
  async (side, answer, state) => {
    const { context, venue, id, trade, ...world } = await fillFar(side, answer === 'unanswered');
    await world.execute(2);
    expect(await readHolding(context, 'btc')).toMatchObject({
      halt_reason: expect.stringContaining('far from the mark'),
    });
    await world.closeSession();
    expect(await trade(id)).toMatchObject({ state: side === 'buy' ? state : 'settling' });
    const [finance, second] = [await makeOperator(context, 'finance'), await makeOperator(context, 'finance')];
    await requestImport(context, actorOf(finance));
    world.clock.advance(1);
    await importWhenDue(context, async () => false, venue);
    const { items } = await listFindings(context, { state: 'open', limit: 9 });
    expect(items).toMatchObject([{ kind: 'unmatched', bookable: true }]);
    const entry = { finding_id: items[0]?.id as string, how: 'booked', reason: 'A flash crash.' } as const;
    const { id: proposal } = await proposeSettlement(context, actorOf(finance), entry);
    const approval = { id: BigInt(proposal), version: 1, otp: await second.code() };
    await world.execute(2);
    expect(await readHolding(context, 'btc')).toMatchObject({
      halt_reason: expect.stringContaining('far from the mark'),
    });
    await approveProposal(context, statementKind, actorOf(second), approval);
    await world.execute(3);
    await world.goTo('05T12:30:05');
    await world.goTo('05T12:31:05');
    expect(await readHolding(context, 'btc')).toMatchObject({ rejections: 0 });
    const done = await trade(id);
    expect(done?.execution?.fill_price).toBe(side === 'buy' ? 20_000 : 50_000);
    if (side === 'sell') expect(done?.close_execution?.fill_price).toBe(80_000);
    expect(await findDuplicates(context, world.node)).toEqual([]);
    expect(await verifyLedger(context.db)).toEqual([]);
    world.clock.advance(7200);
    await importStatement(context, venue);
    expect(await matchedFills(context)).toEqual({ fills: 'all', open: 0 });
    // That its fill is matched now does not hide who settled it.
    const settled = { id: items[0]?.id, settlement: expect.stringMatching(/^SL-/) };
    expect((await listFindings(context, { state: 'booked', limit: 9 })).items).toMatchObject([settled]);
  },
);

test.each([
  ['that its batch has yet to read', undefined, false],
  ['of which its batch doubts how much was filled', { order: { executedQty: '0.00001000' } }, false],
  ['beyond the limit of its order', { fill: { price: '90000.00', quoteQty: '1791.90' } }, false],
  ['far from the mark', { fill: { price: '20000.00', quoteQty: '398.20' } }, true],
])('of an order of ours, an entry %s can be booked only if its batch books it then', async (_, lie, bookable) => {
  const world = await openExchangeWorld({ candle: () => still('50000'), dollars: 20_000 });
  onTestFinished(() => world.close());
  const { context, node, clock } = world;
  await world.execute(1);
  await world.goTo('12:31:00');
  await world.place({ amount: 1000 });
  if (lie === undefined) node.interferences.push({ call: node.calls.find, with: 'break' });
  else node.lies.push(lie);
  await world.goTo('12:32:00', 1);
  clock.advance(31);
  if (lie !== undefined) await world.execute(1);
  expect(await readBatches(context)).toMatchObject([{ state: 'sent' }]);
  await importStatement(context, world.venue);
  const { items } = await listFindings(context, { state: 'open', limit: 9 });
  expect(items).toMatchObject([{ kind: 'unmatched', bookable }]);
});
