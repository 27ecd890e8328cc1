import { z } from 'zod';
import { endpoint, financeRoles, id, instant, operatorRoles, page, paging } from '../endpoint.ts';
import { why } from '../fields.ts';

/** Decimal text, signed. */
const amount = z.string().max(100);

export const gatewayFindingStates = ['open', 'explained', 'matched'] as const;

const finding = z.strictObject({
  id,
  gateway: z.string(),
  /** `unmatched`: listed, and nothing of ours. `missing`: booked, and not listed. `differs`: another amount. */
  kind: z.enum(['unmatched', 'missing', 'differs']),
  /** `matched`: both sides are the same by now. */
  state: z.enum(gatewayFindingStates),
  about: z.enum(['payment', 'payout', 'transaction']),
  /** The gateway’s name of the invoice or payout, or the transaction’s hash. */
  about_id: z.string(),
  at: instant,
  asset: z.string(),
  /** Decimal text, signed: what the gateway’s holding grew by. Null of a side that is not there, or does not say. */
  listed: z.string().nullable(),
  booked: z.string().nullable(),
  /** Ours, of deposits and withdrawals. */
  reference: z.string().nullable(),
  found_at: instant,
  closed_at: instant.nullable(),
  explanation: z.string().nullable(),
  /** Who explained it. */
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
      /** Somebody asked for an import that is not made yet. */
      asked: z.boolean(),
      /** Why the last attempt failed. */
      fault: z.string().nullable(),
      fault_at: instant.nullable(),
    }),
  ),
  open: z.number().int(),
});
export type GatewayStatement = z.output<typeof statement>;

/** What payment gateways list as moved, compared with deposits, payouts and network fees. */
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
    query: z.strictObject({ ...paging, state: z.enum(gatewayFindingStates).default('open') }),
    data: page(finding),
  }),
  explainGatewayFinding: endpoint({
    method: 'POST',
    path: '/operator/gateways/statement/findings/:id/explain',
    access: financeRoles,
    summary: 'Close an entry with an explanation; it opens again when its figures change',
    params: z.strictObject({ id }),
    /** Both sides as they were looked at. */
    body: z.strictObject({ reason: why, listed: amount.nullable(), booked: amount.nullable() }),
    refusals: ['not_found', 'statement_settled', 'statement_changed'],
  }),
};
