import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { sql } from 'kysely';
import { beforeEach, describe, expect, test } from 'vitest';
import { endpoints } from '#contract/index.ts';
import { publishedBytes } from '#contract/solvency/heads.ts';
import type { Context } from '#server/context.ts';
import { listRows } from '#server/db/rows.ts';
import { fingerprintOf, isSignedBy } from '#server/signing/index.ts';
import { closeAfterAll } from '#test/database/close-after-all.ts';
import { freePort } from '#test/database/postgres-cluster.ts';
import { testApp } from '#test/worlds/app.ts';
import { makeOperator } from '#test/worlds/operators.ts';
import { mountIntegrity } from '../../operator/routes.ts';
import { parseSavedHeads } from '../core/saved-heads.ts';
import { takeRequestedSnapshots } from '../request-snapshot.ts';
import { mountSolvency } from '../routes.ts';
import { openSealedWorld } from './heads-world.test-setup.ts';
import { publishHeads } from './publish-heads.ts';
import { sendAnchors } from './send-anchors.ts';

let world: Awaited<ReturnType<typeof openSealedWorld>>;
beforeEach(async () => {
  world = await openSealedWorld();
  return () => world.database.close();
});
const HOUR = 3600;

describe('publishing', () => {
  test('is once an hour: the newest seal of each chain, signed', async () => {
    const published = await publishHeads(world.context);
    expect(published?.heads.map(({ chain, no }) => [chain, no])).toEqual([
      ['ledger', '1'],
      ['audit', '1'],
      ['liabilities', '1'],
    ]);
    if (published === undefined) throw new Error('nothing was published');
    const { public_key: key, fingerprint, signature } = published;
    expect(key).toBe(world.sealKey.key.publicKey);
    expect(fingerprint).toBe(fingerprintOf(key));
    expect(isSignedBy(key, publishedBytes(published), signature)).toBe(true);
    expect(isSignedBy(key, publishedBytes({ ...published, heads: published.heads.slice(1) }), signature)).toBe(false);
    world.clock.advance(HOUR - 1);
    expect(await publishHeads(world.context)).toBeUndefined();
    world.clock.advance(1);
    expect((await publishHeads(world.context))?.published_at).toBe(world.clock.now().toISOString());
  });

  test('needs the key and something sealed', async () => {
    const { sealKey: _, ...keyless } = world.context;
    expect(await publishHeads(keyless)).toBeUndefined();
    expect(await listRows(keyless.db)`select 1 from solvency.published_heads`).toEqual([]);
  });

  test('emails operators with the first of each day, in a text that can be pasted into a file', async () => {
    const { email } = await makeOperator(world.context, 'support');
    const disabled = await makeOperator(world.context, 'support');
    await world.database.runScript(`
      insert into identity.operator (email, name, role, created_at) values ('invited@mail.test', 'Vera', 'support', now());
      update identity.operator set disabled_at = now() where id = ${disabled.operatorId}`);
    const mails = () => listRows(world.context.db)<{ to_address: string; subject: string; text: string }>`
        select to_address, subject, text from notify.mail where subject like '%seals of%' order by id`;
    const first = await publishHeads(world.context);
    world.clock.advance(HOUR);
    await publishHeads(world.context);
    const sent = await mails();
    expect(sent.map(({ to_address, subject }) => [to_address, subject])).toEqual([
      [email, 'Tradewind: seals of 2026-03-04'],
    ]);
    expect(parseSavedHeads(sent[0]?.text ?? '')).toEqual([first]);
    world.clock.advance(24 * HOUR);
    await publishHeads(world.context);
    expect(await mails()).toHaveLength(2);
  });
});

describe('what is published is read', () => {
  const open = async () => closeAfterAll(await testApp(world.context, mountSolvency));

  test('by anybody, newest first, with the keys', async () => {
    const app = await open();
    const { getHeads, listHeads } = endpoints.solvencyHeads;
    expect(getHeads.data.parse((await app.ask('GET', 'solvency/heads')).body.data)).toMatchObject({ latest: null });
    const first = await publishHeads(world.context);
    world.clock.advance(HOUR);
    const second = await publishHeads(world.context);
    expect((await app.ask('GET', 'solvency/heads')).body.data).toEqual({
      latest: second,
      keys: world.sealKey.statements,
    });
    const page = async (query: string) => {
      const { status, body } = await app.ask('GET', `solvency/heads/published${query}`);
      expect(status).toBe(200);
      return listHeads.data.parse(body.data);
    };
    const newest = await page('?limit=1');
    expect(newest.items).toEqual([second]);
    expect(await page(`?limit=1&cursor=${newest.next_cursor}`)).toEqual({ items: [first], next_cursor: null });
    expect((await app.ask('GET', 'solvency/heads/published?cursor=x')).status).toBe(422);
  });

  test('by members on the page of solvency', async () => {
    const app = await open();
    const published = await publishHeads(world.context);
    const { body } = await app.ask('GET', 'solvency', { token: world.anna.token });
    expect(endpoints.solvency.getSolvency.data.parse(body.data).heads).toEqual(published);
  });
});

describe('the anchor', () => {
  /** A receiver that answers as it is told. */
  async function startReceiver() {
    const received: { key: string | undefined; body: string }[] = [];
    const answers: number[] = [];
    const server = createServer(async (request, response) => {
      const body = await text(request);
      const status = answers.shift() ?? 204;
      if (status < 300) received.push({ key: request.headers['idempotency-key'] as string, body });
      response.writeHead(status, status === 302 ? { location: '/other' } : {}).end();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    closeAfterAll({ close: async () => void server.close() });
    const context: Context = {
      ...world.context,
      config: {
        ...world.context.config,
        anchorUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/heads?token=secret`,
      },
    };
    return { received, answers, context };
  }

  test('is sent each hour once, oldest first, and nothing is sent without an address', async () => {
    const { received, context } = await startReceiver();
    await publishHeads(world.context);
    expect(await sendAnchors(context)).toBe(0);
    const published = [];
    for (let hour = 0; hour < 2; hour += 1) {
      world.clock.advance(HOUR);
      published.push(await publishHeads(context));
    }
    expect(await sendAnchors(world.context)).toBe(0);
    expect(await sendAnchors(context)).toBe(2);
    expect(await sendAnchors(context)).toBe(0);
    expect(received.map(({ body }) => JSON.parse(body))).toEqual(published);
    expect(received.map(({ key }) => key)).toEqual(['2026-03-04T13:00:00.000Z', '2026-03-04T14:00:00.000Z']);
  });

  test('that refuses one hour gets the later ones, and that one again', async () => {
    const { received, answers, context } = await startReceiver();
    for (let hour = 0; hour < 2; hour += 1) {
      await publishHeads(context);
      world.clock.advance(HOUR);
    }
    answers.push(409);
    await expect(sendAnchors(context)).rejects.toThrow('answered 409');
    expect(received).toHaveLength(1);
    expect(await sendAnchors(context)).toBe(1);
    expect(received[1]?.key?.localeCompare(received[0]?.key as string)).toBe(-1);
  });

  test('that refuses the hours of a day for good gets the next one', async () => {
    const { received, answers, context } = await startReceiver();
    for (let hour = 0; hour < 24; hour += 1) {
      await publishHeads(context);
      world.clock.advance(HOUR);
    }
    answers.push(...Array<number>(24).fill(409));
    await expect(sendAnchors(context)).rejects.toThrow('Parts that failed: 24');
    await publishHeads(context);
    answers.push(204, ...Array<number>(23).fill(409));
    await expect(sendAnchors(context)).rejects.toThrow('Parts that failed: 23');
    expect(received.map(({ key }) => key)).toEqual(['2026-03-05T12:00:00.000Z']);
  });

  test.each([500, 404, 302])(
    'that answers %i fails the job without telling the address, and is tried again',
    async (status) => {
      const { received, answers, context } = await startReceiver();
      await publishHeads(context);
      answers.push(status);
      const fault = await sendAnchors(context).catch((error: Error) => error);
      expect(fault).toMatchObject({
        name: 'AnchorFault',
        message: expect.stringContaining('did not take the heads of'),
      });
      expect(String(fault)).not.toContain('secret');
      expect(await sendAnchors(context)).toBe(1);
      expect(received).toHaveLength(1);
    },
  );

  test('that is not there fails the job', async () => {
    const { context } = await startReceiver();
    await publishHeads(context);
    const away = { ...context, config: { ...context.config, anchorUrl: `http://127.0.0.1:${await freePort()}/` } };
    await expect(sendAnchors(away)).rejects.toThrow('ECONNREFUSED');
  });

  test('is sent by one of two workers that ask at once', async () => {
    const { received, context } = await startReceiver();
    await publishHeads(context);
    const sent = await Promise.all([sendAnchors(context), sendAnchors(context)]);
    expect(sent.toSorted()).toEqual([0, 1]);
    expect(received).toHaveLength(1);
  });

  test('is sent by one worker, though another that had begun before its lease ended fails meanwhile', async () => {
    const { received, context } = await startReceiver();
    await publishHeads(context);
    const begin = async () => {
      type Reply = { message: string; isAnswer: boolean } | undefined;
      const [begun, reply] = [Promise.withResolvers<void>(), Promise.withResolvers<Reply>()];
      const sending = sendAnchors(context, () => {
        begun.resolve();
        return reply.promise;
      });
      await begun.promise;
      return { sending, reply };
    };
    const late = await begin();
    world.clock.advance(60);
    const other = await begin();
    const failed = expect(late.sending).rejects.toThrow('away');
    late.reply.resolve({ message: 'away', isAnswer: false });
    await failed;
    expect(await sendAnchors(context)).toBe(0);
    other.reply.resolve(undefined);
    expect(await other.sending).toBe(1);
    expect(received).toEqual([]);
  });
});

test('a proof that an admin asks for in a process without the key is made by the one that has it', async () => {
  const { sealKey: _, ...keyless } = world.context;
  const app = closeAfterAll(await testApp(keyless, mountIntegrity));
  const { token, operatorId } = await makeOperator(world.context, 'admin');
  const ask = async () => (await app.ask('POST', 'operator/solvency/snapshot', { token })).body.data;
  expect([await ask(), await ask()]).toEqual([null, null]);
  await takeRequestedSnapshots(world.context);
  await takeRequestedSnapshots(world.context);
  const { rows } = await sql`
    select no, (select actor_id from audit.entry where action = 'solvency.seal') as by from solvency.snapshot
    where kind = 'asked'`.execute(keyless.db);
  expect(rows).toEqual([{ no: 2n, by: operatorId }]);
  expect(await world.verify()).toEqual([]);
});
