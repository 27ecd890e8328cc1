import { createHmac } from 'node:crypto';
import { type BtcpayEvent, makeId } from './btcpay-invoices.ts';

/** One try to tell of an event: the bytes and what comes with them. */
export type BtcpayDelivery = {
  readonly event: BtcpayEvent;
  readonly rawBody: Buffer;
  readonly headers: Readonly<Record<string, string>>;
};

/** Puts an event into words and signs them. Each delivery after the first has an id of its own. */
export function writeDelivery(
  store: { readonly storeId: string; readonly webhookSecret: string },
  event: BtcpayEvent,
  isRedelivery = false,
): BtcpayDelivery {
  const body = {
    ...event.fields,
    deliveryId: isRedelivery ? makeId() : event.id,
    webhookId: 'AT7ogqNzXkjf12sLVWPDNS',
    originalDeliveryId: event.id,
    isRedelivery,
    type: event.type,
    timestamp: event.occurredAt,
    storeId: store.storeId,
    invoiceId: event.invoiceId,
    metadata: event.metadata,
  };
  return signDelivery(store.webhookSecret, event, JSON.stringify(body, null, 2));
}

export function signDelivery(secret: string, event: BtcpayEvent, text: string): BtcpayDelivery {
  const rawBody = Buffer.from(text, 'utf8');
  const signature = createHmac('sha256', secret).update(rawBody).digest('hex');
  return {
    event,
    rawBody,
    headers: { 'content-type': 'application/json; charset=utf-8', 'btcpay-sig': `sha256=${signature}` },
  };
}

/** Posts it to the webhook; the status of the answer, or null when none came. */
export async function postDelivery(webhookUrl: string, { rawBody, headers }: BtcpayDelivery): Promise<number | null> {
  const request = { method: 'POST', headers, body: new Uint8Array(rawBody), signal: AbortSignal.timeout(30_000) };
  const answer = await fetch(webhookUrl, request).catch(() => null);
  await answer?.body?.cancel();
  return answer?.status ?? null;
}

const RETRY_AFTER_SECONDS = [10, 60, 600, 600, 600, 600, 600, 600];

/** How far an event has come on its way to the webhook. */
type Sending = { readonly event: BtcpayEvent; attempts: number; dueAt: number | null; status: number | null };

export type WebhookOutbox = {
  readonly sendings: Sending[];
  /** Sends what is due, in order, one after the other, by `post`. Returns how many were answered well. */
  readonly sendDue: (post: (delivery: BtcpayDelivery) => Promise<number | null>) => Promise<number>;
};

/** Tells of each event until it is answered well or given up: only no answer, 408, 429 and 5xx are tried again. */
export function openOutbox(
  store: { readonly storeId: string; readonly webhookSecret: string; now: () => number },
  events: readonly BtcpayEvent[],
): WebhookOutbox {
  const sendings: Sending[] = [];
  return {
    sendings,
    sendDue: async (post) => {
      for (const event of events.slice(sendings.length))
        sendings.push({ event, attempts: 0, dueAt: store.now(), status: null });
      let good = 0;
      for (const sending of sendings) {
        if (sending.dueAt === null || sending.dueAt > store.now()) continue;
        sending.status = await post(writeDelivery(store, sending.event, sending.attempts > 0));
        const isGood = sending.status !== null && sending.status >= 200 && sending.status < 300;
        if (isGood) good += 1;
        const wait = isGood || !isWorthIt(sending.status) ? undefined : RETRY_AFTER_SECONDS[sending.attempts];
        sending.attempts += 1;
        sending.dueAt = wait === undefined ? null : store.now() + wait * 1000;
      }
      return good;
    },
  };
}

const isWorthIt = (status: number | null) => status === null || status === 408 || status === 429 || status >= 500;
