import { z } from 'zod';
import { endpoint, id, instant, line, page, paging } from './endpoint.ts';
import { existingPassword } from './identity.ts';

export const operator = {
  operatorLogin: endpoint({
    method: 'POST',
    path: '/operator/login',
    access: 'public',
    summary: 'Operators sign in by mail address; their accounts have no wallets',
    body: z.strictObject({ email: line(254), password: existingPassword }),
    data: z.strictObject({
      access_token: z.string(),
      operator: z.strictObject({
        id,
        name: z.string(),
        email: z.string(),
        role: z.enum(['support', 'finance', 'admin']),
      }),
    }),
    refusals: ['wrong_login'],
  }),
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
        state: z.enum(['waiting', 'sent', 'logged', 'failed']),
        created_at: instant,
      }),
    ),
    refusals: ['not_found'],
  }),
};
