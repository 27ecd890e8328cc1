import { z } from 'zod';
import { authSession, security } from '../accounts/profile.ts';
import { ownLimits, tighterLimits } from '../accounts/sign-in.ts';
import { endpoint, instant, line, operatorRoles, page, paging } from '../endpoint.ts';
import { memberName, money, one, operatorCode, secondFactorRefusals, why } from '../fields.ts';
import { deposit, funds, movement } from '../funds/deposits.ts';
import { payoutAddress, withdrawal, withdrawals } from '../funds/withdrawals.ts';
import type { RefusalCode } from '../refusals.ts';
import { operatorTickets, support } from '../tickets/tickets.ts';
import { plan, plans } from '../trading/plan.ts';
import { walletSummary } from '../trading/portfolio.ts';
import { trade, trading } from '../trading/trading.ts';
import { auditEntry } from './audit.ts';
import { loosening } from './loosenings.ts';

export const memberFinds = [
  'id',
  'referral_code',
  'name',
  'email',
  'mobile_number',
  'address',
  'reference',
  'transaction',
] as const;
export type MemberFind = (typeof memberFinds)[number];

/** A line of the list. Email and mobile are always masked: only the member's page, which is audited, shows them. */
const foundMember = memberName.extend({
  email: z.string(),
  mobile_number: z.string(),
  created_at: instant,
  frozen: z.boolean(),
  closed: z.boolean(),
  verified: z.boolean(),
  withdrawals_frozen: z.boolean(),
  /** The field that matched the search; null in the full list. */
  found_by: z.enum(memberFinds).nullable(),
});
export type FoundMember = z.output<typeof foundMember>;

export const memberBalances = z.strictObject({
  primary: money,
  profit: money,
  trade_escrow: money,
  investment: money,
  withdrawal_hold: money,
});

export const memberPage = z.strictObject({
  member: memberName.extend({
    email: z.string(),
    mobile_number: z.string(),
    created_at: instant,
    frozen_at: instant.nullable(),
    closed_at: instant.nullable(),
    verified_at: instant.nullable(),
    /** Since when and why withdrawals are stopped: the member said *This was not me*, or an operator stopped them. */
    withdrawals_frozen: z.strictObject({ at: instant, cause: z.enum(['not_me', 'operator']) }).nullable(),
    security,
  }),
  /** Proposals to lift a restriction that are undecided or not yet due. */
  loosenings: z.array(loosening),
  /** Direct sponsor first, at most ten; the company, which has no page, comes last if it is among them. */
  sponsors: z.array(memberName.extend({ company: z.boolean() })),
  /** Downline members by level, 1 to 10. */
  team: z.strictObject({ levels: z.array(z.number().int()), total: z.number().int() }),
  balances: memberBalances,
  summary: walletSummary,
  limits: ownLimits,
  address: payoutAddress.nullable(),
  /** The ten newest of each; the calls below page through all. */
  movements: z.array(movement),
  trades: z.array(trade),
  plans: z.array(plan),
  deposits: z.array(deposit),
  withdrawals: z.array(withdrawal),
  tickets: operatorTickets.listOperatorTickets.data.shape.items,
  /** Active sign-ins, most recently used first. */
  sign_ins: z.array(authSession.omit({ current: true })),
  /** About the member; `GET /operator/audit?subject=member:17` pages through all. */
  audit: z.array(auditEntry),
});
export type MemberPage = z.output<typeof memberPage>;

export const memberControls = {
  setMemberFrozen: endpoint({
    method: 'PUT',
    path: '/operator/members/:id/frozen',
    access: operatorRoles,
    summary: 'Freeze a member; unfreezing takes two operators',
    params: one,
    body: z.strictObject({ frozen: z.literal(true), why }),
    refusals: ['not_found', 'account_closed'],
  }),
  tightenMemberLimits: endpoint({
    method: 'PUT',
    path: '/operator/members/:id/limits',
    access: operatorRoles,
    summary: 'Tighten a member’s limits or pause the member; only the member can relax them',
    params: one,
    /** `why` is shown to the member. */
    body: tighterLimits.extend({ why }),
    data: ownLimits,
    refusals: ['not_found', 'account_closed', 'limits_loosened', 'pause_shortened'],
  }),
};

type List<Query, Data> = { readonly query: Query; readonly data: Data; readonly refusals?: readonly RefusalCode[] };

/** A member's list for operators, with the query and rows of the member's own call. */
const listOf = <const Query extends z.ZodType, const Data extends z.ZodType>(
  list: string,
  summary: string,
  { query, data, refusals = [] }: List<Query, Data>,
) =>
  endpoint({
    method: 'GET',
    path: `/operator/members/:id/${list}`,
    access: operatorRoles,
    summary,
    params: one,
    query,
    data,
    refusals: ['not_found', ...refusals],
  });

/**
 * Members as operators see them (docs/product.md, section 10). A read is audited once per operator in ten minutes.
 */
export const consoleMembers = {
  findMembers: endpoint({
    method: 'GET',
    path: '/operator/members',
    access: operatorRoles,
    summary:
      'List or search members by id, Registered Id, name, email address, mobile number, payout address, reference (WD-, DP-, Q-) or transaction hash; newest first',
    query: z.strictObject({ ...paging, search: line(120).optional() }),
    /** `more`: the search matches too many members; narrow it. */
    data: page(foundMember).extend({ more: z.boolean() }),
  }),
  getMemberPage: endpoint({
    method: 'GET',
    path: '/operator/members/:id',
    access: operatorRoles,
    summary: 'Get a member: profile, balances, limits, team and latest activity',
    params: one,
    data: memberPage,
    refusals: ['not_found'],
  }),
  listMovementsOf: listOf('movements', 'Statement of a member, newest first', {
    query: funds.listMovements.query.omit({ format: true }),
    data: funds.listMovements.data,
    refusals: ['period_turned'],
  }),
  listTradesOf: listOf('trades', 'Trades of a member, newest first', trading.listTrades),
  listPlansOf: listOf('plans', 'Auto-trade plans of a member, newest first', plans.listPlans),
  listDepositsOf: listOf('deposits', 'Deposits of a member, newest first', {
    query: funds.listDeposits.query.omit({ format: true }),
    data: page(deposit),
  }),
  listWithdrawalsOf: listOf('withdrawals', 'Withdrawals of a member, newest first', {
    query: withdrawals.listWithdrawals.query.omit({ format: true }),
    data: withdrawals.listWithdrawals.data,
  }),
  listTicketsOf: listOf('tickets', 'Tickets of a member, last updated first', {
    query: support.listTickets.query,
    data: operatorTickets.listOperatorTickets.data,
  }),
};

/** Support access: operators see an account as its member does (docs/product.md, section 8). */
export const operatorOpen = {
  openMember: endpoint({
    method: 'POST',
    path: '/operator/members/:id/open',
    access: ['support', 'admin'],
    summary:
      'Start read-only support access to a member’s account for 30 minutes, at most 20 times a UTC day; the member is notified who and why',
    params: one,
    body: z.strictObject({ reason: why, otp: operatorCode }),
    data: z.strictObject({
      access_token: z.string(),
      /** URL that opens the member's pages, for a browser in which nobody is signed in. */
      address: z.string(),
      expires_at: instant,
    }),
    refusals: ['not_found', 'account_closed', 'too_many_openings', ...secondFactorRefusals],
  }),
};
