import { setTimeout as wait } from 'node:timers/promises';
import { hashPassword } from '#server/accounts/passwords/passwords.ts';
import type { Context } from '#server/context.ts';
import { listValues } from '#server/db/rows.ts';
import type { Cluster } from '#test/database/postgres-cluster.ts';
import { callApi } from '#test/kit/send-api.ts';
import { startServer } from '#test/kit/server-process.ts';
import { atMost, onCluster, p95, timed } from './measure.ts';
import { median, report } from './report.ts';
import { openWorld, START, signInMembers } from './world.ts';

const SIGN_INS = 200;
const ROUNDS = 3;
/** Interval of the other calls, whether earlier ones were answered or not. */
const EVERY_MS = 20;
const CALM_MS = 3000;
const PASSWORD = 'a harbour at dusk';

/**
 * Latency of other calls while two hundred members sign in at once: hashing passwords is the most expensive work of the
 * process, and anyone can request it (docs/performance.md).
 *
 * @returns whether every figure meets its target
 */
export async function runSignInBench(): Promise<boolean> {
  return onCluster(async (cluster) => {
    const rounds = await runRounds(cluster);
    const of = (name: keyof Round) => median(rounds.map((round) => round[name]));
    const figures = [
      atMost(`GET auth/wallet-balance while ${SIGN_INS} members sign in, p95`, of('busyMs'), 'ms', 200, 50),
      atMost(`The last of ${SIGN_INS} sign-ins`, of('lastMs'), 'ms', 30_000, 10_000),
    ];
    return report('sign-in', 'Signing in', figures, [
      `One server process on one PostgreSQL with fsync and synchronous_commit on. A call every ${EVERY_MS} ms; without sign-ins their p95 is ${of('calmMs').toFixed(1)} ms. Every sign-in succeeded. Medians of ${ROUNDS} rounds.`,
    ]);
  }, []);
}

type Round = { readonly calmMs: number; readonly busyMs: number; readonly lastMs: number };

async function runRounds(cluster: Cluster): Promise<Round[]> {
  const { context, url, recording, remove } = await openWorld(cluster, 'sign_in', SIGN_INS, 1_000_000_000n);
  const logins = await setPasswords(context);
  const [token = ''] = await signInMembers(context, 1);
  const server = await startServer({
    DATABASE_URL: url,
    JOBS: 'off',
    RATE_LIMIT: '1000000',
    SIGN_IN_LIMIT: '1000000',
    LOG_LEVEL: 'error',
    MARKET_FEED: 'replay',
    REPLAY_DATA: recording.folder,
    MARKET_START: START,
  });
  try {
    const call = () => read(server.origin, token);
    for (let warm = 0; warm < 50; warm += 1) await call();
    const rounds: Round[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const calmMs = p95(await callDuring(wait(CALM_MS), call));
      const begun = performance.now();
      const all = Promise.all(logins.map((loginId) => logIn(server.origin, loginId)));
      const busyMs = p95(await callDuring(all, call));
      rounds.push({ calmMs, busyMs, lastMs: performance.now() - begun });
    }
    return rounds;
  } finally {
    await server.stop();
    await remove();
  }
}

/** Milliseconds of every call started during the work. */
async function callDuring(work: Promise<unknown>, call: () => Promise<unknown>): Promise<number[]> {
  const times: Promise<number>[] = [];
  let isOver = false;
  const ended = work.finally(() => {
    isOver = true;
  });
  while (!isOver) {
    times.push(timed(call));
    await wait(EVERY_MS);
  }
  await ended;
  return Promise.all(times);
}

const read = (origin: string, token: string) => callApi(origin, 'auth/wallet-balance', { token });
const logIn = (origin: string, loginId: string) =>
  callApi(origin, 'auth/login', { body: { loginId, password: PASSWORD } });

/** One hash for all: creating two hundred is not measured. */
async function setPasswords({ db }: Context): Promise<string[]> {
  const passwordHash = await hashPassword(PASSWORD);
  return listValues(db)`
    update identity.member set password_hash = ${passwordHash} where not is_company returning referral_code`;
}
