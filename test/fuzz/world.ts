import { Writable } from 'node:stream';
import { pino } from 'pino';
import { argon2Cost } from '#server/accounts/passwords/argon2-cost.ts';
import { createApp } from '#server/app.ts';
import { boot } from '#server/boot.ts';
import { readConfig } from '#server/config.ts';
import type { Context } from '#server/context.ts';
import { connectPostgres } from '#server/db/connect.ts';
import { makeDemoWorld } from '#server/demo/make-demo-world.ts';
import { startJobs } from '#server/jobs/index.ts';
import { currentRequestId } from '#server/telemetry/request-id.ts';
import type { Cluster } from '#test/database/postgres-cluster.ts';
import { sharedKeyFile } from '#test/kit/server-process.ts';
import { patient } from '#test/worlds/app.ts';

export type FuzzWorld = {
  readonly origin: string;
  readonly context: Context;
  /** The environment for a command on the same database. */
  readonly env: Readonly<Record<string, string>>;
  /** Advances the clock, so that daily limits reset and waiting periods end. */
  readonly advance: (seconds: number) => void;
  /** The latest errors in the server's log, for this request or without one. */
  readonly findErrors: (requestId: string) => string;
  readonly close: () => Promise<void>;
};

/** High limits per address and sign-in; a request may wait as long as the client does. */
const settings = {
  DEMO: '1',
  PUBLIC_URL: 'http://localhost:8080',
  LOG_LEVEL: 'silent',
  RATE_LIMIT: '1000000',
  SIGN_IN_LIMIT: '1000000',
  MARKET_SPEED: '600',
  MARKET_SEED: 'fuzz',
  MARKET_START: '2026-01-30T12:20:00Z',
  SANDBOX_SECRET: 'a secret of the fuzzer alone',
  DATABASE_WAIT_MS: '20000',
  DATABASE_LOCK_MS: '20000',
  DATABASE_STATEMENT_MS: '20000',
};

const MAX_ERRORS = 20;
const MAX_ERROR = 5000;

/** The whole server with its jobs on a new demo world, listening on a free port. */
export async function openFuzzWorld(cluster: Pick<Cluster, 'url'>, name: string): Promise<FuzzWorld> {
  // Sign-ins are frequent here; other tests cover the cost of password hashing.
  Object.assign(argon2Cost, { memoryCost: 64, timeCost: 1 });
  const admin = connectPostgres(cluster.url('postgres'), { max: 1 });
  await admin.runScript(`create database ${name}`);
  await admin.close();
  const env = { ...settings, DATABASE_URL: cluster.url(name), SEAL_KEY_FILE: sharedKeyFile() };
  const booted = await boot(readConfig(env));
  const { database } = booted;
  let aheadMs = 0;
  const errors: string[] = [];
  const sink = new Writable({
    write: (chunk, _encoding, done) => {
      errors.push(String(chunk).slice(0, MAX_ERROR));
      errors.splice(0, errors.length - MAX_ERRORS);
      done();
    },
  });
  const context: Context = {
    ...booted.context,
    now: () => new Date(Date.now() + aheadMs),
    log: pino({ level: 'error', mixin: () => ({ requestId: currentRequestId() }) }, sink),
  };
  await makeDemoWorld({ ...context, db: database.jobs });
  const { fastify } = await createApp(context, patient);
  const stopJobs = await startJobs(context, database);
  const origin = await fastify.listen({ port: 0, host: '127.0.0.1' });
  return {
    origin,
    context,
    env,
    advance: (seconds) => {
      aheadMs += seconds * 1000;
    },
    findErrors: (requestId) =>
      errors.filter((line) => line.includes(requestId) || !line.includes('"requestId"')).join(''),
    close: async () => {
      await fastify.close();
      await stopJobs();
      await database.close();
    },
  };
}
