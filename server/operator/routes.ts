import { operator } from '#contract/accounts/operator-sign-in.ts';
import {
  confirmOperatorTotp,
  showSignedIn,
  signInOperator,
  startOperatorTotp,
  verifyOperatorOtp,
} from '#server/accounts/index.ts';
import type { Context } from '#server/context.ts';
import { mount } from '#server/http/mount.ts';
import type { Http } from '#server/http/server.ts';
import { mountAudit } from './audit-routes.ts';
import { listOutbox } from './list-outbox.ts';

export function mountOperator(http: Http, context: Context): void {
  mountAudit(http, context);
  mount(http, operator, {
    operatorLogin: async ({ body, address, userAgent }) => {
      const signedIn = await signInOperator(context, { ...body, address, userAgent });
      return 'challenge' in signedIn ? { otp_required: true as const, ...signedIn } : showSignedIn(signedIn);
    },
    verifyOperatorOtp: async ({ body, address, userAgent }) =>
      showSignedIn(await verifyOperatorOtp(context, { ...body, address, userAgent })),
    startOperatorTotp: ({ caller, body, address }) =>
      startOperatorTotp(context, caller.operatorId, { ...body, address }),
    confirmOperatorTotp: async ({ caller, body, address }) => {
      await confirmOperatorTotp(context, caller, { ...body, address });
      return null;
    },
    listOutbox: async ({ caller, query, address }) => {
      const { items, nextCursor } = await listOutbox(context, caller.operatorId, query, address);
      return {
        items: items.map((mail) => ({
          id: mail.id.toString(),
          to: mail.to_address,
          subject: mail.subject,
          text: mail.text,
          state: mail.state,
          created_at: mail.created_at.toISOString(),
        })),
        next_cursor: nextCursor,
      };
    },
  });
}
