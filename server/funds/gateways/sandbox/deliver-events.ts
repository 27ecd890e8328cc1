import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import type { Context } from '#server/context.ts';
import type { Db, Tx } from '#server/db/connect.ts';
import { execute, findRow } from '#server/db/rows.ts';
import type { SandboxEvent } from '../../core/sandbox-invoice.ts';
import { signatureHeader, signBody } from '../../deposits/webhook-signature.ts';
import { findStoredSecret, insertSecret } from './invoice-sql.ts';

export type SignedEvent = { readonly rawBody: Buffer; readonly headers: Readonly<Record<string, string>> };

/** Delivers one event to the webhook; returns the HTTP status, or null without a reply. */
export type Deliver = (event: SignedEvent) => Promise<number | null>;

const ANSWER_WITHIN_MS = 10_000;
const LOST_AFTER_MS = 3 * ANSWER_WITHIN_MS;

/**
 * Delivers all due events, oldest first, optionally of one invoice. Failed deliveries are retried later. An event is
 * committed before it is sent and marked after the reply, so a crash may deliver it twice, but never loses it.
 *
 * @returns the number of successful deliveries
 */
export async function deliverEvents(context: Context, deliver: Deliver, invoiceId?: string): Promise<number> {
  const secret = await getSandboxSecret(context);
  let delivered = 0;
  for (;;) {
    const now = context.now();
    const event = await claimDueEvent(context.db, { invoiceId, now, lostAt: new Date(now.getTime() + LOST_AFTER_MS) });
    if (event === undefined) return delivered;
    const status = await deliver(sign(secret, event));
    const isGood = status !== null && status >= 200 && status < 300;
    if (isGood) delivered += 1;
    await updateEvent(context.db, {
      id: event.id,
      answerStatus: status,
      deliveredAt: isGood ? context.now() : null,
      nextAttemptAt: isGood ? null : nextAttempt(context.now(), event.attempts, status),
    });
  }
}

function nextAttempt(now: Date, attempts: number, status: number | null): Date | null {
  const seconds = retryAfterSeconds(attempts, status);
  return seconds === undefined ? null : new Date(now.getTime() + seconds * 1000);
}

function sign(secret: string, event: EventRow): SignedEvent {
  const isFirst = event.attempts === 1;
  const text = writeEventBody({
    event: { type: event.type, fields: event.fields },
    invoiceId: event.invoice_id,
    orderId: event.order_id,
    occurredAt: event.occurred_at,
    deliveryId: isFirst ? event.original_delivery_id : randomBytes(16).toString('base64url'),
    originalDeliveryId: event.original_delivery_id,
  });
  const rawBody = Buffer.from(text, 'utf8');
  return {
    rawBody,
    headers: { 'content-type': 'application/json; charset=utf-8', [signatureHeader]: signBody(secret, rawBody) },
  };
}

/** Posts to the webhook URL, as an external gateway would. */
export function deliverOverHttp(webhookUrl: string): Deliver {
  return async ({ rawBody, headers }) => {
    const request = {
      method: 'POST',
      headers,
      body: new Uint8Array(rawBody),
      redirect: 'manual',
      signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
    } as const;
    const response = await fetch(webhookUrl, request).catch(() => null);
    await response?.body?.cancel();
    return response?.status ?? null;
  };
}

type Delivery = {
  readonly event: SandboxEvent;
  readonly invoiceId: string;
  readonly orderId: string;
  readonly occurredAt: Date;
  /** New for every attempt. */
  readonly deliveryId: string;
  /** Delivery id of the first attempt. */
  readonly originalDeliveryId: string;
};

/**
 * A webhook body as BTCPay Server writes it: fields of the type first, then the common ones, pretty-printed without a
 * trailing newline. The signature covers exactly these bytes.
 */
export function writeEventBody(delivery: Delivery): string {
  const { deliveryId, originalDeliveryId } = delivery;
  const body = {
    ...delivery.event.fields,
    deliveryId,
    webhookId: 'sandbox',
    originalDeliveryId,
    isRedelivery: deliveryId !== originalDeliveryId,
    type: delivery.event.type,
    timestamp: Math.floor(delivery.occurredAt.getTime() / 1000),
    storeId: 'sandbox',
    invoiceId: delivery.invoiceId,
    metadata: { orderId: delivery.orderId },
  };
  return JSON.stringify(body, null, 2);
}

const RETRY_SECONDS = [10, 60, 600, 600, 600, 600, 600, 600] as const;

/**
 * Seconds until the next attempt after the given number of failed ones, or undefined for none: only timeouts, 408, 429
 * and 5xx are retried, a limited number of times. `retryAfterSeconds(1, 503) === 10`,
 * `retryAfterSeconds(1, 401) === undefined`, `retryAfterSeconds(9, 503) === undefined`
 */
export function retryAfterSeconds(attempts: number, answerStatus: number | null): number | undefined {
  const isRetryable = answerStatus === null || answerStatus === 408 || answerStatus === 429 || answerStatus >= 500;
  return isRetryable ? RETRY_SECONDS[attempts - 1] : undefined;
}

type EventRow = {
  id: bigint;
  invoice_id: string;
  order_id: string;
  type: string;
  fields: Record<string, unknown>;
  original_delivery_id: string;
  occurred_at: Date;
  attempts: number;
};

export const insertEvent = (tx: Tx, row: { invoiceId: string; event: SandboxEvent; deliveryId: string; now: Date }) =>
  execute(tx)`
    insert into funds.invoice_event (invoice_id, type, fields, original_delivery_id, occurred_at, next_attempt_at)
    values (${row.invoiceId}, ${row.event.type}, ${JSON.stringify(row.event.fields)}::jsonb, ${row.deliveryId},
            ${row.now}, ${row.now})`;

/**
 * Claims the oldest due event until `lostAt`. Two workers never claim the same one; after a crash the claim lapses and
 * another worker retries it.
 */
const claimDueEvent = (db: Db, filter: { invoiceId: string | undefined; now: Date; lostAt: Date }) =>
  findRow(db)<EventRow>`
    update funds.invoice_event e set attempts = e.attempts + 1, next_attempt_at = ${filter.lostAt}
    from funds.invoice i
    where i.id = e.invoice_id and e.id = (
      select d.id from funds.invoice_event d
      where d.next_attempt_at <= ${filter.now}
        ${filter.invoiceId === undefined ? sql`` : sql`and d.invoice_id = ${filter.invoiceId}`}
      order by d.id limit 1 for update skip locked)
    returning e.id, e.invoice_id, i.order_id, e.type, e.fields, e.original_delivery_id, e.occurred_at, e.attempts`;

const updateEvent = (
  db: Db,
  row: { id: bigint; answerStatus: number | null; deliveredAt: Date | null; nextAttemptAt: Date | null },
) =>
  execute(db)`
    update funds.invoice_event
    set answer_status = ${row.answerStatus}, delivered_at = ${row.deliveredAt}, next_attempt_at = ${row.nextAttemptAt}
    where id = ${row.id}`;

/** The sandbox's signing secret: that of the configuration, or else a random one shared through the database. */
export async function getSandboxSecret(context: Context): Promise<string> {
  const known = context.config.sandboxSecret ?? (await findStoredSecret(context.db));
  if (known !== undefined) return known;
  await insertSecret(context.db, randomBytes(32).toString('base64url'));
  const stored = await findStoredSecret(context.db);
  assert(stored !== undefined, 'the secret was just stored');
  return stored;
}
