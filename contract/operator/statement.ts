import { z } from 'zod';
import { endpoint, financeRoles, id, instant, operatorRoles, page, paging } from '../endpoint.ts';
import { money, why } from '../fields.ts';
import { decisionsOf, proposal, proposalQuery } from './proposals.ts';

export const findingKinds = ['unmatched', 'differs', 'missing'] as const;
export const findingStates = ['open', 'matched', 'booked', 'explained'] as const;
export const settlements = ['booked', 'explained'] as const;
export type Settlement = (typeof settlements)[number];

const transferKinds = ['transfer_in', 'transfer_out'] as const;

/** A line of the exchange's statement; amounts are decimal text, coins as the exchange names them. */
const line = z.strictObject({
  kind: z.enum(['fill', ...transferKinds, 'other']),
  /** The exchange’s id of it. */
  id: z.string(),
  at: instant,
  /** Of a fill: what was traded against what. */
  pair: z.string().nullable(),
  /** Of a fill in an asset of ours against dollars. */
  symbol: z.string().nullable(),
  coin: z.string(),
  order_id: z.string().nullable(),
  client_order_id: z.string().nullable(),
  side: z.enum(['buy', 'sell']).nullable(),
  quantity: z.string().nullable(),
  cost: z.string().nullable(),
  fee: z.string(),
  fee_coin: z.string().nullable(),
  /** Signed; null of a fill. */
  amount: z.string().nullable(),
  transaction: z.string().nullable(),
  /** The exchange’s own word for it. */
  word: z.string(),
});

/** A fill that a batch had, or a treasury move. */
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
  /** Of a treasury move. */
  reference: z.string().nullable(),
  transfer_id: id.nullable(),
  amount: money.nullable(),
  transaction: z.string().nullable(),
});

const finding = z.strictObject({
  id,
  exchange: z.string(),
  /** `unmatched`: a line that is no booking. `differs`: one whose booking has other figures. `missing`: a booking that is no line. */
  kind: z.enum(findingKinds),
  /** `matched`: a later statement, or a booking made later, had its other side. */
  state: z.enum(findingStates),
  found_at: instant,
  closed_at: instant.nullable(),
  line: line.nullable(),
  booking: booking.nullable(),
  /** Whether it can be settled by booking it; otherwise it is explained. */
  bookable: z.boolean(),
  /** The reference of a proposal that settled it, or would. */
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
  /** Of the statement; of them in none before; pairs that matched then. */
  lines: z.number().int(),
  new_lines: z.number().int(),
  matched: z.number().int(),
});

const statement = z.strictObject({
  /** Null where no exchange is traded at. */
  exchange: z.string().nullable(),
  /** The last ones, newest first. */
  imports: z.array(statementImport),
  open: z.number().int(),
  /** Somebody asked for an import that is not made yet. */
  asked: z.boolean(),
  /** Why the last attempt failed, in the exchange’s words. */
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
const path = '/operator/venue/statement/settlements';

const decisions = decisionsOf({
  path,
  access: financeRoles,
  what: 'how an entry of the exchange’s statement is settled',
  effect: 'it is booked, or stands as explained',
  data: settlement,
  refusals: settlingRefusals,
});

/** What the exchange says happened in our account, matched to the ledger; what is left is settled by two operators. */
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
    query: z.strictObject({ ...paging, state: z.enum(findingStates).default('open') }),
    data: page(finding),
  }),
  listSettlements: endpoint({
    method: 'GET',
    path,
    access: operatorRoles,
    summary: 'List proposals to settle entries, newest first; pending ones oldest first',
    query: proposalQuery,
    data: page(settlement),
  }),
  proposeSettlement: endpoint({
    method: 'POST',
    path,
    access: financeRoles,
    summary: 'Propose how an entry is settled; a second operator approves it',
    body: z.strictObject({ finding_id: id, how: z.enum(settlements), reason: why }),
    data: settlement,
    refusals: ['not_found', 'statement_proposed', ...settlingRefusals],
    idempotent: true,
  }),
  approveSettlement: decisions.approve,
  rejectSettlement: decisions.reject,
  withdrawSettlement: decisions.withdraw,
};
