import { z } from 'zod';
import { endpoint, id, instant, line, operatorRoles } from '../endpoint.ts';

/** Operators look at an account as its member sees it, to help (docs/product.md, sections 8 and 10). */
export const operatorOpen = {
  openMember: endpoint({
    method: 'POST',
    path: '/operator/members/:id/open',
    access: operatorRoles,
    summary:
      'A sign-in of the member that reads for 30 minutes and writes nothing; the member is told who, when and why',
    params: z.strictObject({ id }),
    body: z.strictObject({ reason: line(300, 'Say why.') }),
    data: z.strictObject({
      access_token: z.string(),
      /** Opens the member's pages in a browser in which nobody is signed in. */
      address: z.string(),
      expires_at: instant,
    }),
    refusals: ['not_found', 'account_closed', 'second_factor_missing'],
  }),
};
