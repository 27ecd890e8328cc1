import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { inTransaction } from '#server/db/tx.ts';
import { countLockWaits } from '#test/database/lock-waits.ts';
import { waitFor } from '#test/kit/wait-until.ts';
import { still } from '#test/recorded/recorded-market.ts';
import { DAY, openWorldOfTest } from '#test/worlds/trading-world.ts';
import { insertClosingMark } from '../session/session-sql.ts';
import { closingBySession, settleTrades } from '../session/settlement-sql.ts';
import { getWalletSummary, getWallets } from './get-wallet.ts';

test('trades that settle while wallets and summary are read are neither missing nor counted twice', async () => {
  const { context, memberId, place, play } = await openWorldOfTest({
    candle: (_, at) => still(at.getUTCHours() < 13 ? '100' : '120'),
  });
  const { db } = context;
  const { id } = await place();
  await play('13:05:00');
  const read = () => Promise.all([getWalletSummary(db, memberId), getWallets(db, memberId)]);
  const before = await read();
  const meanwhile = await inTransaction(db, async (tx) => {
    await sql`lock table trading.trade in access exclusive mode`.execute(tx);
    const under = { read: read() };
    await waitFor(async () => (await countLockWaits(db)) >= 2, 'both wait for the trades');
    const sold = {
      symbol: 'btc',
      mark: '120',
      closePrice: '119.94',
      isLate: false,
      markedAt: new Date(`${DAY}T13:05:00Z`),
    };
    await insertClosingMark(tx, DAY, sold);
    const chunk = { after: BigInt(id) - 1n, upTo: BigInt(id) };
    await settleTrades(tx, chunk, { day: DAY, closing: closingBySession(DAY), performanceBps: 1000, funding: 'paper' });
    return under;
  });
  expect(await meanwhile.read).toEqual(before);
  const [summary, wallets] = await read();
  expect(summary).toMatchObject({ in_trades: 0, net_worth: before[0].net_worth });
  expect(wallets.primary.inTrades).toBe(0n);
});
