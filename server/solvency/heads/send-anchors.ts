import type { Context } from '#server/context.ts';
import { Faults } from '#server/faults.ts';
import { claimDelivery, type Delivery, finishDelivery, releaseDelivery } from './heads-sql.ts';

const TIMEOUT_MS = 10_000;
const LEASE_SECONDS = 60;
/** Deliveries per run: a day of hours, after an outage of the receiver. */
const MAX_SENT = 24;

/** The receiver of ANCHOR_URL did not accept a delivery; the job fails visibly and is retried. */
export class AnchorFault extends Error {
  override readonly name = 'AnchorFault';
  readonly isAnswer: boolean;

  constructor(hour: string, { message, isAnswer }: Fault) {
    super(`ANCHOR_URL did not take the heads of ${hour}: ${message}`);
    this.isAnswer = isAnswer;
  }
}

/**
 * Sends published heads to ANCHOR_URL, those tried least first, then oldest first. Each hour is resent until the receiver
 * replies 2xx, with the hour as `Idempotency-Key`: after a lost reply the receiver gets the same document twice. However
 * many it refuses, they delay no later one.
 *
 * @throws AnchorFault when the receiver refused some, after the others, or does not reply: then the rest waits
 */
export async function sendAnchors(context: Context, send: Send = post): Promise<number> {
  const { db, config, now } = context;
  if (config.anchorUrl === undefined) return 0;
  const refused: Date[] = [];
  const faults = new Faults();
  let sent = 0;
  while (sent + refused.length < MAX_SENT) {
    const delivery = await claimDelivery(db, now(), LEASE_SECONDS, refused);
    if (delivery === undefined) break;
    const { anchorUrl } = config;
    if (await faults.keep(() => sendOne(context, anchorUrl, delivery, send))) sent += 1;
    else if (faults.last instanceof AnchorFault && faults.last.isAnswer) refused.push(delivery.hour);
    else break;
  }
  faults.throwAny();
  return sent;
}

async function sendOne({ db }: Context, url: string, delivery: Delivery, send: Send): Promise<true> {
  const hour = delivery.hour.toISOString();
  const fault = await send(url, delivery.document, hour);
  if (fault === undefined) {
    await finishDelivery(db, delivery);
    return true;
  }
  await releaseDelivery(db, delivery, fault.message);
  throw new AnchorFault(hour, fault);
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
