import { createApp } from '#server/app.ts';
import { boot } from '#server/boot.ts';
import { type Config, readConfig } from '#server/config.ts';
import type { Context } from '#server/context.ts';
import { runMarket } from '#server/income/index.ts';
import { startJobs } from '#server/jobs/index.ts';
import { openLive, startLive } from '#server/live/index.ts';
import { advanceMarket, getMarketTime } from '#server/market/index.ts';
import { startEmailServer } from '#server/notify/email/email-server.test-setup.ts';
import { freePort } from '#test/database/postgres-cluster.ts';
import { patient } from '#test/worlds/app.ts';
import { codeAt } from '#test/worlds/operators.ts';
import { copyDemoWorld, makeEmptyWorld } from './demo-world.ts';

export type WorldInProcess = {
  readonly origin: string;
  readonly context: Context;
  /** Advances the server's real-time clock, past waiting periods of a day. */
  readonly advance: (seconds: number) => void;
  /** What an authenticator app shows next: a code every 30 seconds, each of which works once. */
  readonly nextCode: (secret: Uint8Array) => string;
  /** Plays the market at full speed, with every price, until the condition holds or a recording ends. */
  readonly playUntil: (isThere: () => Promise<boolean>) => Promise<void>;
  readonly stop: () => Promise<void>;
};

/** Longer jumps of the market would skip prices. */
const JUMP_MS = 15 * 60_000;

/**
 * The whole server on a copy of the demo world, in the process of the test and with its jobs unless `JOBS` is off: its
 * clock can be advanced, and its operations called directly.
 */
export async function openDemoWorld(name: string, env: Record<string, string> = {}): Promise<WorldInProcess> {
  return openWorld({ DEMO: '1', ...(await copyDemoWorld(name)), ...env });
}

/** A world whose emails are sent to a server of the test. */
export async function withEmails(
  open: typeof openDemoWorld | typeof openEmptyWorld,
  name: string,
  env: Record<string, string> = {},
) {
  const mails = await startEmailServer();
  const world = await open(name, { SMTP_URL: mails.url, ...env });
  const stop = async () => {
    await world.stop();
    await mails.stop();
  };
  return { ...world, mails, stop };
}

/** The same with an unused world. */
export async function openEmptyWorld(
  name: string,
  env: Record<string, string> = {},
  changed: Partial<Config> = {},
): Promise<WorldInProcess> {
  return openWorld({ ...(await makeEmptyWorld(name)), ...env }, changed);
}

/** @param changed settings beyond a test's environment, whose privileged role can only serve paper mode. */
async function openWorld(env: Record<string, string>, changed: Partial<Config> = {}): Promise<WorldInProcess> {
  const port = await freePort();
  const origin = `http://127.0.0.1:${port}`;
  const config = {
    ...readConfig({ RATE_LIMIT: '100000', LOG_LEVEL: 'silent', PUBLIC_URL: origin, ...env }),
    ...changed,
  };
  let aheadMs = 0;
  const booted = await boot(config);
  const context: Context = { ...booted.context, now: () => new Date(Date.now() + aheadMs) };
  const live = openLive(context);
  const http = await createApp(context, { live, ...patient });
  const stopLive = startLive(context, booted.database, live);
  const stopJobs = config.jobs ? await startJobs(context, booted.database) : async () => {};
  await http.fastify.listen({ port, host: '127.0.0.1' });
  const advance = (seconds: number) => {
    aheadMs += seconds * 1000;
  };
  return {
    origin,
    context,
    advance,
    nextCode: (secret) => {
      advance(31);
      return codeAt(secret, context.now());
    },
    playUntil: (isThere) => playUntil(context, isThere),
    stop: async () => {
      await http.fastify.close();
      await stopJobs();
      await stopLive();
      await booted.database.close();
    },
  };
}

async function playUntil(context: Context, isThere: () => Promise<boolean>): Promise<void> {
  let skipTo: Date | undefined;
  while (!(await isThere())) {
    const before = (await getMarketTime(context.db)).getTime();
    const { marketAt } = await advanceMarket(context, {
      elapsedMs: 0,
      skipTo: skipTo ?? new Date(before + JUMP_MS),
    });
    ({ skipTo } = await runMarket(context));
    if (marketAt.getTime() === before && skipTo === undefined) return;
  }
}
