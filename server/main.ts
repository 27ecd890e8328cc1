import { createApp } from './app.ts';
import { boot } from './boot.ts';
import { BadConfig, readConfig } from './config.ts';
import { FolderInUse } from './db/connect.ts';
import { type DemoWorld, makeDemoWorld } from './demo/make-demo-world.ts';
import { startJobs } from './jobs/index.ts';
import { openLive, startLive } from './live/index.ts';
import { openProcessMetrics, serveMetrics } from './metrics/index.ts';

/** How long a stop may take. */
const STOP_MS = 20_000;

/** Composes, listens, and closes in order: no new requests, then jobs, then the database. */
async function main(): Promise<void> {
  const config = readConfig();
  const { context, database } = await boot(config);
  let demo: DemoWorld | null = null;
  const live = openLive(context);
  const metrics = openProcessMetrics(context, database, live.countSockets);
  const http = await createApp(context, () => demo && { logins: demo.logins }, live, metrics.noteAnswer);
  if (config.demo) demo = await makeDemoWorld(context);
  const stopLive = startLive(context, database, live);
  const stopJobs = config.jobs ? await startJobs(context, database) : async () => {};
  const stopMetrics = await serveMetrics(context, metrics);
  const address = await http.fastify.listen({ port: config.port, host: config.host });
  announce(config.publicUrl ?? address, demo);

  let isStopping = false;
  const stop = async () => {
    if (isStopping) return;
    isStopping = true;
    // What does not end in time is cut off; nothing that was acknowledged depends on it.
    setTimeout(() => process.exit(1), STOP_MS).unref();
    await http.fastify.close();
    await stopJobs();
    await stopLive();
    await stopMetrics();
    await database.close();
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => void stop());
}

function announce(address: string, demo: DemoWorld | null): void {
  const lines = [`Tradewind serves on ${address}`];
  for (const login of demo?.logins ?? []) lines.push(`  ${login.label}: ${login.id}  password ${login.password}`);
  for (const login of demo?.console ?? [])
    lines.push(`  Console ${address}/operator: ${login.email}  password ${login.password}`);
  process.stdout.write(`${lines.join('\n')}\n`);
}

/** Faults of the person who starts it are one clear line; everything else is a stack. */
export async function run(): Promise<void> {
  try {
    await main();
  } catch (error) {
    if (!(error instanceof BadConfig || error instanceof FolderInUse)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exitCode = 1;
  }
}

if (import.meta.main) await run();
