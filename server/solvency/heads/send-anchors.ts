import type { Context } from '#server/context.ts';
import { claimDelivery, finishDelivery, releaseDelivery } from './heads-sql.ts';

const ANSWER_MS = 10_000;
const LEASE_SECONDS = 60;
/** A day of hours, after a receiver was away. */
const AT_ONCE = 24;

/** The receiver of ANCHOR_URL did not take what was sent; the job fails, is tried again, and is seen among the jobs. */
export class AnchorFault extends Error {
  override readonly name = 'AnchorFault';
}

/**
 * Sends what was published to ANCHOR_URL, the oldest first, until nothing waits. Each hour is sent until its receiver
 * answers 2xx, with the hour as `Idempotency-Key`: a lost answer makes it come twice, and it is the same.
 *
 * @throws AnchorFault when the receiver does not answer so; the rest waits
 */
export async function sendAnchors(context: Context, send: Send = post): Promise<number> {
  const { db, config, now } = context;
  if (config.anchorUrl === undefined) return 0;
  for (let sent = 0; sent < AT_ONCE; sent += 1) {
    const delivery = await claimDelivery(db, now(), LEASE_SECONDS);
    if (delivery === undefined) return sent;
    const fault = await send(config.anchorUrl, delivery.document, delivery.hour.toISOString());
    if (fault !== undefined) {
      await releaseDelivery(db, delivery, fault);
      throw new AnchorFault(`ANCHOR_URL did not take the heads of ${delivery.hour.toISOString()}: ${fault}`);
    }
    await finishDelivery(db, delivery);
  }
  return AT_ONCE;
}

/** @returns what went wrong, in words without the address, which may carry a token */
type Send = (url: string, document: string, key: string) => Promise<string | undefined>;

const post: Send = async (url, document, key) => {
  try {
    const answer = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'idempotency-key': key },
      body: document,
      redirect: 'error',
      signal: AbortSignal.timeout(ANSWER_MS),
    });
    await answer.body?.cancel();
    return answer.ok ? undefined : `answered ${answer.status}`;
  } catch (error) {
    const { name, cause } = error as { name?: string; cause?: { code?: string } };
    return name === 'TimeoutError' ? 'no answer in time' : `not reached (${cause?.code ?? name})`;
  }
};
