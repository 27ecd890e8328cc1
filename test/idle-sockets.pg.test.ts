import assert from 'node:assert';
import { execFileSync, spawn } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { liveCloses } from '#contract/live/live-rules.ts';
import type { Context } from '#server/context.ts';
import type { Database } from '#server/db/connect.ts';
import { inTransaction } from '#server/db/tx.ts';
import { openMemberAccounts } from '#server/ledger/index.ts';
import { holderFile } from '#test/database/idle-holder.ts';
import { bootTest } from '#test/kit/boot.ts';
import { openLiveClient } from '#test/kit/live-client.ts';
import { callApi } from '#test/kit/send-api.ts';
import { asDeployed, type ServerProcess, startServer } from '#test/kit/server-process.ts';

/** Other open files of a process: the database, files, other calls. */
const OTHER_FILES = 500;
const maxFiles = Number(
  execFileSync('sh', ['-c', 'ulimit -Hn'], { encoding: 'utf8' }).replace('unlimited', 'Infinity'),
);
/** Ten thousand, or as many as the machine allows a process. */
const SOCKETS = Math.min(10_000, maxFiles - OTHER_FILES);
const HOLDERS = 2;
/** `npm run bench -- live` measures what an idle machine needs. A busy one collects garbage late. */
const MAX_MEGABYTES = 300;

let database: Database;
let context: Context;

beforeAll(async () => {
  assert(
    SOCKETS >= 1000,
    `This machine lets a process open ${maxFiles} files (ulimit -Hn), which are too few to tell.`,
  );
  ({ database, context } = await bootTest({ MARKET_SPEED: '60' }));
});
afterAll(() => database.close());

/** Signed-in members. @returns their tokens */
function signInMany(count: number): Promise<string[]> {
  const tokens = Array.from({ length: count }, () => randomBytes(32).toString('base64url'));
  const hashes = tokens.map((token) => createHash('sha256').update(token).digest('hex'));
  return inTransaction(context.db, async (tx) => {
    const { rows } = await sql<{ id: bigint }>`
      insert into identity.member (referral_code, sponsor_id, name, email, mobile_number, password_hash, created_at)
      select 'TW' || lpad(n::text, 8, '0'), 1, 'Member ' || n, 'm' || n || '@example.com', '+919876543210', '-', now()
      from generate_series(2, ${count}::int + 1) n returning id`.execute(tx);
    const ids = rows.map(({ id }) => id);
    await openMemberAccounts(tx, ids);
    await sql`
      insert into identity.auth_session (token_hash, member_id, device, address, created_at, last_used_at, expires_at)
      select decode(hash, 'hex'), id, 'test', '127.0.0.1', now(), now(), now() + interval '1 day'
      from unnest(${hashes}::text[], ${ids}::bigint[]) as sign_in (hash, id)`.execute(tx);
    return tokens;
  });
}

/** Processes that hold a socket for each token. @returns what stops them, and the sockets with them */
async function hold(server: ServerProcess, tokens: readonly string[]): Promise<() => Promise<void>> {
  const folder = mkdtempSync(join(tmpdir(), 'tradewind-idle-'));
  const holders = Array.from({ length: HOLDERS }, (_, holder) => {
    const file = join(folder, `${holder}.json`);
    writeFileSync(file, JSON.stringify(tokens.filter((_token, n) => n % HOLDERS === holder)));
    return spawn(process.execPath, [holderFile, server.origin, file], { stdio: ['pipe', 'pipe', 'inherit'] });
  });
  const end = async () => {
    const running = holders.filter(({ exitCode, signalCode }) => exitCode === null && signalCode === null);
    const gone = running.map((holder) => once(holder, 'exit'));
    for (const holder of running) holder.stdin.end();
    await Promise.all(gone);
    rmSync(folder, { recursive: true, force: true });
  };
  onTestFinished(end);
  await Promise.all(
    holders.map((holder) =>
      Promise.race([
        once(holder.stdout, 'data'),
        once(holder, 'exit').then(([code]) =>
          assert.fail(`a holder of sockets ended with ${code}: ${server.output()}`),
        ),
      ]),
    ),
  );
  return end;
}

/** Open file handles of a process. */
const countHandles = ({ pid }: ServerProcess): number => readdirSync(`/proc/${pid}/fd`).length;
const readMegabytes = ({ pid }: ServerProcess): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;

/** Milliseconds of sequential calls over several rounds of prices. Each must succeed. */
async function timeCalls(server: ServerProcess, token: string): Promise<number[]> {
  const times: number[] = [];
  for (let n = 0; n < 60; n += 1) {
    const begun = performance.now();
    await callApi(server.origin, 'auth/wallet-balance', { token });
    times.push(performance.now() - begun);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return times.sort((one, other) => one - other);
}

test('ten thousand idle sockets leave a process fast and small, and leave nothing behind', {
  timeout: 900_000,
}, async () => {
  const tokens = await signInMany(SOCKETS + 1);
  const [guest = '', ...holding] = tokens;
  const env = { DATABASE_URL: database.pool?.options.connectionString as string, RATE_LIMIT: '1000000' };
  // As web processes are run, apart from the worker.
  const server = await startServer(
    { ...asDeployed.env, ...env, MARKET_SPEED: '60', LIVE_SOCKETS: String(SOCKETS), JOBS: 'off' },
    120,
    asDeployed.program,
  );
  onTestFinished(server.kill);
  const handlesBefore = countHandles(server);

  // Twice: leftovers of the first ten thousand would add to the second.
  for (const round of [1, 2]) {
    const end = await hold(server, holding);
    expect(countHandles(server)).toBeGreaterThanOrEqual(SOCKETS + handlesBefore - 50);
    const one = await openLiveClient(server.origin, guest);
    expect(await one.closed).toBe(liveCloses.full);
    const times = await timeCalls(server, guest);
    const megabytes = readMegabytes(server);
    expect(megabytes, `round ${round}`).toBeLessThanOrEqual(MAX_MEGABYTES);
    expect(times[Math.floor(times.length / 2)], `round ${round}: ${times.map(Math.round)}`).toBeLessThan(1000);
    await end();
    await expect.poll(() => countHandles(server)).toBeLessThanOrEqual(handlesBefore + 50);
  }

  const next = await openLiveClient(server.origin, guest);
  await next.wait(({ type }) => type === 'prices');
  next.close();
  expect(await server.stop(), server.output()).toBe(0);
});
