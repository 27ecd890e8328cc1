import { outbox } from '#contract/operator/jobs.ts';
import type { Context } from '#server/context.ts';
import { mount } from '#server/http/mount.ts';
import type { Http } from '#server/http/server.ts';
import { listOutbox } from './email/outbox.ts';

export function mountOutbox(http: Http, context: Context): void {
  mount(http, outbox, {
    listOutbox: async ({ caller, query, address }) => {
      const { items, nextCursor } = await listOutbox(context, caller.operatorId, query, address);
      return {
        items: items.map((mail) => ({
          id: mail.id.toString(),
          to: mail.to_address,
          subject: mail.subject,
          text: mail.text,
          state: mail.state,
          fault: mail.state === 'failed' ? mail.last_fault : null,
          created_at: mail.created_at.toISOString(),
        })),
        next_cursor: nextCursor,
      };
    },
  });
}
