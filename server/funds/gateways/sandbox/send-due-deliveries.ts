import { apiBase } from '#contract/index.ts';
import { originOf } from '#server/config.ts';
import type { Context } from '#server/context.ts';
import { expireIfDue } from './change-invoice.ts';
import { type Deliver, deliverEvents, deliverOverHttp } from './deliver-events.ts';
import { listExpiredIds, listUnconfirmedIds } from './invoice-sql.ts';
import { confirmWaiting, deliverInProcess } from './pay-in-sandbox.ts';

const CHUNK = 100;
/** A payment is confirmed in the request that made it; one pending for longer was left behind by a crash. */
const LEFT_BEHIND_MS = 60_000;

export type SandboxRun = { readonly expired: number; readonly confirmed: number; readonly delivered: number };

/**
 * The sandbox gateway's scheduled work: expires invoices, confirms payments left behind, and delivers due events,
 * including retries. Safe to run at any time by several workers.
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

/** Terminates because processing removes an invoice from the list. */
async function drain(list: () => Promise<string[]>, process: (id: string) => Promise<unknown>): Promise<number> {
  let processed = 0;
  for (let ids = await list(); ids.length > 0; ids = await list()) {
    for (const id of ids) await process(id);
    processed += ids.length;
  }
  return processed;
}

/** Delivers to this process's configured port; in process for port 0, which only the HTTP server can resolve. */
function deliverToConfigured(context: Context): Deliver {
  const { host, port } = context.config;
  return port === 0 ? deliverInProcess(context) : deliverOverHttp(webhookUrl(host, port));
}

export const webhookUrl = (host: string, port: number): string => `${originOf(host, port)}${apiBase}/webhooks/sandbox`;
