import { expect, test } from 'vitest';
import type { Movement } from '#contract/funds/deposits.ts';
import { inTransaction } from '#server/db/tx.ts';
import { type AccountRef, post, type Transfer } from '#server/ledger/index.ts';
import { closeAfterAll } from '#test/database/close-after-all.ts';
import { marketAt, openFundsWorld, usd } from '../funds-world.test-setup.ts';
import { listMovements } from './list-movements.ts';

const world = closeAfterAll(await openFundsWorld());
const memberId = await world.addMember();
const [primary, profit, trades]: AccountRef[] = (['primary', 'profit', 'trade_escrow'] as const).map((name) => ({
  memberId,
  class: name,
}));
const [gateway, venue]: AccountRef[] = [{ class: 'gateway' }, { class: 'venue' }];

type Moved = readonly [from: AccountRef | undefined, to: AccountRef | undefined, dollars: number, Transfer['reason']];

/** Each a posting of its own, as an operation makes it. */
const operations: readonly (readonly [reference: string, ...Moved[]])[] = [
  ['DP-1', [gateway, primary, 100, 'deposit']],
  ['trade 1', [primary, trades, 60, 'trade_place']],
  ['trade 1', [trades, { class: 'trade_fees' }, 1, 'trade_fee']],
  [
    'trade 1',
    [trades, primary, 59, 'trade_return'],
    [venue, primary, 1, 'trade_gain'],
    [venue, profit, 2, 'trade_profit'],
  ],
  ['DP-2', [gateway, primary, 5, 'deposit']],
];
for (const [index, [reference, ...moved]] of operations.entries()) {
  const transfers = moved.map(([from, to, dollars, reason], order) => ({
    key: `${index}/${order}`,
    from: from as AccountRef,
    to: to as AccountRef,
    amountMicros: usd(dollars),
    reason,
    reference,
    marketAt,
  }));
  await inTransaction(world.context.db, (tx) => post(tx, transfers));
  const start = Date.now();
  while (Date.now() <= start + 1) await Promise.resolve();
}

const operationOf = ({ reference, created_at }: Movement) => `${reference} ${created_at}`;

async function listPages(limit: number): Promise<Movement[][]> {
  const pages: Movement[][] = [];
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const page = await listMovements(world.context, memberId, { cursor: cursor ?? undefined, limit });
    pages.push(page.items);
    cursor = page.next_cursor;
  }
  return pages;
}

test.for([1, 2, 3, 4, 5, 8, 9, 50])(
  'pages of %i lines end with whole operations and leave out nothing',
  async (limit) => {
    const pages = await listPages(limit);
    const lines = pages.flat();
    expect(lines.map(({ kind }) => kind)).toEqual([
      'deposit',
      'trade_profit',
      'trade_gain',
      'trade_return',
      'trade_return',
      'trade_fee',
      'trade_place',
      'trade_place',
      'deposit',
    ]);
    const firstOnes = pages.map(([first]) => first && operationOf(first));
    const lastOnes = pages.map((page) => operationOf(page.at(-1) as Movement));
    expect(firstOnes.slice(1).filter((operation, index) => operation === lastOnes[index])).toEqual([]);
    expect(pages.every((page) => page.length >= Math.min(limit, 1))).toBe(true);
  },
);

test('a page that ends with an operation is no longer than requested', async () => {
  expect((await listPages(1)).map((page) => page.length)).toEqual([1, 4, 1, 2, 1]);
  expect((await listPages(5)).map((page) => page.length)).toEqual([5, 4]);
});
