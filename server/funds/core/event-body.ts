import type { SandboxEvent } from './sandbox-invoice.ts';

export type Delivery = {
  readonly event: SandboxEvent;
  readonly invoiceId: string;
  readonly orderId: string;
  readonly occurredAt: Date;
  /** New at every attempt. */
  readonly deliveryId: string;
  /** That of the first attempt. */
  readonly originalDeliveryId: string;
};

/**
 * The body of a webhook as BTCPay Server writes it: the type's own fields first, then the common ones, pretty-printed,
 * no newline at the end. The signature covers exactly these bytes.
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
 * Seconds until the next attempt after the given number of failed ones, or undefined when there is none: only no
 * answer, 408, 429 and 5xx are tried again, and not for ever. `retryAfterSeconds(1, 503) === 10`,
 * `retryAfterSeconds(1, 401) === undefined`, `retryAfterSeconds(9, 503) === undefined`
 */
export function retryAfterSeconds(attempts: number, answerStatus: number | null): number | undefined {
  const isWorthIt = answerStatus === null || answerStatus === 408 || answerStatus === 429 || answerStatus >= 500;
  return isWorthIt ? RETRY_SECONDS[attempts - 1] : undefined;
}
