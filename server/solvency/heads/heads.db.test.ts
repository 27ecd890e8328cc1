import { sql } from 'kysely';
import { beforeEach, describe, expect, test } from 'vitest';
import type { PublishedHeads } from '#contract/solvency/heads.ts';
import { PrivateKey } from '#server/signing/index.ts';
import { cuts } from '#test/audit-walk/cuts.ts';
import { closeAfterAll } from '#test/database/close-after-all.ts';
import { bootWithoutMarket } from '#test/kit/boot.ts';
import { giveFunds } from '#test/worlds/members.ts';
import { takeDailySnapshot } from '../take-snapshot.ts';
import { announceKey, openSealedWorld } from './heads-world.test-setup.ts';
import { publishHeads } from './publish-heads.ts';
import { readLastSeals } from './read-heads.ts';
import { verifySignatures } from './verify-signatures.ts';

type World = Awaited<ReturnType<typeof openSealedWorld>>;
let world: World;
beforeEach(async () => {
  world = await openSealedWorld();
  return () => world.database.close();
});

const words = (found: readonly { subject: string; message: string }[]) =>
  found.map(({ subject, message }) => `${subject} ${message}`);

async function publish(): Promise<PublishedHeads> {
  const published = await publishHeads(world.context);
  if (published === undefined) throw new Error('nothing was published');
  return published;
}

/** One more seal of each chain, and what is published then. */
async function sealMore() {
  await giveFunds(world.context, world.anna.memberId, 7_000_000n);
  await world.note('member:99');
  await sql`update market.clock set at = at + interval '1 day'`.execute(world.context.db);
  await world.sealAll();
  world.clock.advance(3600);
  return publish();
}

describe('the owner of the database who removes the newest seal, its rows and its signature', () => {
  test.each(Object.entries(cuts))('of %s is found by heads that were kept, and by nothing else', async (_, cut) => {
    const kept = await sealMore();
    expect(words(await world.compare(kept))).toEqual([]);
    await world.asOwner(
      [...cut.tables, 'solvency.published_heads'],
      `${cut.statements};
       delete from solvency.anchor_delivery; delete from solvency.published_heads`,
    );
    expect(words(await world.verify())).toEqual([]);
    const removed = `${cut.name} 2 was published at ${kept.published_at} and is missing: it was removed, with all that came after it`;
    expect(words(await world.compare(kept))).toEqual([removed]);
    // Its later replacement has the same number but is another seal.
    await world.note('member:100');
    await giveFunds(world.context, world.anna.memberId, 1n);
    world.clock.advance(60);
    await world.sealAll();
    expect(words(await world.verify())).toEqual([]);
    const replaced = `${cut.name} 2 has another hash than was published at ${kept.published_at}: it, or a seal before it, was replaced`;
    expect(words(await world.compare(kept))).toContain(replaced);
  });

  test('is found without any file unless the published heads are removed as well', async () => {
    const kept = await sealMore();
    const { tables, statements } = cuts['the audit log'];
    await world.asOwner(tables, statements);
    expect(words(await world.verify())).toEqual([
      `audit seal 2 was published at ${kept.published_at} and is missing: it was removed, with all that came after it`,
    ]);
  });
});

describe('verifying finds', () => {
  const NOT_SIGNED = 'is not signed, although every seal since the first key is';

  test('a removed signature, even all of a chain, because the key file states where they begin', async () => {
    await sealMore();
    await world.asOwner(['signing.signature', 'signing.key'], `delete from signing.signature`);
    expect(words(await world.verify())).toEqual([
      ...['seal 1', 'seal 2', 'audit seal 1', 'audit seal 2', 'snapshot 1', 'snapshot 2'].map(
        (name) => `${name} ${NOT_SIGNED}`,
      ),
    ]);
  });

  test('keys that were removed from the database or replaced there', async () => {
    await world.asOwner(['signing.signature', 'signing.key'], `delete from signing.signature; delete from signing.key`);
    const found = words(await world.verify());
    expect(found[0]).toMatch(/^seal key 1 is \w{16}… in the key file and none in the database, or was modified there$/);
    expect(found).toContain(`seal 1 ${NOT_SIGNED}`);
    const forger = PrivateKey.make();
    await world.database.runScript(`
      insert into signing.key values (1, encode(sha256('\\x${forger.publicKey}'), 'hex'), '\\x${forger.publicKey}', now(), 90, 90, 90,
        decode(repeat('00', 64), 'hex'), null)`);
    expect(words(await world.verify())[0]).toMatch(/in the database, or was modified there$/);
  });

  test('a seal recreated with a matching hash and signed by another key', async () => {
    const forger = PrivateKey.make();
    await world.asOwner(
      ['signing.signature'],
      `update signing.signature set signature = decode('${forger.sign(Buffer.from('anything'))}', 'hex') where chain = 'audit'`,
    );
    expect(words(await world.verify())).toEqual([
      'audit seal 1 has a signature that does not match: it was modified or replaced',
    ]);
  });

  test('a signature whose seal is gone', async () => {
    await sealMore();
    await world.asOwner(['solvency.snapshot'], 'delete from solvency.snapshot where no = 2');
    expect(words(await world.verify())).toContain('snapshot 2 was signed and is missing');
  });

  test('published heads that were modified, and guards that are off', async () => {
    const { published_at: at } = await publish();
    await world.asOwner(
      ['solvency.published_heads'],
      `update solvency.published_heads set document = replace(document, '"no":"1"', '"no":"2"')`,
    );
    expect(words(await world.verify())).toContain(
      `heads published at ${at} have a signature that does not match: they were modified`,
    );
    await world.asOwner(['solvency.published_heads'], `update solvency.published_heads set document = 'x'`);
    expect(words(await world.verify())).toEqual([expect.stringMatching(/^heads published at .* were modified$/)]);
    await world.database.runScript('alter table solvency.published_heads disable trigger append_only');
    await world.database.runScript('drop trigger append_only on signing.signature');
    expect(words(await world.verify()).slice(0, 2)).toEqual([
      'append-only trigger on signing.signature is missing or disabled',
      'append-only trigger on solvency.published_heads is missing or disabled',
    ]);
  });

  test('heads of another installation', async () => {
    const kept = await publish();
    const found = await world.compare({ ...kept, public_key: PrivateKey.make().publicKey });
    expect(words(found)).toEqual([expect.stringMatching(/which is no key of this installation$/)]);
  });
});

test('seals of before the first key stay unsigned, which is no discrepancy, and every later one is signed', async () => {
  const { database, context } = closeAfterAll(await bootWithoutMarket('2026-03-04T09:00:00Z'));
  const { db } = context;
  await takeDailySnapshot(context);
  const sealKey = await announceKey(context, await readLastSeals(db));
  const verify = async () => words(await verifySignatures(db, sealKey.statements));
  expect(sealKey.statements[0]?.after).toEqual({ ledger: '0', audit: '0', liabilities: '1' });
  expect(await verify()).toEqual([]);
  await sql`update market.clock set at = at + interval '1 day'`.execute(db);
  await takeDailySnapshot({ ...context, sealKey });
  expect(await verify()).toEqual([]);
  await database.runScript(`
    alter table signing.signature disable trigger user; delete from signing.signature;
    alter table signing.signature enable trigger user`);
  expect(await verify()).toEqual(['snapshot 2 is not signed, although every seal since the first key is']);
});

test('the newest of more seals than are read at once is verified, too', async () => {
  const { context } = closeAfterAll(await bootWithoutMarket('2026-03-04T09:00:00Z'));
  await sql`
    insert into audit.seal (no, horizon, entry_count, root, previous_hash, hash, sealed_at)
    select n, n, 1, fake, fake, fake, now() from generate_series(1, 502) n, sha256('') fake`.execute(context.db);
  const sealKey = await announceKey(context, { ledger: 0n, audit: 501n, liabilities: 0n });
  expect(words(await verifySignatures(context.db, sealKey.statements))).toEqual([
    'audit seal 502 is not signed, although every seal since the first key is',
  ]);
});

test('where seals are signed no process seals without the key, or with a replaced one', async () => {
  const { sealKey: _, ...keyless } = world.context;
  await sql`update market.clock set at = at + interval '1 day'`.execute(keyless.db);
  await expect(takeDailySnapshot(keyless)).rejects.toThrow('this process does not have the key');
  const other = { key: PrivateKey.make(), statements: world.sealKey.statements };
  await expect(takeDailySnapshot({ ...keyless, sealKey: other })).rejects.toThrow('was replaced: restart');
  expect(words(await verifySignatures(keyless.db, undefined, 'new'))).toEqual([]);
});

test.each(['signing.key', 'signing.signature', 'solvency.published_heads'])('%s is append-only', async (table) => {
  await publish();
  for (const statement of [`delete from ${table}`, `truncate ${table} cascade`])
    await expect(world.database.runScript(statement)).rejects.toMatchObject({
      code: expect.stringMatching(/^TW[KS]01$/),
    });
});
