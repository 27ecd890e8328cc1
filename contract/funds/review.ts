import { z } from 'zod';
import { endpoint, financeRoles, id, instant, operatorRoles, page, paging } from '../endpoint.ts';
import {
  memberName,
  money,
  one,
  operatorCode,
  secondFactorRefusals,
  transactionHash,
  version,
  why,
} from '../fields.ts';
import type { RefusalCode } from '../refusals.ts';
import { deposit, depositStates } from './deposits.ts';
import { networkFee, withdrawalDetail, withdrawalStates } from './withdrawals.ts';

export const operatorWithdrawal = withdrawalDetail.extend({
  version,
  member: memberName.extend({
    verified: z.boolean(),
    frozen: z.boolean(),
    withdrawals_frozen: z.boolean(),
  }),
  /** Requested by the member on the same UTC day, including this one, excluding rejected, cancelled and failed ones. */
  day_sum: money,
  /** How many different operators must approve: 2 from $5,000 per member and day. */
  approvals_needed: z.number().int(),
  /** Includes those that no longer count: an approval counts while its operator is active and may approve payouts. */
  approvals: z.array(z.strictObject({ operator_id: id, operator: z.string(), at: instant, counts: z.boolean() })),
  /** Approvals missing before payout; above 0 for an approved withdrawal when a required approval no longer counts. */
  approvals_missing: z.number().int(),
  payout: z
    .strictObject({
      way: z.enum(['gateway', 'hand']),
      /** Who claimed it for manual payment. */
      operator_id: id.nullable(),
      /** They were disabled, reset or moved to another role: a colleague who may pay releases it or enters its hash. */
      abandoned: z.boolean(),
      gateway: z.string().nullable(),
      payout_id: z.string().nullable(),
      /** Coins ordered, as decimal text; null where a coin is a dollar. */
      units: z.string().nullable(),
      started_at: instant.nullable(),
    })
    .nullable(),
  /** Whether the gateway can pay to this network automatically. */
  gateway_can_pay: z.boolean(),
  /** Whether the network fee can be estimated: `GET operator/network-fee`. */
  network_fee_estimated: z.boolean(),
  /** A device signed in for the first time in the 24 hours before the request; null when no sign-in is known. */
  new_device: z.boolean().nullable(),
  /** The member has no earlier completed withdrawal. */
  first_payout: z.boolean(),
});
export type OperatorWithdrawal = z.output<typeof operatorWithdrawal>;

export const operatorDeposit = deposit.extend({
  version,
  member: memberName.extend({ frozen: z.boolean(), closed: z.boolean() }),
  gateway: z.string(),
  invoice_id: z.string().nullable(),
});
export type OperatorDeposit = z.output<typeof operatorDeposit>;

const decideWithdrawal = <const Body extends z.ZodType>(
  verb: string,
  summary: string,
  body: Body,
  refusals: readonly RefusalCode[],
) =>
  endpoint({
    method: 'POST',
    path: `/operator/withdrawals/:id/${verb}`,
    access: financeRoles,
    summary,
    params: one,
    body,
    data: operatorWithdrawal,
    refusals: ['withdrawal_not_found', 'withdrawal_changed', 'own_withdrawal', ...refusals],
  });

const decideDeposit = <const Body extends z.ZodType>(
  verb: string,
  summary: string,
  body: Body,
  refusals: readonly RefusalCode[],
) =>
  endpoint({
    method: 'POST',
    path: `/operator/deposits/:id/${verb}`,
    access: financeRoles,
    summary,
    params: one,
    body,
    data: operatorDeposit,
    refusals: ['deposit_not_found', 'deposit_changed', 'deposit_not_in_review', 'own_deposit', ...refusals],
  });

/** What the guard of outgoing money refuses, in its order. */
const payoutGuard = [
  'account_frozen',
  'withdrawals_frozen',
  'not_verified',
  'payouts_stopped',
  'payouts_unconfirmed',
] as const;

/** What live payouts are waiting for; null when nothing is missing, and outside live mode. */
export const payoutNeeds = z.strictObject({
  /** Whether the legal contact's email address is set. */
  legal_contact: z.boolean(),
  /** Admins with a passkey confirmed by the legal contact, and how many are required. */
  confirmed_admins: z.number().int(),
  needed_admins: z.number().int(),
});
export type PayoutNeeds = z.output<typeof payoutNeeds>;

/** Payout and deposit review (docs/product.md, sections 4, 5 and 10). Every decision is audited. */
export const operatorPayouts = {
  listOperatorWithdrawals: endpoint({
    method: 'GET',
    path: '/operator/withdrawals',
    access: operatorRoles,
    summary: 'List withdrawals of all members; pending ones oldest first, otherwise newest first',
    query: z.strictObject({ ...paging, state: z.enum(withdrawalStates).optional() }),
    data: page(operatorWithdrawal),
  }),
  getOperatorWithdrawal: endpoint({
    method: 'GET',
    path: '/operator/withdrawals/:id',
    access: operatorRoles,
    summary: 'Get a withdrawal for review',
    params: one,
    data: operatorWithdrawal,
    refusals: ['withdrawal_not_found'],
  }),
  getPayoutNetworkFee: endpoint({
    method: 'GET',
    path: '/operator/network-fee',
    access: operatorRoles,
    summary: 'Estimate the network fee of a payout',
    ...networkFee,
  }),
  approveWithdrawal: decideWithdrawal(
    'approve',
    'Approve a withdrawal; from $5,000 a member and day it takes two approvals',
    z.strictObject({ version, otp: operatorCode }),
    [...secondFactorRefusals, 'withdrawal_not_requested', 'approved_already', ...payoutGuard],
  ),
  rejectWithdrawal: decideWithdrawal(
    'reject',
    'Reject a requested or approved withdrawal; the amount returns to its wallet',
    z.strictObject({ version, reason: why }),
    ['withdrawal_state'],
  ),
  takeWithdrawal: decideWithdrawal(
    'take',
    'Claim an approved withdrawal for manual payment, so that nothing else pays it',
    z.strictObject({ version, otp: operatorCode }),
    [...secondFactorRefusals, 'withdrawal_state', ...payoutGuard, 'approvals_missing'],
  ),
  returnWithdrawal: decideWithdrawal(
    'return',
    'Release a claimed withdrawal that was not paid; by who claimed it, or a colleague once they may not',
    z.strictObject({ version }),
    ['withdrawal_state', 'not_allowed'],
  ),
  sendWithdrawal: decideWithdrawal(
    'sent',
    'Mark a claimed withdrawal as sent, with its transaction hash; by who claimed it, or a colleague once they may not',
    z.strictObject({ version, transaction: transactionHash }),
    ['withdrawal_state', 'not_allowed'],
  ),
  completeWithdrawal: decideWithdrawal(
    'complete',
    'Mark a manual payment as arrived: the hold is paid out and the fee charged',
    z.strictObject({ version, otp: operatorCode }),
    [...secondFactorRefusals, 'withdrawal_state'],
  ),
  failWithdrawal: decideWithdrawal(
    'fail',
    'Mark a manual payment as returned; the amount goes back to its wallet',
    z.strictObject({ version, reason: why, otp: operatorCode }),
    [...secondFactorRefusals, 'withdrawal_state'],
  ),
  resolveWithdrawal: decideWithdrawal(
    'resolve',
    'Resolve a payout with unknown outcome after checking the gateway: sent, completed or failed',
    z.discriminatedUnion('outcome', [
      z.strictObject({ outcome: z.literal('sent'), version, transaction: transactionHash, otp: operatorCode }),
      z.strictObject({ outcome: z.literal('completed'), version, transaction: transactionHash, otp: operatorCode }),
      z.strictObject({ outcome: z.literal('failed'), version, reason: why, otp: operatorCode }),
    ]),
    [...secondFactorRefusals, 'withdrawal_state', 'gateway_unavailable'],
  ),
  getPayoutSwitch: endpoint({
    method: 'GET',
    path: '/operator/payout-switch',
    access: operatorRoles,
    summary: 'Get the payout switch: stopped or active, since when and why',
    data: z.strictObject({
      stopped: z.boolean(),
      at: instant.nullable(),
      operator: z.string().nullable(),
      why: z.string().nullable(),
      needs: payoutNeeds.nullable(),
    }),
  }),
  setPayoutSwitch: endpoint({
    method: 'PUT',
    path: '/operator/payout-switch',
    access: financeRoles,
    summary: 'Stop all payouts, or resume them with two-factor authentication',
    body: z.discriminatedUnion('stopped', [
      z.strictObject({ stopped: z.literal(true), why }),
      z.strictObject({ stopped: z.literal(false), why, otp: operatorCode }),
    ]),
    data: z.strictObject({ stopped: z.boolean() }),
    refusals: [...secondFactorRefusals, 'books_wrong'],
  }),
  setMemberVerified: endpoint({
    method: 'PUT',
    path: '/operator/members/:id/verified',
    access: operatorRoles,
    summary: 'Remove a member’s verification, which live mode requires for withdrawals; verifying takes two operators',
    params: one,
    body: z.strictObject({ verified: z.literal(false), why }),
    refusals: ['not_found', 'account_closed'],
  }),
  setWithdrawalsFrozen: endpoint({
    method: 'PUT',
    path: '/operator/members/:id/withdrawals-frozen',
    access: operatorRoles,
    summary: 'Stop a member’s withdrawals; resuming them takes two operators',
    params: one,
    body: z.strictObject({ frozen: z.literal(true), why }),
    refusals: ['not_found', 'account_closed'],
  }),
  listOperatorDeposits: endpoint({
    method: 'GET',
    path: '/operator/deposits',
    access: operatorRoles,
    summary: 'List deposits of all members, newest first; those in review oldest first',
    query: z.strictObject({ ...paging, state: z.enum(depositStates).optional() }),
    data: page(operatorDeposit),
  }),
  getOperatorDeposit: endpoint({
    method: 'GET',
    path: '/operator/deposits/:id',
    access: operatorRoles,
    summary: 'Get a deposit for review',
    params: one,
    data: operatorDeposit,
    refusals: ['deposit_not_found'],
  }),
  creditDeposit: decideDeposit(
    'credit',
    'Credit the amount held for a deposit in review',
    z.strictObject({ version, reason: why, otp: operatorCode }),
    [...secondFactorRefusals, 'deposit_holds_nothing', 'deposit_reversed', 'gateway_unavailable', 'account_closed'],
  ),
  refundDeposit: decideDeposit(
    'refund',
    'Record that the amount held for a deposit in review was refunded at the gateway, with the transaction hash',
    z.strictObject({ version, reason: why, transaction: transactionHash, otp: operatorCode }),
    [...secondFactorRefusals, 'deposit_holds_nothing'],
  ),
  rejectDeposit: decideDeposit(
    'reject',
    'Reject a deposit in review that holds no money',
    z.strictObject({ version, reason: why }),
    ['deposit_holds_money'],
  ),
};
