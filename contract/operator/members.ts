import { z } from 'zod';
import { authSession, security } from '../accounts/profile.ts';
import { ownLimits, tighterLimits } from '../accounts/sign-in.ts';
import { endpoint, id, instant, line, nothing, operatorRoles, page, paging } from '../endpoint.ts';
import { deposit, funds, movement } from '../funds/deposits.ts';
import { otpCode, payoutAddress, withdrawal, withdrawals } from '../funds/withdrawals.ts';
import { money } from '../money.ts';
import { support, supportDesk } from '../tickets/tickets.ts';
import { plan, plans } from '../trading/plan.ts';
import { walletSummary } from '../trading/portfolio.ts';
import { trade, trading } from '../trading/trading.ts';
import { auditEntry } from './audit.ts';

/** What a member can be found by. */
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

/** A line of the list. Mail and mobile are masked for everybody: whoever reads them whole opens the page, which is audited. */
const foundMember = z.strictObject({
  id,
  referral_code: z.string(),
  name: z.string(),
  email: z.string(),
  mobile_number: z.string(),
  created_at: instant,
  frozen: z.boolean(),
  /** The member closed the account: nobody is behind it any more. */
  closed: z.boolean(),
  verified: z.boolean(),
  withdrawals_frozen: z.boolean(),
  /** Null in the list of all. */
  found_by: z.enum(memberFinds).nullable(),
});
export type FoundMember = z.output<typeof foundMember>;

const person = z.strictObject({ id, referral_code: z.string(), name: z.string() });

export const memberBalances = z.strictObject({
  primary: money,
  profit: money,
  trade_escrow: money,
  investment: money,
  withdrawal_hold: money,
});

export const memberPage = z.strictObject({
  member: person.extend({
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
  /** The sponsor first, at most ten, the company last if it is within. */
  sponsors: z.array(person),
  /** Members below, by level from 1 to 10. */
  team: z.strictObject({ levels: z.array(z.number().int()), total: z.number().int() }),
  balances: memberBalances,
  summary: walletSummary,
  limits: ownLimits,
  address: payoutAddress.nullable(),
  /** The newest of each, at most ten; the calls below page through all. */
  movements: z.array(movement),
  trades: z.array(trade),
  plans: z.array(plan),
  deposits: z.array(deposit),
  withdrawals: z.array(withdrawal),
  tickets: supportDesk.listDeskTickets.data.shape.items,
  /** Sign-ins that are not over, last used first. */
  sign_ins: z.array(authSession.omit({ current: true })),
  /** About the member; `GET /operator/audit?subject=member:17` pages through all. */
  audit: z.array(auditEntry),
});
export type MemberPage = z.output<typeof memberPage>;

const one = z.strictObject({ id });
const why = line(300, 'Say why.');

/** What operators do about a member's account at once (docs/product.md, section 8). */
export const memberControls = {
  setMemberFrozen: endpoint({
    method: 'PUT',
    path: '/operator/members/:id/frozen',
    access: operatorRoles,
    summary: 'Freeze a member at once, or, with the second factor, let them go on',
    params: one,
    body: z.discriminatedUnion('frozen', [
      z.strictObject({ frozen: z.literal(true), why }),
      z.strictObject({ frozen: z.literal(false), why, otp: otpCode }),
    ]),
    data: nothing,
    refusals: ['not_found', 'second_factor_missing', 'wrong_second_factor'],
  }),
  tightenMemberLimits: endpoint({
    method: 'PUT',
    path: '/operator/members/:id/limits',
    access: operatorRoles,
    summary: 'Tighten a member’s limits at once, or pause them; only the member can loosen them again',
    params: one,
    /** `why` is read by the member. */
    body: tighterLimits.extend({ why }),
    data: ownLimits,
    refusals: ['not_found', 'account_closed', 'limits_loosened', 'pause_shortened'],
  }),
};

/**
 * Members as operators see them (docs/product.md, section 10). Reading one is audited once an operator and ten minutes.
 */
export const consoleMembers = {
  findMembers: endpoint({
    method: 'GET',
    path: '/operator/members',
    access: operatorRoles,
    summary:
      'Members by id, Registered Id, name, mail address, mobile number, payout address, reference (WD-, DP-, Q-) or transaction hash; without a search all of them; newest first',
    query: z.strictObject({ ...paging, search: line(120).optional() }),
    /** `more`: the search fits more members than are looked through; say more of it. */
    data: page(foundMember).extend({ more: z.boolean() }),
    refusals: [],
  }),
  getMemberPage: endpoint({
    method: 'GET',
    path: '/operator/members/:id',
    access: operatorRoles,
    summary: 'Everything about one member',
    params: one,
    data: memberPage,
    refusals: ['not_found'],
  }),
  listMovementsOf: endpoint({
    method: 'GET',
    path: '/operator/members/:id/movements',
    access: operatorRoles,
    summary: 'Statement of a member, newest first',
    params: one,
    query: funds.listMovements.query.omit({ format: true }),
    data: funds.listMovements.data,
    refusals: ['not_found', 'period_turned'],
  }),
  listTradesOf: endpoint({
    method: 'GET',
    path: '/operator/members/:id/trades',
    access: operatorRoles,
    summary: 'Trades of a member, newest first',
    params: one,
    query: trading.listTrades.query,
    data: trading.listTrades.data,
    refusals: ['not_found'],
  }),
  listPlansOf: endpoint({
    method: 'GET',
    path: '/operator/members/:id/plans',
    access: operatorRoles,
    summary: 'Auto-trade plans of a member, newest first',
    params: one,
    query: plans.listPlans.query,
    data: plans.listPlans.data,
    refusals: ['not_found'],
  }),
  listDepositsOf: endpoint({
    method: 'GET',
    path: '/operator/members/:id/deposits',
    access: operatorRoles,
    summary: 'Deposits of a member, newest first',
    params: one,
    query: funds.listDeposits.query.omit({ format: true }),
    data: page(deposit),
    refusals: ['not_found'],
  }),
  listWithdrawalsOf: endpoint({
    method: 'GET',
    path: '/operator/members/:id/withdrawals',
    access: operatorRoles,
    summary: 'Withdrawals of a member, newest first',
    params: one,
    query: withdrawals.listWithdrawals.query.omit({ format: true }),
    data: withdrawals.listWithdrawals.data,
    refusals: ['not_found'],
  }),
  listTicketsOf: endpoint({
    method: 'GET',
    path: '/operator/members/:id/tickets',
    access: operatorRoles,
    summary: 'Tickets of a member, the last changed first',
    params: one,
    query: support.listTickets.query,
    data: supportDesk.listDeskTickets.data,
    refusals: ['not_found'],
  }),
};
