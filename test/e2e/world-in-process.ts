import { rmSync } from 'node:fs';
import { createApp } from '#server/app.ts';
import { boot } from '#server/boot.ts';
import { readConfig } from '#server/config.ts';
import type { Context } from '#server/context.ts';
import { startJobs } from '#server/jobs/index.ts';
import { freePort } from '../postgres-cluster.ts';
import { copyDemoWorld } from './demo-world.ts';

export type WorldInProcess = {
  readonly origin: string;
  readonly context: Context;
  /** Moves the real clock of the server on: what waits a day need not be waited for. */
  readonly advance: (seconds: number) => void;
  readonly stop: () => Promise<void>;
};

/**
 * The whole server with its jobs over a copy of the demo world, in the process of the test: its clock can be moved, and
 * what has no page yet can be done through its operations.
 */
export async function openDemoWorld(name: string, env: Record<string, string> = {}): Promise<WorldInProcess> {
  const folder = await copyDemoWorld(name);
  const port = await freePort();
  const origin = `http://127.0.0.1:${port}`;
  const config = readConfig({
    DEMO: '1',
    RATE_LIMIT: '100000',
    LOG_LEVEL: 'silent',
    DATA_DIR: folder,
    PUBLIC_URL: origin,
    ...env,
  });
  let aheadMs = 0;
  const booted = await boot(config);
  const context: Context = { ...booted.context, now: () => new Date(Date.now() + aheadMs) };
  const http = await createApp(context);
  const stopJobs = await startJobs(context, booted.database);
  await http.fastify.listen({ port, host: '127.0.0.1' });
  return {
    origin,
    context,
    advance: (seconds) => {
      aheadMs += seconds * 1000;
    },
    stop: async () => {
      await http.fastify.close();
      await stopJobs();
      await booted.database.close();
      rmSync(folder, { recursive: true });
    },
  };
}
