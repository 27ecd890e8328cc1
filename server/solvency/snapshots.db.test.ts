import { sql } from 'kysely';
import { beforeAll, describe, expect, test } from 'vitest';
import { checkLeaf } from '#contract/solvency/check-leaf.ts';
import { leafAccounts, memberHash, partNode, SumTree } from '#contract/solvency/merkle-sum.ts';
import type { SplitLeaf } from '#contract/solvency/proof.ts';
import { getServerKey } from '#server/accounts/index.ts';
import type { Context } from '#server/context.ts';
import { listRows, listValues } from '#server/db/rows.ts';
import { inTransaction } from '#server/db/tx.ts';
import { sealLedger } from '#server/ledger/index.ts';
import { closeAfterAll } from '#test/database/close-after-all.ts';
import { bootWithoutMarket } from '#test/kit/boot.ts';
import { refusal, type TestApp, testApp } from '#test/worlds/app.ts';
import { giveFunds, signUp } from '#test/worlds/members.ts';
import { makeOperator } from '#test/worlds/operators.ts';
import { addTeam } from '#test/worlds/settled-session.ts';
import { afterTampering, tamper } from '#test/worlds/tamper.ts';
import { mountIntegrity } from '../operator/routes.ts';
import { splitBalance, treeSize } from './core/split-leaves.ts';
import { getOwnLeaf } from './get-own-leaf.ts';
import { mountSolvency } from './routes.ts';
import { sha256 } from './show-snapshot.ts';
import { hmacWith, nonceOf, padsOf, snapshotKeys } from './snapshot-keys.ts';
import { takeDailySnapshot } from './take-snapshot.ts';
import { verifySnapshots } from './verify-snapshots.ts';

/** Anna, who is signed in, and eleven others with money; with the company thirteen members are included. */
async function openWorld() {
  const { context, database, clock } = closeAfterAll(await bootWithoutMarket('2026-03-04T09:00:00Z'));
  const app = closeAfterAll(await testApp(context, mountSolvency, mountIntegrity));
  const anna = await signUp(context, { name: 'Anna' });
  const others = await addTeam(context, Array(11).fill(1n));
  await giveFunds(context, anna.memberId, 5_718_635_000n);
  for (const [at, memberId] of others.entries()) await giveFunds(context, memberId, BigInt(at) * 1_000_001n + 1n);
  return { context, database, clock, app, anna, others };
}

const setMarket = ({ db }: Context, at: string) => sql`update market.clock set at = ${at}::timestamptz`.execute(db);
const data = async (app: TestApp, url: string, token?: string) => {
  const { status, body } = await app.ask('GET', url, token === undefined ? {} : { token });
  expect([url, status]).toEqual([url, 200]);
  return body.data;
};

describe('a day', () => {
  let world: Awaited<ReturnType<typeof openWorld>>;
  beforeAll(async () => {
    world = await openWorld();
  });

  test('before the first snapshot there is none to show', async () => {
    const { app, anna } = world;
    expect(await data(app, 'solvency/snapshot')).toBeNull();
    expect(await data(app, 'solvency/my-leaf', anna.token)).toBeNull();
    expect(await data(app, 'solvency/snapshots')).toEqual({ items: [], next_cursor: null });
  });

  test('is sealed once, however often it is asked for, and stands on the ledger’s last seal', async () => {
    const { context, app } = world;
    const seal = await sealLedger(context);
    const taken = await takeDailySnapshot(context);
    expect(taken).toMatchObject({ no: 1n, kind: 'daily', marketDay: '2026-03-04', leaves: 1024 });
    expect(await takeDailySnapshot(context)).toBeUndefined();
    const shown = await data(app, 'solvency/snapshot');
    expect(shown).toMatchObject({
      no: '1',
      market_day: '2026-03-04',
      taken_at: '2026-03-04T12:00:00.000Z',
      version: 2,
      leaves: 1024,
      sum_micros: '5773635066',
      liabilities_micros: '5773635066',
      ledger_seal: { no: '1', hash: seal?.hash },
      previous_hash: '0'.repeat(64),
    });
  });

  test('shows a member the way from the own balances to the published root', async () => {
    const { app, anna } = world;
    const published = await data(app, 'solvency/snapshot');
    const own = await data(app, 'solvency/my-leaf', anna.token);
    expect(own.leaf.balances_micros).toMatchObject({ primary: '5718635000', profit: '0' });
    const { fault, paths } = checkLeaf(published, own, anna.referralCode, sha256);
    expect(fault).toBeUndefined();
    expect(paths).toHaveLength(2);
    for (const nodes of paths) {
      expect(nodes).toHaveLength(11);
      expect(nodes.at(-1)?.sum).toBe(5_773_635_066n);
    }
    const amounts = own.leaf.parts.map((part: { amount_micros: string }) => BigInt(part.amount_micros));
    expect(amounts.reduce((sum: bigint, amount: bigint) => sum + amount, 0n)).toBe(5_718_635_000n);
  });

  test('shows who joined afterwards that they are in none yet', async () => {
    const { context, app } = world;
    const late = await signUp(context, { name: 'Late' });
    expect(await data(app, 'solvency/my-leaf', late.token)).toMatchObject({ snapshot: { no: '1' }, leaf: null });
  });

  test('every part of every member has a leaf of its own whose way is right, and the rest is padding', async () => {
    const { context, app } = world;
    const published = await data(app, 'solvency/snapshot');
    const positions: number[] = [];
    for (let memberId = 1n; memberId <= 13n; memberId += 1n) {
      const own = await getOwnLeaf(context, memberId);
      if (own?.leaf == null) throw new Error(`member ${memberId} is not counted`);
      expect(checkLeaf(published, { ...own, leaf: own.leaf }, own.leaf.referral_code, sha256).fault).toBeUndefined();
      positions.push(...(own.leaf as SplitLeaf).parts.map(({ position }) => position));
    }
    expect(new Set(positions).size).toBe(positions.length);
    // In member order, everyone could tell whose amount the neighbouring leaf shows.
    expect(positions).not.toEqual(positions.toSorted((a, b) => a - b));
  });

  test('no neighbour is another member’s total, and it may be padding', async () => {
    const { context } = world;
    const totals = new Set(Array.from({ length: 11 }, (_, at) => BigInt(at) * 1_000_001n + 1n));
    const seen: bigint[] = [];
    for (let memberId = 1n; memberId <= 13n; memberId += 1n) {
      const own = await getOwnLeaf(context, memberId);
      const { parts } = (own as { leaf: SplitLeaf }).leaf;
      seen.push(...parts.map(({ path }) => BigInt(path[0]?.sum_micros ?? '')));
    }
    // The smallest total is one micro, which is a part as well.
    expect(seen.filter((sum) => sum > 1n && totals.has(sum))).toEqual([]);
    expect(seen.filter((sum) => sum === 0n)).not.toEqual([]);
  });

  test('the next day is chained to it, counts what changed, and has other nonces and places', async () => {
    const { context, app, anna } = world;
    const before = await data(app, 'solvency/my-leaf', anna.token);
    await giveFunds(context, anna.memberId, 4n);
    expect(await takeDailySnapshot(context)).toBeUndefined();
    await setMarket(context, '2026-03-05T00:00:00Z');
    expect(await takeDailySnapshot(context)).toMatchObject({ no: 2n, marketDay: '2026-03-05', leaves: 1024 });
    const after = await data(app, 'solvency/my-leaf', anna.token);
    expect(after.snapshot.previous_hash).toBe(before.snapshot.hash);
    expect(after.leaf.balances_micros.primary).toBe('5718635004');
    expect(after.leaf.nonce).not.toBe(before.leaf.nonce);
    expect(checkLeaf(after.snapshot, before, anna.referralCode, sha256).fault).toBe('other_snapshot');
    const mixed = { snapshot: after.snapshot, leaf: before.leaf };
    expect(checkLeaf(after.snapshot, mixed, anna.referralCode, sha256).fault).toBeDefined();
  });

  test('an earlier proof is there by its number, its head for everybody and its leaves for who is in it', async () => {
    const { context, app, anna } = world;
    const published = await data(app, 'solvency/snapshot?no=1');
    const own = await data(app, 'solvency/my-leaf?no=1', anna.token);
    expect(published).toMatchObject({ no: '1', market_day: '2026-03-04' });
    expect(checkLeaf(published, own, anna.referralCode, sha256).fault).toBeUndefined();
    expect((await data(app, 'solvency/my-proofs', anna.token)).items).toMatchObject([{ no: '2' }, { no: '1' }]);
    const later = await signUp(context, { name: 'Later' });
    expect((await data(app, 'solvency/my-proofs', later.token)).items).toEqual([]);
    expect(await data(app, 'solvency/my-leaf?no=1', later.token)).toMatchObject({ leaf: null });
    expect(await app.ask('GET', 'solvency/snapshot?no=99')).toMatchObject({ status: 404 });
    expect(await app.ask('GET', 'solvency/my-leaf?no=99', { token: anna.token })).toMatchObject({ status: 404 });
    expect(await app.ask('GET', 'solvency/snapshot?no=x')).toMatchObject({ status: 422 });
    expect(await app.ask('GET', 'solvency/my-proofs')).toMatchObject({ status: 401 });
  });

  test('the list shows all, newest first, page by page, and refuses another cursor', async () => {
    const { app } = world;
    const first = await data(app, 'solvency/snapshots?limit=1');
    expect(first).toMatchObject({ items: [{ no: '2' }], next_cursor: '2' });
    expect(await data(app, `solvency/snapshots?limit=1&cursor=${first.next_cursor}`)).toMatchObject({
      items: [{ no: '1' }],
      next_cursor: null,
    });
    expect(await app.ask('GET', 'solvency/snapshots?cursor=x')).toMatchObject({ status: 422 });
  });

  test('an admin seals one more, which the audit log says; others may not', async () => {
    const { context, app, anna } = world;
    const [admin, finance] = [await makeOperator(context, 'admin'), await makeOperator(context, 'finance')];
    const seal = (token: string) => app.ask('POST', 'operator/solvency/snapshot', { token });
    expect(await seal(admin.token)).toMatchObject({ status: 200, body: { data: { no: '3' } } });
    expect(await seal(finance.token)).toMatchObject({ status: 403 });
    expect(await seal(anna.token)).toMatchObject({ status: 403 });
    expect(
      await listRows(context.db)`select actor_id, subject from audit.entry where action = 'solvency.seal'`,
    ).toEqual([{ actor_id: admin.operatorId, subject: 'snapshot:3' }]);
  });

  test('the database itself keeps snapshots from being changed', async () => {
    for (const change of [
      'update solvency.snapshot set leaves = 1',
      'delete from solvency.snapshot',
      'truncate solvency.snapshot',
    ])
      await expect(world.database.runScript(change)).rejects.toMatchObject({ code: 'TWS01' });
  });
});

describe('a snapshot', () => {
  test('that was killed in the middle leaves nothing, and the next try makes the very same tree', async () => {
    const { context } = await openWorld();
    const undisturbed = await rootByHand(context);
    const killed = {
      ...context,
      now: () => {
        throw new Error('killed');
      },
    };
    await inTransaction(context.db, (tx) => getServerKey(tx, 'solvency', context.now()));
    let calls = 0;
    const once = { ...killed, now: () => (++calls === 1 ? context.now() : killed.now()) };
    await expect(takeDailySnapshot(once)).rejects.toThrow('killed');
    expect(await listRows(context.db)`select 1 from solvency.node`).toEqual([]);
    const taken = await takeDailySnapshot(context);
    expect(taken?.no).toBe(1n);
    expect(taken?.rootHash.toString('hex')).toBe(undisturbed);
  });

  test('fails when the leaves do not add up to the ledger’s liabilities', async () => {
    const { context, database, anna } = await openWorld();
    await tamper(database, `update ledger.account set balance = balance - 1 where id = ${anna.memberId * 32n + 1n}`);
    await expect(takeDailySnapshot(context)).rejects.toThrow('the sum of the leaves is not what members are owed');
    expect(await listRows(context.db)`select 1 from solvency.snapshot`).toEqual([]);
  });

  test.each([
    ['an account', (id: bigint) => `delete from ledger.account where id = ${id * 32n + 3n}`, '"sum"'],
    ['their row', (id: bigint) => `delete from identity.member where id = ${id}`, '"hash"'],
  ])('leaves nobody out in silence: a member without %s stops it', async (_, forge, missing) => {
    const { context, database, others } = await openWorld();
    await tamper(database, forge(others[3] as bigint));
    await expect(takeDailySnapshot(context)).rejects.toThrow(`null value in column ${missing}`);
    expect(await listRows(context.db)`select 1 from solvency.snapshot`).toEqual([]);
  });

  test('keeps the nodes of the last seven, and the roots for ever', async () => {
    const { context, app, anna } = await openWorld();
    for (let day = 1; day <= 10; day += 1) {
      await setMarket(context, `2026-04-${String(day).padStart(2, '0')}T00:00:00Z`);
      await takeDailySnapshot(context);
    }
    expect(await listValues(context.db)<number>`select distinct slot from solvency.node order by slot`).toEqual([
      0, 1, 2, 3, 4, 5, 6, 7,
    ]);
    expect((await data(app, 'solvency/snapshots')).items).toHaveLength(10);
    const own = await data(app, 'solvency/my-leaf', anna.token);
    expect(checkLeaf(own.snapshot, own, anna.referralCode, sha256).fault).toBeUndefined();
    const kept = (await data(app, 'solvency/my-proofs', anna.token)).items;
    expect(kept.map(({ no }: { no: string }) => no)).toEqual(['10', '9', '8', '7', '6', '5', '4']);
    expect(await app.ask('GET', 'solvency/my-leaf?no=3', { token: anna.token })).toMatchObject({ status: 404 });
    expect(await verifySnapshots(context.db, 'all')).toEqual([]);
  });

  test('needs a member to count', async () => {
    const { context, database } = closeAfterAll(await bootWithoutMarket('2026-03-04T09:00:00Z'));
    await tamper(database, 'delete from ledger.account');
    expect(await takeDailySnapshot(context)).toBeUndefined();
    const app = closeAfterAll(await testApp(context, mountIntegrity));
    const { token } = await makeOperator(context, 'admin');
    expect(await app.ask('POST', 'operator/solvency/snapshot', { token })).toMatchObject(
      refusal(409, 'nobody_to_count'),
    );
  });
});

/** The root recomputed independently from the accounts, without the snapshot's own statements. */
async function rootByHand({ db, now }: Context): Promise<string> {
  const { value: serverKey } = await inTransaction(db, (tx) => getServerKey(tx, 'solvency', now()));
  const { rows } = await sql<{ id: bigint; code: string; balances: bigint[] }>`
    select m.id, m.referral_code as code, array_agg(a.balance::bigint order by a.id) as balances
    from identity.member m join ledger.account a on a.member_id = m.id group by m.id`.execute(db);
  const parts = rows.flatMap(({ id, code, balances: amounts }) => {
    const named = leafAccounts.map((name, at) => [name, amounts[at] as bigint]);
    const balances = Object.fromEntries(named) as Record<(typeof leafAccounts)[number], bigint>;
    const content = { snapshotNo: 1n, referralCode: code, nonce: nonceOf(serverKey, 1n, id), balances };
    const hash = memberHash(content, sha256);
    const total = amounts.reduce((sum, amount) => sum + amount, 0n);
    return splitBalance(hash, total, sha256).map((amount, at) => partNode(hash, at + 1, amount, sha256));
  });
  const { padding } = snapshotKeys(serverKey, 1n);
  const pads = Array.from({ length: treeSize(parts.length) - parts.length }, (_, at) =>
    partNode(hmacWith(padsOf(padding), BigInt(at + 1)), 1, 0n, sha256),
  );
  const tree = new SumTree(sha256);
  for (const leaf of [...parts, ...pads].toSorted((a, b) => Buffer.compare(a.hash, b.hash))) tree.add(leaf);
  return Buffer.from(tree.root()?.hash ?? []).toString('hex');
}

const edit = (slot: number, leaves: string) =>
  `update solvency.node set leaves = ${leaves} where slot = ${slot} and level = 5 and position = 4`;

describe('an edit behind the application’s back is found', () => {
  let world: Awaited<ReturnType<typeof openWorld>>;
  beforeAll(async () => {
    world = await openWorld();
    for (const day of ['05', '06', '07']) {
      await setMarket(world.context, `2026-03-${day}T00:00:00Z`);
      await takeDailySnapshot(world.context);
    }
  });

  const findAfter = async (statement: string): Promise<string[]> => {
    const found = await afterTampering(world.context.db, [statement], (tx) => verifySnapshots(tx, 'all'));
    return found.map(({ subject, message }) => `${subject}: ${message}`);
  };
  test('and nothing in what nobody touched', async () => {
    expect(await findAfter('select 1')).toEqual([]);
  });

  test.each([
    ['update solvency.snapshot set root_sum = root_sum - 1, liabilities = liabilities - 1 where no = 2', 'snapshot 2'],
    ["update solvency.snapshot set root_hash = sha256('x') where no = 1", 'snapshot 1'],
    ["update solvency.snapshot set taken_at = taken_at + interval '1 second' where no = 3", 'snapshot 3'],
    ["update solvency.snapshot set previous_hash = sha256('x') where no = 3", 'snapshot 3'],
    ["update solvency.snapshot set hash = sha256('x') where no = 2", 'snapshot 3'],
    ['delete from solvency.snapshot where no = 2', 'snapshot 3'],
    ['update solvency.snapshot set version = 1 where no = 3', 'snapshot 3'],
    ['update solvency.node set sum = sum + 1 where slot = 3 and level = 0 and member_id = 5', 'member 5 of snapshot 3'],
    [
      'update solvency.node set balances[1] = balances[1] + 1 where slot = 3 and level = 0 and member_id = 5',
      'member 5 of snapshot 3',
    ],
    [
      "update solvency.node set hash = sha256('x') where slot = 2 and level = 0 and member_id = 5",
      'member 5 of snapshot 2',
    ],
    [
      'update solvency.node set member_id = member_id + 1000 where slot = 2 and level = 0 and member_id = 5',
      'member 1005 of snapshot 2',
    ],
    ['delete from solvency.node where slot = 1 and level = 0 and member_id = 7', 'block'],
    [
      'update solvency.node set sum = sum + 1 where slot = 3 and level = 7 and position = 1',
      'node 1 of level 7 of snapshot 3',
    ],
    ['delete from solvency.node where slot = 3 and level = 6 and position = 0', 'node 0 of level 6 of snapshot 3'],
    // A leaf of no member replaces another.
    [edit(2, "overlay(leaves placing sha256('x') from 1 + 40 * 9)"), 'block 4 of snapshot 2'],
    // One leaf is missing.
    [edit(2, 'overlay(leaves placing substr(leaves, 1 + 40 * 8, 40) from 1 + 40 * 9)'), 'leaf 137 of snapshot 2'],
    ['delete from solvency.node where slot = 1 and level = 5 and position = 31', 'snapshot 1'],
    // A negative part, and padding with an amount, both offset by the neighbouring leaf.
    [edit(3, 'overlay(leaves placing int8send(-5) from 1 + 40 * 3 + 32)'), 'leaf 131 of snapshot 3'],
    [edit(3, 'overlay(leaves placing int8send(7) from 1 + 40 * 3 + 32)'), 'block 4 of snapshot 3'],
  ])('%s', async (statement, subject) => {
    expect((await findAfter(statement)).filter((line) => line.startsWith(subject))).not.toEqual([]);
  });
});
