import { z } from 'zod';
import { endpoint, financeRoles, id, instant, operatorRoles, page, pagingOrOne } from '../endpoint.ts';
import { one, why } from '../fields.ts';

/** Decimal text, signed. */
const amount = z.string().max(100);

export const gatewayFindingStates = ['open', 'explained', 'matched'] as const;

const finding = z.strictObject({
  id,
  gateway: z.string(),
  /** `unmatched`: listed but not booked. `missing`: booked but not listed. `differs`: the amounts differ. */
  kind: z.enum(['unmatched', 'missing', 'differs']),
  /** `matched`: both sides have come to agree since. */
  state: z.enum(gatewayFindingStates),
  about: z.enum(['payment', 'payout', 'transaction']),
  /** The gateway’s id of the invoice or payout, or the transaction hash. */
  about_id: z.string(),
  at: instant,
  asset: z.string(),
  /** Signed decimal text: the change in the gateway’s holdings. Null for a side that is missing or has no figure. */
  listed: z.string().nullable(),
  booked: z.string().nullable(),
  /** Our reference of the deposit or withdrawal. */
  reference: z.string().nullable(),
  found_at: instant,
  closed_at: instant.nullable(),
  explanation: z.string().nullable(),
  /** The operator who explained it. */
  operator: z.string().nullable(),
});
export type GatewayFinding = z.output<typeof finding>;

const statement = z.strictObject({
  gateways: z.array(
    z.strictObject({
      gateway: z.string(),
      covered_from: instant.nullable(),
      covered_to: instant.nullable(),
      entries: z.number().int(),
      /** A requested import has not run yet. */
      asked: z.boolean(),
      /** Why the last attempt failed. */
      fault: z.string().nullable(),
      fault_at: instant.nullable(),
    }),
  ),
  open: z.number().int(),
});
export type GatewayStatement = z.output<typeof statement>;

/** Statements of payment gateways, reconciled with deposits, payouts and network fees. */
export const consoleGatewayStatement = {
  getGatewayStatement: endpoint({
    method: 'GET',
    path: '/operator/gateways/statement',
    access: operatorRoles,
    summary: 'Get what is imported of each gateway’s statement and how many entries are open',
    data: statement,
  }),
  importGatewayStatement: endpoint({
    method: 'POST',
    path: '/operator/gateways/statement/import',
    access: financeRoles,
    summary: 'Request an import of the gateways’ statements; a worker makes it',
    refusals: ['not_found'],
  }),
  listGatewayFindings: endpoint({
    method: 'GET',
    path: '/operator/gateways/statement/findings',
    access: operatorRoles,
    summary: 'List entries that did not match: open ones oldest first, all others newest first',
    query: z.strictObject({ ...pagingOrOne, state: z.enum(gatewayFindingStates).default('open') }),
    data: page(finding),
  }),
  explainGatewayFinding: endpoint({
    method: 'POST',
    path: '/operator/gateways/statement/findings/:id/explain',
    access: financeRoles,
    summary: 'Close an entry with an explanation; it opens again when its figures change',
    params: one,
    /** Both sides as the operator saw them. */
    body: z.strictObject({ reason: why, listed: amount.nullable(), booked: amount.nullable() }),
    refusals: ['not_found', 'statement_settled', 'statement_changed'],
  }),
};
