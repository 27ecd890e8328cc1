import type { Context } from '#server/context.ts';
import { Refused } from '#server/refused.ts';
import { receiveWebhook } from '../../deposits/receive-webhook.ts';
import type { Deliver } from './deliver-events.ts';
import { sandboxGateway } from './gateway.ts';

/** Hands events straight to the operation behind the webhook, for processes that do not listen. */
export function deliverInProcess(context: Context): Deliver {
  return async ({ rawBody, headers }) => {
    try {
      await receiveWebhook(context, sandboxGateway(context), rawBody, headers);
      return 200;
    } catch (error) {
      if (error instanceof Refused) return error.status;
      throw error;
    }
  };
}
