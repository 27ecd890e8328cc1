import { sql } from 'kysely';
import { beforeEach, expect, test } from 'vitest';
import { listRows } from '#server/db/rows.ts';
import { inTransaction } from '#server/db/tx.ts';
import { Refused } from '#server/refused.ts';
import {
  deposit,
  house,
  marketAt,
  of,
  openLedger,
  openMembers,
  place,
  postAll,
  postOne,
  readAll,
  refusedBy,
  transfer,
} from '../ledger-world.test-setup.ts';
import { getBalances, getHouseBalance, houseAccount, memberAccount, openMemberAccounts } from './accounts.ts';
import { post, postFrom } from './post.ts';

let member = 0n;

const { db } = await openLedger();
beforeEach(async () => {
  member += 1n;
  await openMembers(db, [member]);
});

const key = (name: string) => `${member}/${name}`;

test('a transfer moves its amount and states both balances after it', async () => {
  const gateway = await getHouseBalance(db, 'gateway');
  const deposited = await postOne(db, deposit(key('deposit'), member, 1_000_000_000n));
  expect(deposited).toMatchObject({
    key: key('deposit'),
    fromBalanceAfterMicros: null,
    toBalanceAfterMicros: 1_000_000_000n,
  });
  const placed = await postOne(db, place(key('place'), member, 250_000_000n));
  expect(placed).toMatchObject({ fromBalanceAfterMicros: 750_000_000n, toBalanceAfterMicros: 250_000_000n });
  expect(placed.id).toBeGreaterThan(deposited.id);
  expect(await getBalances(db, member)).toEqual({
    primary: 750_000_000n,
    profit: 0n,
    trade_escrow: 250_000_000n,
    investment: 0n,
    withdrawal_hold: 0n,
  });
  expect(await getHouseBalance(db, 'gateway')).toBe(gateway - 1_000_000_000n);
});

test('one posting of several transfers does the same as one posting for each, in their order', async () => {
  const results = await postAll(db, [
    deposit(key('a'), member, 100n),
    place(key('b'), member, 70n),
    deposit(key('c'), member, 1n),
    place(key('d'), member, 31n),
    transfer(key('e'), of(member, 'trade_escrow'), house('trade_fees'), 3n, 'trade_fee'),
  ]);
  expect(results.map((result) => [result.key, result.fromBalanceAfterMicros, result.toBalanceAfterMicros])).toEqual([
    [key('a'), null, 100n],
    [key('b'), 30n, 70n],
    [key('c'), null, 31n],
    [key('d'), 0n, 101n],
    [key('e'), 98n, null],
  ]);
  expect(results.map((result) => result.id)).toEqual(results.map((result) => result.id).sort((a, b) => Number(a - b)));
});

test('an empty posting posts nothing', async () => {
  expect(await postAll(db, [])).toEqual([]);
  const none = sql`select '', 1::bigint, 2::bigint, 1::bigint, 'deposit', '', now(), null::text where false`;
  expect(await inTransaction(db, (tx) => postFrom(tx, none))).toBe(0);
});

test('any text survives in key, reference and note', async () => {
  const odd = `"quoted" \\ back, {brace} (paren) 'single' é ✓ \t tab\nline NULL`;
  await postOne(db, { ...deposit(`${key('odd')}${odd}`, member, 1n), reference: odd, note: odd });
  await postAll(db, [
    { ...deposit(`${key('two')}${odd}`, member, 1n), reference: '', note: '' },
    { ...deposit(key('none'), member, 1n), reference: 'NULL' },
  ]);
  const rows = await listRows(db)`
    select key, reference, note from ledger.transfer where to_account = ${memberAccount(member, 'primary')} order by id`;
  expect(rows).toEqual([
    { key: `${key('odd')}${odd}`, reference: odd, note: odd },
    { key: `${key('two')}${odd}`, reference: '', note: '' },
    { key: key('none'), reference: 'NULL', note: null },
  ]);
});

test.for([1, 2])(
  'the same key with the same content returns the first result and moves nothing (%i at once)',
  async (count) => {
    const first = await postAll(db, [deposit(key('a'), member, 10n), place(key('b'), member, 10n)]);
    const before = await readAll(db);
    // The money has been spent since: a retry is not refused for that.
    const again = [place(key('b'), member, 10n), deposit(key('a'), member, 10n)].slice(0, count);
    expect(await postAll(db, again)).toEqual([first[1], first[0]].slice(0, count));
    expect(await readAll(db)).toEqual(before);
  },
);

test('known and new keys in one posting: only the new ones move money', async () => {
  const [first] = await postAll(db, [deposit(key('a'), member, 10n)]);
  const results = await postAll(db, [
    deposit(key('b'), member, 5n),
    deposit(key('a'), member, 10n),
    place(key('c'), member, 15n),
  ]);
  expect(results[1]).toEqual(first);
  expect(results.map((result) => result.toBalanceAfterMicros)).toEqual([15n, 10n, 15n]);
  expect(await getBalances(db, member)).toMatchObject({ primary: 0n, trade_escrow: 15n });
});

test('a repeated key in one posting moves money once', async () => {
  const results = await postAll(db, [deposit(key('a'), member, 10n), deposit(key('a'), member, 10n)]);
  expect(results[0]).toEqual(results[1]);
  expect(await getBalances(db, member)).toMatchObject({ primary: 10n });
});

const other = () => ({
  amount: deposit(key('a'), member, 11n),
  account: { ...deposit(key('a'), member, 10n), from: house('unallocated'), reason: 'deposit_allocated' as const },
  reference: { ...deposit(key('a'), member, 10n), reference: 'other' },
  'market time': { ...deposit(key('a'), member, 10n), marketAt: new Date(marketAt.getTime() + 1) },
  note: { ...deposit(key('a'), member, 10n), note: 'other' },
});

test.for(['amount', 'account', 'reference', 'market time', 'note'] as const)(
  'a known key with a different %s is refused, also next to others and within one posting',
  async (what) => {
    await postOne(db, deposit(key('a'), member, 10n));
    const before = await readAll(db);
    const changed = other()[what];
    expect(await refusedBy(postOne(db, changed))).toBe('transfer_key_is_one_content');
    expect(await refusedBy(postAll(db, [deposit(key('b'), member, 1n), changed]))).toBe('transfer_key_is_one_content');
    const twice = [
      { ...deposit(key('a'), member, 10n), key: key('c') },
      { ...changed, key: key('c') },
    ];
    expect(await refusedBy(postAll(db, twice))).toBe('transfer_key_is_one_content');
    expect(await readAll(db)).toEqual(before);
  },
);

test('overspending is refused as insufficient funds: alone, in a posting, and when a later deposit would cover it', async () => {
  await postOne(db, deposit(key('a'), member, 10n));
  const before = await readAll(db);
  const tries = [
    [place(key('b'), member, 11n)],
    [place(key('b'), member, 6n), place(key('c'), member, 5n)],
    [place(key('b'), member, 11n), deposit(key('c'), member, 1n)],
    [deposit(key('c'), member, 1n), place(key('b'), member, 12n)],
  ];
  for (const transfers of tries) {
    await expect(postAll(db, transfers)).rejects.toEqual(new Refused('insufficient_funds'));
  }
  const query = sql`select ${key('q')}, ${memberAccount(member, 'primary')}, ${memberAccount(member, 'trade_escrow')}, 11::bigint, 'trade_place', 'r', now(), null::text`;
  await expect(inTransaction(db, (tx) => postFrom(tx, query))).rejects.toEqual(new Refused('insufficient_funds'));
  expect(await readAll(db)).toEqual(before);
});

test('a known key returns its first result even when the money is spent since, and a refusal undoes a credit made before it', async () => {
  await postOne(db, deposit(key('a'), member, 10n));
  const first = await postOne(db, place(key('b'), member, 10n));
  const before = await readAll(db);
  expect(await postOne(db, place(key('b'), member, 10n))).toEqual(first);
  const back = (name: string, amountMicros: bigint) =>
    transfer(key(name), of(member, 'trade_escrow'), of(member, 'primary'), amountMicros, 'trade_cancel');
  await inTransaction(db, async (tx) => {
    await sql`savepoint before_refusal`.execute(tx);
    await expect(post(tx, [back('c', 11n)])).rejects.toEqual(new Refused('insufficient_funds'));
    await sql`rollback to before_refusal`.execute(tx);
  });
  expect(await readAll(db)).toEqual(before);
  const returned = await postOne(db, back('c', 4n));
  expect(returned).toMatchObject({ fromBalanceAfterMicros: 6n, toBalanceAfterMicros: 4n });
  const after = await readAll(db);
  expect(await postOne(db, back('c', 4n))).toEqual(returned);
  expect(await readAll(db)).toEqual(after);
});

test.for([0n, -5n])('an amount of %s is refused', async (amountMicros) => {
  await postOne(db, deposit(key('a'), member, 10n));
  expect(await refusedBy(postOne(db, place(key('b'), member, amountMicros)))).toBe('transfer_amount_positive');
  expect(await refusedBy(postAll(db, [deposit(key('c'), member, 1n), place(key('b'), member, amountMicros)]))).toBe(
    'transfer_amount_positive',
  );
});

test('a member without accounts can neither pay nor be paid', async () => {
  const stranger = 999_999n;
  expect(await refusedBy(postOne(db, deposit(key('a'), stranger, 1n)))).toBe('transfer_accounts_exist');
  expect(await refusedBy(postOne(db, place(key('b'), stranger, 1n)))).toBe('transfer_accounts_exist');
  const both = [deposit(key('c'), member, 1n), deposit(key('d'), stranger, 1n)];
  expect(await refusedBy(postAll(db, both))).toBe('transfer_accounts_exist');
  await expect(getBalances(db, stranger)).rejects.toThrow('has no ledger accounts');
});

test('opening accounts twice changes nothing', async () => {
  await postOne(db, deposit(key('a'), member, 10n));
  const before = await readAll(db);
  await inTransaction(db, (tx) => openMemberAccounts(tx, [member]));
  expect(await readAll(db)).toEqual(before);
});

test('a set of transfers states each balance after it, with the house on one side, both or neither', async () => {
  await postOne(db, deposit(key('a'), member, 10n));
  const results = await postAll(db, [
    transfer(key('b'), house('fee_revenue'), house('gateway'), 1n, 'revenue_out'),
    place(key('c'), member, 4n),
    transfer(key('d'), house('gateway'), house('venue'), 2n, 'venue_return'),
    transfer(key('e'), of(member, 'trade_escrow'), house('trade_fees'), 1n, 'trade_fee'),
    deposit(key('f'), member, 5n),
    transfer(key('g'), house('venue'), house('gateway'), 2n, 'venue_fund'),
  ]);
  expect(results.map((result) => [result.fromBalanceAfterMicros, result.toBalanceAfterMicros])).toEqual([
    [null, null],
    [6n, 4n],
    [null, null],
    [3n, null],
    [null, 11n],
    [null, null],
  ]);
});

test('bigints add up to a bigint: none to 0, and an overflow is refused', async () => {
  const sum = async (...values: bigint[]) => {
    const { rows } = await sql<{ sum: bigint }>`
      select ledger.bigint_sum(value) as sum from unnest(${values}::bigint[]) as value`.execute(db);
    return rows[0]?.sum;
  };
  const most = 2n ** 63n - 1n;
  expect([await sum(), await sum(-2n, 5n), await sum(most - 1n, 1n)]).toEqual([0n, 3n, most]);
  await expect(sum(most, 1n)).rejects.toThrow('out of range');
});

test('drafts can come from a query, in its order, and posting it again moves nothing', async () => {
  const query = sql`
    select ${key('')} || n, ${houseAccount('gateway')}, ${memberAccount(sql`m`, 'primary')}, n * 10, 'deposit', 'run', ${marketAt}::timestamptz, 'note'
    from generate_series(1::bigint, 3) n cross join (values (${member}::bigint)) as v(m) order by n`;
  expect(await inTransaction(db, (tx) => postFrom(tx, query))).toBe(3);
  const after = await readAll(db);
  expect(await getBalances(db, member)).toMatchObject({ primary: 60n });
  expect(await inTransaction(db, (tx) => postFrom(tx, query))).toBe(3);
  expect(await readAll(db)).toEqual(after);
});

test('a transaction that fails later moves nothing', async () => {
  const before = await readAll(db);
  const failing = inTransaction(db, async (tx) => {
    await postFrom(
      tx,
      sql`select ${key('a')}, ${houseAccount('gateway')}, ${memberAccount(member, 'primary')}, 1::bigint, 'deposit', 'r', now(), null::text`,
    );
    throw new Error('later');
  });
  await expect(failing).rejects.toThrow('later');
  expect(await readAll(db)).toEqual(before);
});
