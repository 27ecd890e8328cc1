import { apiBase } from '#contract/index.ts';
import type { Context } from '#server/context.ts';
import { expireIfDue } from './change-invoice.ts';
import { type Deliver, deliverEvents, deliverOverHttp } from './deliver-events.ts';
import { listExpiredIds, listUnconfirmedIds } from './invoice-sql.ts';
import { confirmWaiting, deliverInProcess } from './pay-in-sandbox.ts';

const CHUNK = 100;
/** A payment is confirmed within the request that made it; one that waits longer was left behind by a crash. */
const LEFT_BEHIND_MS = 60_000;

export type SandboxRun = { readonly expired: number; readonly confirmed: number; readonly delivered: number };

/**
 * The sandbox gateway's timed work: invoices expire, payments left behind are confirmed, and events that are due are
 * sent, new ones and those that found nobody. May be run at any time, by any number of workers.
 */
export async function sendDueDeliveries(
  context: Context,
  deliver: Deliver = deliverToConfigured(context),
): Promise<SandboxRun> {
  const now = context.now();
  const expired = await drain(
    () => listExpiredIds(context.db, now, CHUNK),
    (id) => expireIfDue(context, id),
  );
  const receivedBefore = new Date(now.getTime() - LEFT_BEHIND_MS);
  const confirmed = await drain(
    () => listUnconfirmedIds(context.db, receivedBefore, CHUNK),
    (id) => confirmWaiting(context, id),
  );
  return { expired, confirmed, delivered: await deliverEvents(context, deliver) };
}

/** Each visit takes the invoice off the list, so the list ends. */
async function drain(list: () => Promise<string[]>, visit: (id: string) => Promise<unknown>): Promise<number> {
  let visited = 0;
  for (let ids = await list(); ids.length > 0; ids = await list()) {
    for (const id of ids) await visit(id);
    visited += ids.length;
  }
  return visited;
}

/** The webhook of this process by its configured port. A port that the system chooses (0) is known only to the edge. */
function deliverToConfigured(context: Context): Deliver {
  const { host, port } = context.config;
  return port === 0 ? deliverInProcess(context) : deliverOverHttp(webhookUrl(host, port));
}

/** A server that listens everywhere is reached by the loopback. `webhookUrl('0.0.0.0', 8080)` is on `localhost`. */
export function webhookUrl(host: string, port: number): string {
  const isEverywhere = host === '0.0.0.0' || host === '::';
  const name = isEverywhere ? 'localhost' : host.includes(':') ? `[${host}]` : host;
  return `http://${name}:${port}${apiBase}/webhooks/sandbox`;
}
