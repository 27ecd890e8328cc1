import { z } from 'zod';
import { endpoint, id, instant, line, operatorRoles, page, pagingOrOne } from '../endpoint.ts';

export const actorKinds = ['member', 'operator', 'system'] as const;

/** What an action changed, as recorded; ids and amounts in micros are decimal text. */
const details = z.unknown();

export const auditEntry = z.strictObject({
  id,
  at: instant,
  /** `id` and `name` are null for the system; the name is the current one. */
  actor: z.strictObject({ kind: z.enum(actorKinds), id: id.nullable(), name: z.string().nullable() }),
  /** Domain and verb: `member.freeze`. */
  action: z.string(),
  /** The object of the action: `member:17`. */
  subject: z.string(),
  /** Null when there is nothing to record. */
  before: details,
  after: details,
  /** IP address of the request; null for jobs. */
  address: z.string().nullable(),
  /** The seal that covers it; null until the next minute's seal. */
  seal: z.string().nullable(),
});
export type AuditEntry = z.output<typeof auditEntry>;

/** The audit log: append-only, sealed every minute (docs/product.md, section 10). It holds no secrets. */
export const audit = {
  listAudit: endpoint({
    method: 'GET',
    path: '/operator/audit',
    access: operatorRoles,
    summary:
      'List or search the audit log by actor, action, subject, period and text, newest first; `format=csv` returns all of it as a file, which is audited',
    query: z
      .strictObject({
        ...pagingOrOne,
        actor: z.enum(actorKinds).optional(),
        /** Id of a member or an operator, depending on `actor`. */
        actor_id: id.optional(),
        /** Exact action, `member.freeze`, or a domain with its dot, `member.` */
        action: z
          .string()
          .regex(/^[a-z_-]{1,40}\.[a-z_-]{0,60}$/, 'Enter a whole action, such as member.freeze.')
          .optional(),
        /** Exact match: `member:17`. */
        subject: line(200).optional(),
        /** Inclusive. */
        from: instant.optional(),
        /** Exclusive. */
        to: instant.optional(),
        /** Each word must be a prefix of a word in action, subject, details or address. */
        text: line(100).optional(),
        format: z.enum(['json', 'csv']).optional(),
      })
      .refine((query) => query.actor_id === undefined || (query.actor !== undefined && query.actor !== 'system'), {
        error: 'Say whether a member or an operator.',
        path: ['actor'],
      }),
    data: page(auditEntry),
    refusals: ['period_turned'],
    file: 'text/csv',
  }),
};
