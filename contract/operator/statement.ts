import { z } from 'zod';
import { endpoint, financeRoles, id, instant, operatorRoles, page, pagingOrOne } from '../endpoint.ts';
import { money, why } from '../fields.ts';
import { decisionsOf, proposal } from './proposals.ts';

export const findingKinds = ['unmatched', 'differs', 'missing'] as const;
export const findingStates = ['open', 'matched', 'booked', 'explained'] as const;
export const settlements = ['booked', 'explained'] as const;
export type Settlement = (typeof settlements)[number];

const transferKinds = ['transfer_in', 'transfer_out'] as const;

/** A line of the exchange's statement; amounts are decimal text, coins are named as by the exchange. */
const line = z.strictObject({
  kind: z.enum(['fill', ...transferKinds, 'other']),
  /** The exchange’s id. */
  id: z.string(),
  at: instant,
  /** For a fill, the exchange’s pair. */
  pair: z.string().nullable(),
  /** For a fill in one of our assets against dollars. */
  symbol: z.string().nullable(),
  coin: z.string(),
  order_id: z.string().nullable(),
  client_order_id: z.string().nullable(),
  side: z.enum(['buy', 'sell']).nullable(),
  quantity: z.string().nullable(),
  cost: z.string().nullable(),
  fee: z.string(),
  fee_coin: z.string().nullable(),
  /** Signed; null for a fill. */
  amount: z.string().nullable(),
  transaction: z.string().nullable(),
  /** The exchange’s own term for the entry. */
  word: z.string(),
});

/** A fill of a batch, or a treasury move. */
const booking = z.strictObject({
  kind: z.enum(['fill', ...transferKinds]),
  at: instant,
  batch_id: id.nullable(),
  trade_id: z.string().nullable(),
  order_id: z.string().nullable(),
  symbol: z.string().nullable(),
  side: z.enum(['buy', 'sell']).nullable(),
  quantity: z.string().nullable(),
  cost: z.string().nullable(),
  fee: z.string().nullable(),
  fee_coin: z.string().nullable(),
  /** For a treasury move. */
  reference: z.string().nullable(),
  transfer_id: id.nullable(),
  amount: money.nullable(),
  transaction: z.string().nullable(),
});

const finding = z.strictObject({
  id,
  exchange: z.string(),
  /** `unmatched`: a line without booking. `differs`: booked with other figures. `missing`: a booking without line. */
  kind: z.enum(findingKinds),
  /** `matched`: a later statement or booking supplied the other side. */
  state: z.enum(findingStates),
  found_at: instant,
  closed_at: instant.nullable(),
  line: line.nullable(),
  booking: booking.nullable(),
  /** Whether it can be settled by a booking; otherwise it can only be explained. */
  bookable: z.boolean(),
  /** Reference of the proposal that settled it or would settle it. */
  settlement: z.string().nullable(),
});
export type StatementFinding = z.output<typeof finding>;
export type StatementLine = z.output<typeof line>;
export type StatementBooking = z.output<typeof booking>;

const statementImport = z.strictObject({
  id,
  exchange: z.string(),
  covered_from: instant,
  covered_to: instant,
  imported_at: instant,
  /** Lines in the statement, how many of them are new, and how many pairs matched. */
  lines: z.number().int(),
  new_lines: z.number().int(),
  matched: z.number().int(),
});

const statement = z.strictObject({
  /** Null without an exchange. */
  exchange: z.string().nullable(),
  /** The latest ones, newest first. */
  imports: z.array(statementImport),
  open: z.number().int(),
  /** A requested import has not run yet. */
  asked: z.boolean(),
  /** Why the last attempt failed, in the exchange’s own text. */
  fault: z.string().nullable(),
  fault_at: instant.nullable(),
});
export type ExchangeStatement = z.output<typeof statement>;

const settlement = proposal.extend({
  transfer_id: id.nullable(),
  how: z.enum(settlements),
  finding,
});
export type StatementSettlement = z.output<typeof settlement>;

const settlingRefusals = ['statement_settled', 'statement_not_bookable', 'batch_under_way'] as const;

const decisions = decisionsOf({
  path: '/operator/venue/statement/settlements',
  access: financeRoles,
  what: 'how an entry of the exchange’s statement is settled',
  many: 'proposals to settle entries',
  effect: 'it is booked, or stands as explained',
  data: settlement,
  refusals: settlingRefusals,
});

/** The exchange's statement of our account, reconciled with the ledger; two operators settle each discrepancy. */
export const consoleStatement = {
  getStatement: endpoint({
    method: 'GET',
    path: '/operator/venue/statement',
    access: operatorRoles,
    summary: 'Get the imports of the exchange’s statement and how many entries are open',
    data: statement,
  }),
  importStatement: endpoint({
    method: 'POST',
    path: '/operator/venue/statement/import',
    access: financeRoles,
    summary: 'Request an import of the exchange’s statement; a worker makes it',
    refusals: ['not_found'],
  }),
  listFindings: endpoint({
    method: 'GET',
    path: '/operator/venue/statement/findings',
    access: operatorRoles,
    summary: 'List entries that did not match: open ones oldest first, all others newest first',
    query: z.strictObject({ ...pagingOrOne, state: z.enum(findingStates).default('open') }),
    data: page(finding),
  }),
  listSettlements: decisions.list,
  proposeSettlement: decisions.propose({
    summary: 'Propose how an entry is settled; a second operator approves it',
    body: z.strictObject({ finding_id: id, how: z.enum(settlements), reason: why }),
    refusals: ['not_found', 'statement_proposed', ...settlingRefusals],
    idempotent: true,
  }),
  approveSettlement: decisions.approve,
  rejectSettlement: decisions.reject,
  withdrawSettlement: decisions.withdraw,
};
