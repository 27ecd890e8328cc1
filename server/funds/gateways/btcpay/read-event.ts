import { z } from 'zod';
import { Refused } from '#server/refused.ts';
import { isSignedBy, signatureHeader } from '../../deposits/webhook-signature.ts';
import type { GatewayEvent, WebhookHeaders } from '../gateway.ts';

/** BTCPay Server adds fields as it grows, and tells of payouts and payment requests by the same webhook. */
const eventShape = z.looseObject({
  type: z.string().regex(/^[A-Za-z0-9_-]{1,100}$/),
  storeId: z.string().optional(),
  invoiceId: z
    .string()
    .regex(/^[A-Za-z0-9_-]{1,100}$/)
    .optional(),
});

/**
 * Reads an event of the store. Another store may have been given the same secret, so being signed well is not enough.
 *
 * Refuses `bad_signature`, `unreadable_body`.
 */
export function readEvent(
  store: { readonly storeId: string; readonly webhookSecret: string },
  rawBody: Buffer,
  headers: WebhookHeaders,
): GatewayEvent | 'ignored' {
  if (!isSignedBy(store.webhookSecret, rawBody, headers[signatureHeader])) throw new Refused('bad_signature');
  const parsed = eventShape.safeParse(parseJson(rawBody));
  if (!parsed.success) throw new Refused('unreadable_body');
  const { type, storeId, invoiceId } = parsed.data;
  return storeId === store.storeId && invoiceId !== undefined ? { type, invoiceId } : 'ignored';
}

function parseJson(rawBody: Buffer): unknown {
  try {
    return JSON.parse(rawBody.toString('utf8'));
  } catch {
    return undefined;
  }
}
