import { z } from 'zod';
import { endpoint, id, instant, line, operatorRoles, page, paging } from '../endpoint.ts';
import { otpCode } from '../funds/withdrawals.ts';
import { MAX_DOLLARS, money, moneyAmount, signedMoney } from '../money.ts';
import { walletTypes } from '../rules.ts';

/** `proposed` → `posted`, carried out on the word of a second operator, `rejected` by one, or `withdrawn` by who proposed it. */
export const proposalStates = ['proposed', 'posted', 'rejected', 'withdrawn'] as const;
export type ProposalState = (typeof proposalStates)[number];

const by = z.strictObject({ id, name: z.string() });
/** What everything has that one operator proposes and another decides about. */
export const proposal = z.strictObject({
  id,
  version: z.number().int(),
  /** What a person quotes: `AD-7M2QX4`. */
  reference: z.string(),
  /** Why; of a correction the member reads it, too, and of a fee plan everybody. */
  reason: z.string(),
  state: z.enum(proposalStates),
  proposed_by: by,
  proposed_at: instant,
  /**
   * Whether it can be approved by another: what was proposed counts while its operator is active and of a role that may
   * propose it. Always true once it was decided.
   */
  proposer_counts: z.boolean(),
  decided_by: by.nullable(),
  decided_at: instant.nullable(),
  /** Why it was rejected. */
  note: z.string().nullable(),
});
export type Proposal = z.output<typeof proposal>;

const adjustment = proposal.extend({
  transfer_id: id.nullable(),
  member: z.strictObject({ id, referral_code: z.string(), name: z.string() }),
  wallet_type: z.enum(walletTypes),
  /** Positive into the wallet, negative out of it. */
  amount: signedMoney,
  /** Where the facts are, for operators: tickets, transactions, calculations. */
  evidence: z.string(),
});
export type Adjustment = z.output<typeof adjustment>;

/**
 * docs/product.md, section 2, "Treasury and corrections": assets that move, capital of the owner, revenue that is taken
 * out.
 */
export const treasuryKinds = ['venue_fund', 'venue_return', 'capital_in', 'revenue_out'] as const;
export type TreasuryKind = (typeof treasuryKinds)[number];
export const revenueAccounts = ['fee_revenue', 'withdrawal_fees'] as const;
export type RevenueAccount = (typeof revenueAccounts)[number];

const treasuryMove = proposal.extend({
  transfer_id: id.nullable(),
  kind: z.enum(treasuryKinds),
  /** Of revenue that is taken out: from which account. */
  source: z.enum(revenueAccounts).nullable(),
  amount: money,
  /** Of the payment outside. */
  transaction: z.string(),
});
export type TreasuryMove = z.output<typeof treasuryMove>;

const positive = moneyAmount.refine((amount) => amount > 0, 'Enter an amount above 0.');
const signed = z
  .number('Enter an amount in numbers.')
  .min(-MAX_DOLLARS, 'The amount is too large.')
  .max(MAX_DOLLARS, 'The amount is too large.')
  .refine((value) => value !== 0, 'Enter an amount that is not 0.')
  .refine((value) => Number(value.toFixed(6)) === value, 'An amount has at most 6 decimals.');
const reason = line(300, 'Say why.');
const transaction = line(200, 'Enter the transaction hash.').pipe(
  z.string().regex(/^[A-Za-z0-9:_-]{6,200}$/, 'Not a transaction hash.'),
);
const version = z.number().int().min(1);

const payers = ['finance', 'admin'] as const;
const one = z.strictObject({ id });
export const proposalQuery = z.strictObject({ ...paging, state: z.enum(proposalStates).optional() });
export const approval = z.strictObject({ version, otp: otpCode });
export const rejection = z.strictObject({ version, reason });
export const withdrawal = z.strictObject({ version });

export const decidingRefusals = ['not_found', 'proposal_changed', 'proposal_decided'] as const;
const approvingRefusals = [
  ...decidingRefusals,
  'own_proposal',
  'proposer_not_entitled',
  'second_factor_missing',
  'wrong_second_factor',
  'not_covered',
] as const;

/** Corrections of a wallet: one operator proposes, another approves with the second factor, always. */
export const consoleAdjustments = {
  listAdjustments: endpoint({
    method: 'GET',
    path: '/operator/adjustments',
    access: operatorRoles,
    summary: 'Corrections of wallets, newest first; those that wait oldest first',
    query: proposalQuery.extend({ member_id: id.optional() }),
    data: page(adjustment),
    refusals: [],
  }),
  proposeAdjustment: endpoint({
    method: 'POST',
    path: '/operator/adjustments',
    access: payers,
    summary: 'Propose a correction of a wallet; nothing moves until a second operator approves it',
    body: z.strictObject({
      member_id: id,
      wallet_type: z.enum(walletTypes, 'Choose a wallet.'),
      amount: signed,
      reason,
      evidence: line(1000, 'Say where the facts are.'),
    }),
    data: adjustment,
    refusals: ['not_found', 'account_closed'],
    idempotent: true,
  }),
  approveAdjustment: endpoint({
    method: 'POST',
    path: '/operator/adjustments/:id/approve',
    access: payers,
    summary: 'Approve what a colleague proposed: the correction is posted and the member told',
    params: one,
    body: approval,
    data: adjustment,
    refusals: [...approvingRefusals, 'insufficient_funds', 'account_closed'],
  }),
  rejectAdjustment: endpoint({
    method: 'POST',
    path: '/operator/adjustments/:id/reject',
    access: payers,
    summary: 'Reject what a colleague proposed',
    params: one,
    body: rejection,
    data: adjustment,
    refusals: [...decidingRefusals, 'own_proposal'],
  }),
  withdrawAdjustment: endpoint({
    method: 'POST',
    path: '/operator/adjustments/:id/withdraw',
    access: payers,
    summary: 'Take back what one proposed oneself',
    params: one,
    body: withdrawal,
    data: adjustment,
    refusals: [...decidingRefusals, 'not_allowed'],
  }),
};

const pool = z.strictObject({
  account: z.enum(['pool_weekly', 'pool_monthly', 'pool_rewards']),
  balance: money,
  /** Claims that wait for the pool; null for pools whose payments are known only when their run is made. */
  owed: money.nullable(),
});

export const treasury = z.strictObject({
  simulated: z.boolean(),
  at: instant,
  /** What the books say, and what gateway and exchange report; null while nothing was reported. */
  gateway: z.strictObject({ booked: signedMoney, reported: signedMoney.nullable(), reported_at: instant.nullable() }),
  venue: z.strictObject({ booked: signedMoney, reported: signedMoney.nullable(), reported_at: instant.nullable() }),
  unallocated: money,
  fee_revenue: money,
  withdrawal_fees: money,
  venue_result: signedMoney,
  adjustments: signedMoney,
  surplus: signedMoney,
  pools: z.array(pool),
  /** Net positions that no order hedges, by asset; with the paper venue nothing is hedged outside. */
  exposure: z.array(
    z.strictObject({
      symbol: z.string(),
      /** Coins as a decimal, signed. */
      quantity: z.string(),
      /** At the mark, without sign; null without a mark. */
      value: money.nullable(),
    }),
  ),
});
export type Treasury = z.output<typeof treasury>;

/** The house's own money. Every move takes two operators. */
export const consoleTreasury = {
  getTreasury: endpoint({
    method: 'GET',
    path: '/operator/treasury',
    access: operatorRoles,
    summary: 'What gateway and venue hold, what belongs to the house, pools and unhedged exposure',
    data: treasury,
    refusals: [],
  }),
  listTreasuryMoves: endpoint({
    method: 'GET',
    path: '/operator/treasury/moves',
    access: operatorRoles,
    summary: 'Moves of the house’s money, newest first; those that wait oldest first',
    query: proposalQuery,
    data: page(treasuryMove),
    refusals: [],
  }),
  proposeTreasuryMove: endpoint({
    method: 'POST',
    path: '/operator/treasury/moves',
    access: payers,
    summary: 'Record a move of the house’s money; it is booked when a second operator approves it',
    body: z.discriminatedUnion('kind', [
      z.strictObject({
        kind: z.enum(['venue_fund', 'venue_return', 'capital_in']),
        amount: positive,
        reason,
        transaction,
      }),
      z.strictObject({
        kind: z.literal('revenue_out'),
        source: z.enum(revenueAccounts, 'Choose an account.'),
        amount: positive,
        reason,
        transaction,
      }),
    ]),
    data: treasuryMove,
    refusals: [],
    idempotent: true,
  }),
  approveTreasuryMove: endpoint({
    method: 'POST',
    path: '/operator/treasury/moves/:id/approve',
    access: payers,
    summary: 'Approve a move that a colleague recorded: it is booked',
    params: one,
    body: approval,
    data: treasuryMove,
    refusals: approvingRefusals,
  }),
  rejectTreasuryMove: endpoint({
    method: 'POST',
    path: '/operator/treasury/moves/:id/reject',
    access: payers,
    summary: 'Reject a move that a colleague recorded',
    params: one,
    body: rejection,
    data: treasuryMove,
    refusals: [...decidingRefusals, 'own_proposal'],
  }),
  withdrawTreasuryMove: endpoint({
    method: 'POST',
    path: '/operator/treasury/moves/:id/withdraw',
    access: payers,
    summary: 'Take back a move that one recorded oneself',
    params: one,
    body: withdrawal,
    data: treasuryMove,
    refusals: [...decidingRefusals, 'not_allowed'],
  }),
};
