import type { Context } from '#server/context.ts';
import { claimDelivery, finishDelivery, releaseDelivery } from './heads-sql.ts';

const TIMEOUT_MS = 10_000;
const LEASE_SECONDS = 60;
/** Deliveries per run: a day of hours, after an outage of the receiver. */
const MAX_SENT = 24;

/** The receiver of ANCHOR_URL did not accept a delivery; the job fails visibly and is retried. */
export class AnchorFault extends Error {
  override readonly name = 'AnchorFault';
}

/**
 * Sends published heads to ANCHOR_URL, oldest first. Each hour is resent until the receiver replies 2xx, with the hour
 * as `Idempotency-Key`: after a lost reply the receiver gets the same document twice. One that it refuses delays no
 * later one.
 *
 * @throws AnchorFault when the receiver refused some, after the others, or does not reply: then the rest waits
 */
export async function sendAnchors(context: Context, send: Send = post): Promise<number> {
  const { db, config, now } = context;
  if (config.anchorUrl === undefined) return 0;
  const refused: Date[] = [];
  const faults: AnchorFault[] = [];
  let sent = 0;
  while (sent + refused.length < MAX_SENT) {
    const delivery = await claimDelivery(db, now(), LEASE_SECONDS, refused);
    if (delivery === undefined) break;
    const fault = await send(config.anchorUrl, delivery.document, delivery.hour.toISOString());
    if (fault === undefined) {
      await finishDelivery(db, delivery);
      sent += 1;
      continue;
    }
    await releaseDelivery(db, delivery, fault.message);
    refused.push(delivery.hour);
    const hour = delivery.hour.toISOString();
    faults.push(new AnchorFault(`ANCHOR_URL did not take the heads of ${hour}: ${fault.message}`));
    if (!fault.isAnswer) break;
  }
  if (faults[0] !== undefined) throw faults[0];
  return sent;
}

type Fault = {
  /** Without the URL, which may contain a token. */
  readonly message: string;
  readonly isAnswer: boolean;
};

type Send = (url: string, document: string, key: string) => Promise<Fault | undefined>;

const post: Send = async (url, document, key) => {
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'idempotency-key': key },
      body: document,
      redirect: 'error',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    await response.body?.cancel();
    return response.ok ? undefined : { message: `answered ${response.status}`, isAnswer: true };
  } catch (error) {
    const { name, cause } = error as { name?: string; cause?: { code?: string } };
    const message = name === 'TimeoutError' ? 'no answer in time' : `not reached (${cause?.code ?? name})`;
    return { message, isAnswer: false };
  }
};
