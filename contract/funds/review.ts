import { z } from 'zod';
import { endpoint, id, instant, line, nothing, page, paging } from '../endpoint.ts';
import { money } from '../money.ts';
import { deposit, depositStates } from './deposits.ts';
import { otpCode, withdrawalDetail, withdrawalStates } from './withdrawals.ts';

/** A sentence that the member reads as the reason. */
const reason = line(300, 'Say why.');
/** What the operator saw: a decision about another state of things is refused. */
const version = z.number().int().min(1);
const transaction = line(200, 'Enter the transaction hash.').pipe(
  z.string().regex(/^[A-Za-z0-9:_-]{6,200}$/, 'Not a transaction hash.'),
);

export const deskWithdrawal = withdrawalDetail.extend({
  version,
  member: z.strictObject({
    id,
    referral_code: z.string(),
    name: z.string(),
    verified: z.boolean(),
    frozen: z.boolean(),
    withdrawals_frozen: z.boolean(),
  }),
  /** Asked for by the member on the same UTC day, this one included, rejected, cancelled and failed ones not. */
  day_sum: money,
  /** How many different operators have to approve: 2 from 5 000 a member and day on. */
  approvals_needed: z.number().int(),
  /** Also those that do not count: an approval counts while its operator is active and of a role that lets money out. */
  approvals: z.array(z.strictObject({ operator_id: id, operator: z.string(), at: instant, counts: z.boolean() })),
  /** How many it lacks before it is paid; of an approved one because one that it needs does not count any more. */
  approvals_missing: z.number().int(),
  payout: z
    .strictObject({
      way: z.enum(['gateway', 'hand']),
      /** Who took it to pay it by hand. */
      operator_id: id.nullable(),
      gateway: z.string().nullable(),
      payout_id: z.string().nullable(),
      started_at: instant.nullable(),
    })
    .nullable(),
  /** Whether the gateway can pay to this network by itself. */
  gateway_can_pay: z.boolean(),
  /** A device signed in for the first time within the 24 hours before it was asked for; null when no sign-in is known. */
  new_device: z.boolean().nullable(),
  /** No earlier one of the member was completed. */
  first_payout: z.boolean(),
});
export type DeskWithdrawal = z.output<typeof deskWithdrawal>;

export const deskDeposit = deposit.extend({
  version,
  member: z.strictObject({ id, referral_code: z.string(), name: z.string(), frozen: z.boolean() }),
  gateway: z.string(),
  invoice_id: z.string().nullable(),
  /** Booked into `unallocated` and waiting for a decision. */
  held: money,
  refunded: money,
});
export type DeskDeposit = z.output<typeof deskDeposit>;

const payers = ['finance', 'admin'] as const;
const readers = ['support', 'finance', 'admin'] as const;
const one = z.strictObject({ id });

/** The desk of the people who let money out (docs/product.md, sections 4, 5 and 10). Every decision is audited. */
export const payoutDesk = {
  listDeskWithdrawals: endpoint({
    method: 'GET',
    path: '/operator/withdrawals',
    access: readers,
    summary: 'Withdrawals of all members, oldest first while they wait, else newest first',
    query: z.strictObject({ ...paging, state: z.enum(withdrawalStates).optional() }),
    data: page(deskWithdrawal),
    refusals: [],
  }),
  getDeskWithdrawal: endpoint({
    method: 'GET',
    path: '/operator/withdrawals/:id',
    access: readers,
    summary: 'One withdrawal with all that a decision needs',
    params: one,
    data: deskWithdrawal,
    refusals: ['withdrawal_not_found'],
  }),
  approveWithdrawal: endpoint({
    method: 'POST',
    path: '/operator/withdrawals/:id/approve',
    access: payers,
    summary: 'Approve; from 5 000 a member and day on the first of two approvals leaves it requested',
    params: one,
    body: z.strictObject({ version, otp: otpCode }),
    data: deskWithdrawal,
    refusals: [
      'withdrawal_not_found',
      'second_factor_missing',
      'wrong_second_factor',
      'withdrawal_changed',
      'withdrawal_not_requested',
      'own_withdrawal',
      'approved_already',
      'account_frozen',
      'withdrawals_frozen',
      'not_verified',
      'payouts_stopped',
    ],
  }),
  rejectWithdrawal: endpoint({
    method: 'POST',
    path: '/operator/withdrawals/:id/reject',
    access: payers,
    summary: 'Reject one that is requested, or approved and not yet being paid; the amount goes back to its wallet',
    params: one,
    body: z.strictObject({ version, reason }),
    data: deskWithdrawal,
    refusals: ['withdrawal_not_found', 'withdrawal_changed', 'withdrawal_state'],
  }),
  takeWithdrawal: endpoint({
    method: 'POST',
    path: '/operator/withdrawals/:id/take',
    access: payers,
    summary: 'Take an approved one to pay it by hand, so that nobody and nothing else pays it',
    params: one,
    body: z.strictObject({ version, otp: otpCode }),
    data: deskWithdrawal,
    refusals: [
      'withdrawal_not_found',
      'second_factor_missing',
      'wrong_second_factor',
      'withdrawal_changed',
      'withdrawal_state',
      'own_withdrawal',
      'account_frozen',
      'withdrawals_frozen',
      'not_verified',
      'payouts_stopped',
      'approvals_missing',
    ],
  }),
  returnWithdrawal: endpoint({
    method: 'POST',
    path: '/operator/withdrawals/:id/return',
    access: payers,
    summary: 'Give back one that was taken and not paid; only by who took it',
    params: one,
    body: z.strictObject({ version }),
    data: deskWithdrawal,
    refusals: ['withdrawal_not_found', 'withdrawal_changed', 'withdrawal_state', 'not_allowed'],
  }),
  sendWithdrawal: endpoint({
    method: 'POST',
    path: '/operator/withdrawals/:id/sent',
    access: payers,
    summary: 'Say that one taken by oneself was paid, with its transaction hash',
    params: one,
    body: z.strictObject({ version, transaction }),
    data: deskWithdrawal,
    refusals: ['withdrawal_not_found', 'withdrawal_changed', 'withdrawal_state', 'not_allowed'],
  }),
  completeWithdrawal: endpoint({
    method: 'POST',
    path: '/operator/withdrawals/:id/complete',
    access: payers,
    summary: 'Say that one paid by hand has arrived: the hold is paid out and the fee taken',
    params: one,
    body: z.strictObject({ version, otp: otpCode }),
    data: deskWithdrawal,
    refusals: [
      'withdrawal_not_found',
      'second_factor_missing',
      'wrong_second_factor',
      'withdrawal_changed',
      'withdrawal_state',
    ],
  }),
  failWithdrawal: endpoint({
    method: 'POST',
    path: '/operator/withdrawals/:id/fail',
    access: payers,
    summary: 'Say that one paid by hand came back: the amount goes back to its wallet',
    params: one,
    body: z.strictObject({ version, reason, otp: otpCode }),
    data: deskWithdrawal,
    refusals: [
      'withdrawal_not_found',
      'second_factor_missing',
      'wrong_second_factor',
      'withdrawal_changed',
      'withdrawal_state',
    ],
  }),
  resolveWithdrawal: endpoint({
    method: 'POST',
    path: '/operator/withdrawals/:id/resolve',
    access: payers,
    summary: 'Decide about an uncertain payout after looking at the gateway: it was sent, has arrived, or never left',
    params: one,
    body: z.discriminatedUnion('outcome', [
      z.strictObject({ outcome: z.literal('sent'), version, transaction, otp: otpCode }),
      z.strictObject({ outcome: z.literal('completed'), version, transaction, otp: otpCode }),
      z.strictObject({ outcome: z.literal('failed'), version, reason, otp: otpCode }),
    ]),
    data: deskWithdrawal,
    refusals: [
      'withdrawal_not_found',
      'second_factor_missing',
      'wrong_second_factor',
      'withdrawal_changed',
      'withdrawal_state',
      'gateway_unavailable',
    ],
  }),
  getPayoutSwitch: endpoint({
    method: 'GET',
    path: '/operator/payout-switch',
    access: readers,
    summary: 'Whether payouts are stopped, since when and why',
    data: z.strictObject({
      stopped: z.boolean(),
      at: instant.nullable(),
      operator: z.string().nullable(),
      why: z.string().nullable(),
    }),
    refusals: [],
  }),
  setPayoutSwitch: endpoint({
    method: 'PUT',
    path: '/operator/payout-switch',
    access: payers,
    summary: 'Stop all payouts at once, or, with the second factor, let them go on',
    body: z.discriminatedUnion('stopped', [
      z.strictObject({ stopped: z.literal(true), why: reason }),
      z.strictObject({ stopped: z.literal(false), why: reason, otp: otpCode }),
    ]),
    data: z.strictObject({ stopped: z.boolean() }),
    refusals: ['second_factor_missing', 'wrong_second_factor', 'books_wrong'],
  }),
  setMemberVerified: endpoint({
    method: 'PUT',
    path: '/operator/members/:id/verified',
    access: readers,
    summary: 'Set or take away the flag that live mode asks for before money goes out',
    params: one,
    body: z.strictObject({ verified: z.boolean(), why: reason }),
    data: nothing,
    refusals: ['not_found'],
  }),
  setWithdrawalsFrozen: endpoint({
    method: 'PUT',
    path: '/operator/members/:id/withdrawals-frozen',
    access: readers,
    summary: 'Stop the withdrawals of one member, or, with the second factor, let them go on',
    params: one,
    body: z.discriminatedUnion('frozen', [
      z.strictObject({ frozen: z.literal(true), why: reason }),
      z.strictObject({ frozen: z.literal(false), why: reason, otp: otpCode }),
    ]),
    data: nothing,
    refusals: ['not_found', 'second_factor_missing', 'wrong_second_factor'],
  }),
  listDeskDeposits: endpoint({
    method: 'GET',
    path: '/operator/deposits',
    access: readers,
    summary: 'Deposits of all members, newest first; those in review oldest first',
    query: z.strictObject({ ...paging, state: z.enum(depositStates).optional() }),
    data: page(deskDeposit),
    refusals: [],
  }),
  getDeskDeposit: endpoint({
    method: 'GET',
    path: '/operator/deposits/:id',
    access: readers,
    summary: 'One deposit with all that a decision needs',
    params: one,
    data: deskDeposit,
    refusals: ['deposit_not_found'],
  }),
  creditDeposit: endpoint({
    method: 'POST',
    path: '/operator/deposits/:id/credit',
    access: payers,
    summary: 'Credit what is held of a deposit in review',
    params: one,
    body: z.strictObject({ version, reason, otp: otpCode }),
    data: deskDeposit,
    refusals: [
      'deposit_not_found',
      'second_factor_missing',
      'wrong_second_factor',
      'deposit_changed',
      'deposit_not_in_review',
      'deposit_holds_nothing',
      'account_closed',
    ],
  }),
  refundDeposit: endpoint({
    method: 'POST',
    path: '/operator/deposits/:id/refund',
    access: payers,
    summary: 'Say that what is held of a deposit in review was sent back at the gateway, with the transaction hash',
    params: one,
    body: z.strictObject({ version, reason, transaction, otp: otpCode }),
    data: deskDeposit,
    refusals: [
      'deposit_not_found',
      'second_factor_missing',
      'wrong_second_factor',
      'deposit_changed',
      'deposit_not_in_review',
      'deposit_holds_nothing',
    ],
  }),
  rejectDeposit: endpoint({
    method: 'POST',
    path: '/operator/deposits/:id/reject',
    access: payers,
    summary: 'Close a deposit in review of which nothing is held',
    params: one,
    body: z.strictObject({ version, reason }),
    data: deskDeposit,
    refusals: ['deposit_not_found', 'deposit_changed', 'deposit_not_in_review', 'deposit_holds_money'],
  }),
};
