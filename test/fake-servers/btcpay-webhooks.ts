import { createHmac } from 'node:crypto';
import { type BtcpayEvent, makeId } from './btcpay-invoices.ts';

/** One delivery attempt of an event: its raw body and headers. */
export type BtcpayDelivery = {
  readonly event: BtcpayEvent;
  readonly rawBody: Buffer;
  readonly headers: Readonly<Record<string, string>>;
};

/** Serializes an event and signs it. Redeliveries have their own ids. */
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

/** Posts a delivery to the webhook. Returns the status, or null without a reply. */
export async function postDelivery(webhookUrl: string, { rawBody, headers }: BtcpayDelivery): Promise<number | null> {
  const request = { method: 'POST', headers, body: new Uint8Array(rawBody), signal: AbortSignal.timeout(30_000) };
  const answer = await fetch(webhookUrl, request).catch(() => null);
  await answer?.body?.cancel();
  return answer?.status ?? null;
}

const RETRY_AFTER_SECONDS = [10, 60, 600, 600, 600, 600, 600, 600];

/** The delivery state of an event. */
type Sending = { readonly event: BtcpayEvent; attempts: number; dueAt: number | null; status: number | null };

export type WebhookOutbox = {
  readonly sendings: Sending[];
  /** Sends due deliveries in order through `post`. Returns how many succeeded. */
  readonly sendDue: (post: (delivery: BtcpayDelivery) => Promise<number | null>) => Promise<number>;
};

/** Retries each event until it succeeds or its attempts run out: only on no reply, 408, 429 and 5xx. */
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
