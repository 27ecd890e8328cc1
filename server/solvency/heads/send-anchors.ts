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
 * as `Idempotency-Key`: after a lost reply the receiver gets the same document twice.
 *
 * @throws AnchorFault when the receiver does not reply 2xx; the rest waits
 */
export async function sendAnchors(context: Context, send: Send = post): Promise<number> {
  const { db, config, now } = context;
  if (config.anchorUrl === undefined) return 0;
  for (let sent = 0; sent < MAX_SENT; sent += 1) {
    const delivery = await claimDelivery(db, now(), LEASE_SECONDS);
    if (delivery === undefined) return sent;
    const fault = await send(config.anchorUrl, delivery.document, delivery.hour.toISOString());
    if (fault !== undefined) {
      await releaseDelivery(db, delivery, fault);
      throw new AnchorFault(`ANCHOR_URL did not take the heads of ${delivery.hour.toISOString()}: ${fault}`);
    }
    await finishDelivery(db, delivery);
  }
  return MAX_SENT;
}

/** @returns the error without the URL, which may contain a token */
type Send = (url: string, document: string, key: string) => Promise<string | undefined>;

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
    return response.ok ? undefined : `answered ${response.status}`;
  } catch (error) {
    const { name, cause } = error as { name?: string; cause?: { code?: string } };
    return name === 'TimeoutError' ? 'no answer in time' : `not reached (${cause?.code ?? name})`;
  }
};
