import { z } from 'zod';
import { endpoint, id, instant, page, paging } from '../endpoint.ts';

export const outbox = {
  listOutbox: endpoint({
    method: 'GET',
    path: '/operator/outbox',
    access: ['admin'],
    summary: 'Mails as they were written; only in paper mode without a mail server',
    query: z.strictObject(paging),
    data: page(
      z.strictObject({
        id,
        to: z.string(),
        subject: z.string(),
        text: z.string(),
        state: z.enum(['waiting', 'sent', 'logged', 'failed', 'capped']),
        created_at: instant,
      }),
    ),
    refusals: ['not_found'],
  }),
};
