import { expect, test } from 'vitest';
import { listRows } from '#server/db/rows.ts';
import { inTransaction } from '#server/db/tx.ts';
import { Refused } from '#server/refused.ts';
import { holdOpen } from '#test/database/hold-open.ts';
import { countLockWaits } from '#test/database/lock-waits.ts';
import { waitFor } from '#test/kit/wait-until.ts';
import { testContext } from '#test/worlds/builders.ts';
import {
  deposit,
  house,
  of,
  openLedger,
  openMembers,
  place,
  postAll,
  postOne,
  refusedBy,
  reverseOne,
  transfer,
} from '../ledger-world.test-setup.ts';
import { sealLedger } from '../seals/seal.ts';
import { findWatermark } from '../seals/seal-sql.ts';
import { verifyLedger } from '../verify/verify.ts';
import { getBalances, getHouseBalance, lockAccounts } from './accounts.ts';
import { post } from './post.ts';

const ROUNDS = 10;
const CONCURRENCY = 20;

let member = 0n;

const database = await openLedger();
const { db } = database;

async function newMember(amountMicros: bigint): Promise<bigint> {
  member += 1n;
  await openMembers(db, [member]);
  await postOne(db, deposit(`${member}/start`, member, amountMicros));
  return member;
}

const atOnce = <T>(work: (index: number) => Promise<T>) =>
  Promise.allSettled(Array.from({ length: CONCURRENCY }, (_, index) => work(index)));
const done = <T>(results: PromiseSettledResult<T>[]) =>
  results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
const failed = <T>(results: PromiseSettledResult<T>[]) =>
  results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []));

test('exactly one of twenty concurrent spends of the whole balance succeeds, alone and inside larger postings', async () => {
  for (let round = 0; round < ROUNDS; round += 1) {
    const id = await newMember(100n);
    const results = await atOnce<unknown>((index) =>
      index % 2 === 0
        ? postOne(db, place(`${id}/${index}`, id, 100n))
        : postAll(db, [place(`${id}/${index}/a`, id, 60n), place(`${id}/${index}/b`, id, 40n)]),
    );
    expect(done(results)).toHaveLength(1);
    expect(failed(results)).toEqual(Array.from({ length: CONCURRENCY - 1 }, () => new Refused('insufficient_funds')));
    expect(await getBalances(db, id)).toMatchObject({ primary: 0n, trade_escrow: 100n });
  }
});

test('twenty concurrent posts with one key move money once, and all return the first result', async () => {
  for (let round = 0; round < ROUNDS; round += 1) {
    const id = await newMember(100n);
    const all = [
      place(`${id}/key`, id, 100n),
      transfer(`${id}/house`, house('venue'), house('gateway'), 1n, 'venue_fund'),
    ];
    const before = await getHouseBalance(db, 'venue');
    const results = await atOnce((index) => postAll(db, index % 2 === 0 ? all : all.slice(0, 1)));
    expect(failed(results)).toEqual([]);
    expect(new Set(done(results).map(([first]) => first?.id)).size).toBe(1);
    expect(await getBalances(db, id)).toMatchObject({ primary: 0n, trade_escrow: 100n });
    expect(await getHouseBalance(db, 'venue')).toBe(before - 1n);
  }
});

test('of twenty concurrent posts with one key and different contents one succeeds; the others are refused as reused', async () => {
  const members: bigint[] = [];
  for (let index = 0; index < CONCURRENCY; index += 1) members.push(await newMember(100n));
  const results = await atOnce((index) => refusedBy(postOne(db, place('contested', members[index] as bigint, 10n))));
  expect(done(results).filter((name) => name === 'nothing')).toHaveLength(1);
  expect(done(results).filter((name) => name === 'transfer_key_is_one_content')).toHaveLength(CONCURRENCY - 1);
});

test('postings that take the same accounts in opposite order wait without a deadlock', async () => {
  const members = [await newMember(1_000_000n), await newMember(1_000_000n), await newMember(1_000_000n)];
  const back = (key: string, memberId: bigint) =>
    transfer(key, of(memberId, 'trade_escrow'), of(memberId, 'primary'), 1n, 'trade_cancel');
  for (const memberId of members) await postOne(db, place(`${memberId}/escrow`, memberId, 1000n));
  for (let round = 0; round < ROUNDS; round += 1) {
    const results = await atOnce<unknown>((index) => {
      const order = index % 2 === 0 ? members : members.toReversed();
      const steps = order.flatMap((memberId) => [
        place(`${round}/${index}/${memberId}/p`, memberId, 1n),
        back(`${round}/${index}/${memberId}/b`, memberId),
      ]);
      return index % 5 === 0
        ? postOne(db, back(`${round}/${index}/one`, members[2] as bigint))
        : postAll(db, index % 3 === 0 ? steps.toReversed() : steps);
    });
    expect(failed(results)).toEqual([]);
  }
  expect(await getBalances(db, members[0] as bigint)).toMatchObject({
    primary: 999_000n,
    trade_escrow: 1000n,
  });
});

test('a posting waits for the transaction that holds all accounts of its member', async () => {
  const id = await newMember(1n);
  let posting: Promise<unknown> = Promise.resolve();
  await inTransaction(db, async (tx) => {
    await lockAccounts(tx, id);
    expect(await getBalances(tx, id)).toMatchObject({ primary: 1n });
    posting = postOne(db, deposit(`${id}/late`, id, 1n));
    await waitFor(async () => (await countLockWaits(db)) > 0, 'the posting waits');
  });
  await posting;
  expect(await getBalances(db, id)).toMatchObject({ primary: 2n });
});

test('exactly one of twenty concurrent reversals of one transfer succeeds', async () => {
  const id = await newMember(100n);
  await postOne(db, deposit(`${id}/more`, id, 10_000n));
  const posted = await postOne(db, deposit(`${id}/wrong`, id, 100n));
  const results = await atOnce((index) => refusedBy(reverseOne(db, posted.id, `${id}/reverse/${index}`)));
  expect(done(results).filter((name) => name === 'nothing')).toHaveLength(1);
  expect(done(results).filter((name) => name === 'transfer_reversed_once')).toHaveLength(CONCURRENCY - 1);
  expect(await getBalances(db, id)).toMatchObject({ primary: 10_100n });
});

test('a posting that starts before a seal and ends after it is in the next one', async () => {
  const id = await newMember(100n);
  const context = testContext(database);
  await sealLedger(context);
  const commit = await holdOpen(db, (tx) => post(tx, [place(`${id}/slow`, id, 1n)]));
  // A later posting by somebody else commits first, with a higher id.
  const other = await newMember(50n);
  const horizon = await findWatermark(db);
  expect(await sealLedger(context)).toBeUndefined();
  await commit();
  expect(await findWatermark(db)).toBeGreaterThan(horizon);
  expect(await sealLedger(context)).toMatchObject({ transferCount: 2n });
  expect(await getBalances(db, other)).toMatchObject({ primary: 50n });
  expect(await verifyLedger(db)).toEqual([]);
});

test('concurrent seals during concurrent postings miss nothing, count nothing twice, and keep house balances right', async () => {
  const id = await newMember(1_000_000n);
  const others = [await newMember(1_000n), await newMember(1_000n)];
  const start = await getHouseBalance(db, 'gateway');
  let isPosting = true;
  const context = testContext(database);
  const sealer = async () => {
    let count = 0n;
    while (isPosting) count += (await sealLedger(context))?.transferCount ?? 0n;
    return count;
  };
  const sealers = [sealer(), sealer(), sealer()];
  const results = await atOnce(async (index) => {
    for (let step = 0; step < 15; step += 1) {
      await postOne(db, deposit(`rush/${index}/${step}`, others[index % 2] as bigint, 1n));
      if (step % 5 === 0)
        await postAll(db, [place(`rush/${index}/${step}/a`, id, 1n), deposit(`rush/${index}/${step}/b`, id, 1n)]);
    }
  });
  isPosting = false;
  await Promise.all(sealers);
  expect(failed(results)).toEqual([]);
  await sealLedger(context);
  expect(await getHouseBalance(db, 'gateway')).toBe(start - BigInt(CONCURRENCY * (15 + 3)));
  const rows = await listRows(db)<{ sealed: bigint; posted: bigint }>`
    select (select sum(transfer_count) from ledger.seal)::bigint as sealed, (select count(*) from ledger.transfer) as posted`;
  expect(rows[0]?.sealed).toBe(rows[0]?.posted);
  expect(await verifyLedger(db)).toEqual([]);
});
