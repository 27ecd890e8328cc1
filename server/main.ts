import { setTimeout as wait } from 'node:timers/promises';
import { inspect } from 'node:util';
import { createApp } from './app.ts';
import { boot } from './boot.ts';
import { BadConfig, type Config, originOf, readConfig } from './config.ts';
import { connectReader, FolderInUse } from './db/connect.ts';
import { forgetOutage } from './db/outage.ts';
import { type DemoWorld, makeDemoWorld } from './demo/make-demo-world.ts';
import { startJobs } from './jobs/index.ts';
import { openLive, startLive } from './live/index.ts';
import { openProcessMetrics, serveMetrics } from './metrics/index.ts';
import { httpAddressOf, listenAt, metricsAddressOf, refuseTakenPorts } from './ports.ts';
import { describeError } from './telemetry/describe-error.ts';
import { closeTracing } from './telemetry/spans.ts';

/** Shutdown timeout. */
const STOP_MS = 20_000;

/** Starts everything, and stops it in order: new requests, running requests and jobs, then the database. */
async function main(stopMs: number, read: () => Config, webBuilt: Promise<void>): Promise<void> {
  const config = read();
  await refuseTakenPorts(config);
  const { context, database } = await boot(config);
  // Node's own handler would print the error with all its properties, including statements and parameters.
  process.on('uncaughtException', (error) => {
    context.log.fatal({ err: error }, 'process ended by an unexpected error');
    process.exit(1);
  });
  const demo = config.demo ? await makeDemoWorld({ ...context, db: database.jobs }) : null;
  await webBuilt;
  const live = openLive(context);
  const reader = await connectReader(config);
  const metrics = openProcessMetrics(context, database, live.countSockets, reader?.reserved);
  const http = await createApp(context, {
    demo: () => demo && { logins: demo.logins },
    live,
    noteAnswer: metrics.noteAnswer,
  });
  const stopLive = startLive(context, database, live);
  // Before any job, so that a process that cannot listen does no work.
  const stopMetrics = await listenAt(metricsAddressOf(config), () => serveMetrics(context, metrics));
  const address = await listenAt(httpAddressOf(config), () =>
    http.fastify.listen({ port: config.port, host: config.host }),
  );
  if (!config.jobs && database.engine === 'pglite')
    context.log.warn(
      'JOBS=off: no session opens and nothing settles, as no other process can use the embedded database',
    );
  const stopJobs = config.jobs ? await startJobs(context, database) : async () => {};

  let isStopping = false;
  const stop = async () => {
    if (isStopping) return;
    isStopping = true;
    context.log.info('stopping');
    // Work that does not end in time is aborted; nothing acknowledged depends on it.
    setTimeout(() => {
      context.log.error({ stopMs }, 'shutdown timed out, work was cut off');
      process.exit(1);
    }, config.drainMs + stopMs).unref();
    http.drain();
    await Promise.all([wait(config.drainMs).then(() => http.fastify.close()), stopJobs()]);
    await stopLive();
    await stopMetrics();
    forgetOutage(context);
    await Promise.all([reader?.close(), context.replica?.close(), database.close()]);
    await closeTracing();
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => void stop());
  // Whoever reads it may stop the server at once.
  announce(config.publicUrl ?? originOf(config.host, Number(new URL(address).port)), demo);
}

function announce(address: string, demo: DemoWorld | null): void {
  const lines = [`Tradewind serves on ${address}`];
  for (const login of demo?.logins ?? []) lines.push(`  ${login.label}: ${login.id}  password ${login.password}`);
  for (const login of demo?.console ?? [])
    lines.push(`  Console ${address}/operator: ${login.email}  password ${login.password}`);
  process.stdout.write(`${lines.join('\n')}\n`);
}

/**
 * Prints configuration errors as one line and all others in full, as the log would.
 *
 * @param webBuilt resolves when the web app is built; only serving it waits for that
 */
export async function run(
  stopMs = STOP_MS,
  read: () => Config = readConfig,
  webBuilt: Promise<void> = Promise.resolve(),
): Promise<void> {
  try {
    await main(stopMs, read, webBuilt);
  } catch (error) {
    const isPlain = error instanceof BadConfig || error instanceof FolderInUse;
    process.stderr.write(`${isPlain ? error.message : inspect(describeError(error), { depth: null })}\n`);
    process.exit(1);
  }
}

if (import.meta.main) await run();
