import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestDatabase } from '#test/database.ts';
import { inTransaction } from '#server/db/tx.ts';
import { testContext } from '#test/builders.ts';
import type { Database } from '#server/db/connect.ts';
import { getBalances, getHouseBalance, listStatement, openMemberAccounts, post, postFrom, reverse, sealLedger, sumTransfers, memberAccount, houseAccount } from './index.ts';
import { digestTransfers } from './seal.ts';
let database: Database;
beforeAll(async () => { database = await openTestDatabase(); });
afterAll(() => database.close());
test('smoke', async () => {
  const marketAt = new Date('2026-03-04T12:00:00Z');
  await inTransaction(database.db, async (tx) => {
    await openMemberAccounts(tx, [1n, 2n]);
    const r = await post(tx, [{ key: 'a"\\,{}', from: { class: 'gateway' }, to: { memberId: 1n, class: 'primary' }, amountMicros: 5n, reason: 'deposit', reference: 'x', marketAt, note: 'é "q" \\ ' },
     { key: 'b', from: { memberId: 1n, class: 'primary' }, to: { memberId: 1n, class: 'trade_escrow' }, amountMicros: 2n, reason: 'trade_place', reference: 'x', marketAt }]);
    expect(r.map((x) => x.fromBalanceAfterMicros)).toEqual([null, 3n]);
    expect(await postFrom(tx, sql`select 'k' || m, ${houseAccount('gateway')}, ${memberAccount(sql`m`, 'primary')}, 100::bigint, 'deposit', 'r', ${marketAt}::timestamptz, null::text from generate_series(1::bigint,2) m`)).toBe(2);
    const rev = await reverse(tx, { transferId: r[1]!.id, key: 'rv', reference: 'z', marketAt });
    expect(rev.toBalanceAfterMicros).toBe(105n);
  });
  expect((await getBalances(database.db, 1n)).primary).toBe(105n);
  expect(await getHouseBalance(database.db, 'gateway')).toBe(-205n);
  const ctx = testContext(database);
  let bad = 0;
  await digestTransfers(database.db, { fromTx: 0n, toTx: 1n << 60n }, (t, h) => { if (!h.equals(t.hash)) bad++; });
  expect(bad).toBe(0);
  const seal = await sealLedger(ctx);
  expect(seal?.transferCount).toBe(5n);
  expect(await sealLedger(ctx)).toBe(undefined);
  expect(await getHouseBalance(database.db, 'gateway')).toBe(-205n);
  const lines = await listStatement(database.db, { memberId: 1n, limit: 10 });
  expect(lines.map((l) => [l.class, l.reason, l.signedMicros, l.balanceAfterMicros])).toEqual([]);
  expect(await sumTransfers(database.db, { memberId: 1n, side: 'debit', reasons: ['trade_place'], from: new Date(0) })).toBe(0n);
});
