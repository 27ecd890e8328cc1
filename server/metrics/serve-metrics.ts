import { createServer, type Server } from 'node:http';
import { measureClockOffset } from '#server/clock-offset.ts';
import { type Context, onReserved } from '#server/context.ts';
import type { Database, Db } from '#server/db/connect.ts';
import { noteOutage } from '#server/db/outage.ts';
import { findLastSeal } from '#server/ledger/index.ts';
import { getOverview } from '#server/operator/index.ts';
import { type Metrics, openMetrics } from './open-metrics.ts';

/** Prometheus scrapes every fifteen seconds; more frequent requests get the cached reply. */
const FRESH_MS = 5000;

/**
 * The metrics of this process, over what it has. @param reader the connections of the role that reads figures, if there
 * is one
 */
export const openProcessMetrics = (
  context: Context,
  database: Database,
  countSockets: () => number,
  reader: Db = onReserved(context).db,
): Metrics =>
  openMetrics({
    countSockets,
    countConnections: () => ({
      open: database.pool?.totalCount ?? 1,
      idle: database.pool?.idleCount ?? 0,
      waiting: database.countWaiting?.() ?? 0,
    }),
    readOverview: () => getOverview({ ...context, db: reader, reserved: reader }, { withPeople: false }),
    findSeal: async () => {
      const seal = await findLastSeal(reader);
      return seal && { transfers: Number(seal.transfer_count), at: new Date(Number(seal.sealed_at_micros / 1000n)) };
    },
    measureClockOffset: () => measureClockOffset({ db: reader, now: context.now }),
    noteFault: (error) => {
      if (!noteOutage(context, error)) context.log.error({ err: error }, 'metrics not read');
    },
  });

/**
 * Serves `GET /metrics` on a separate port that only Prometheus should reach, because it shows the house's balances.
 *
 * @returns a function that stops it
 */
export async function serveMetrics({ config }: Context, metrics: Metrics): Promise<() => Promise<void>> {
  if (config.metrics.port === undefined) return async () => {};
  let last: { readonly at: number; readonly text: Promise<string> } | undefined;
  const read = () => {
    const now = performance.now();
    if (last === undefined || now - last.at > FRESH_MS) last = { at: now, text: metrics.write() };
    return last.text;
  };
  const server = createServer((request, response) => {
    if (request.method !== 'GET' || request.url !== '/metrics') return void response.writeHead(404).end();
    read().then(
      (text) => response.writeHead(200, { 'content-type': metrics.contentType }).end(text),
      () => response.writeHead(500).end(),
    );
  });
  await listen(server, config.metrics.port, config.metrics.host);
  return () => new Promise((resolve) => server.close(() => resolve()).closeAllConnections());
}

const listen = (server: Server, port: number, host: string): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once('error', reject).listen(port, host, resolve);
  });
