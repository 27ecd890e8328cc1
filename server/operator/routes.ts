import { operator } from '#contract/operator.ts';
import type { Context } from '#server/context.ts';
import { mount } from '#server/http/mount.ts';
import type { Http } from '#server/http/server.ts';
import { signInOperator } from '#server/identity/index.ts';
import { listOutbox } from './list-outbox.ts';

export function mountOperator(http: Http, context: Context): void {
  mount(http, operator, {
    operatorLogin: async ({ body, address, userAgent }) => {
      const { accessToken, operator: account } = await signInOperator(context, { ...body, address, userAgent });
      return { access_token: accessToken, operator: { ...account, id: account.id.toString() } };
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
