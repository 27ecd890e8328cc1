import type { Context } from '#server/context.ts';
import type { Gateway, WebhookHeaders } from '../gateways/gateway.ts';
import { followDeposit } from './follow-deposit.ts';
import { findDepositByInvoice } from './sql.ts';

/**
 * Takes one event of a gateway. The event is only a knock at the door: once its signature is right, the invoice is
 * asked of the gateway itself, so that an event out of order, repeated, stale or replayed does no more than one look
 * too many. Events that are not for us are answered well and do nothing: the gateway must not send them again.
 *
 * Refuses `bad_signature`, `unreadable_body`; `gateway_unavailable` makes the gateway send the event again.
 */
export async function receiveWebhook(
  context: Context,
  gateway: Gateway,
  rawBody: Buffer,
  headers: WebhookHeaders,
): Promise<void> {
  const event = await gateway.readEvent(rawBody, headers);
  if (event === 'ignored') return;
  const deposit = await findDepositByInvoice(context.db, gateway.name, event.invoiceId);
  if (deposit !== undefined) await followDeposit(context, gateway, deposit.id);
}
