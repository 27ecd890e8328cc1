import { z } from 'zod';
import {
  type Endpoint,
  endpoint,
  financeRoles,
  id,
  instant,
  line,
  type OperatorRole,
  operatorRoles,
  page,
  pagingOrOne,
} from '../endpoint.ts';
import {
  actor,
  memberName,
  money,
  moneyAmount,
  one,
  operatorCode,
  secondFactorRefusals,
  signedMoney,
  transactionHash,
  version,
  why,
} from '../fields.ts';
import { MAX_DOLLARS } from '../money.ts';
import type { RefusalCode } from '../refusals.ts';
import { walletTypes } from '../rules.ts';
import { gatewayCoins } from '../solvency/sheet.ts';

/**
 * `proposed` → `posted` (executed on a second operator's approval), `rejected` by one, or `withdrawn` by the proposer,
 * or automatically when it has lapsed. One with a waiting period is `approved` until it is due.
 */
export const proposalStates = ['proposed', 'approved', 'posted', 'rejected', 'withdrawn'] as const;
export type ProposalState = (typeof proposalStates)[number];

/** Common to everything that one operator proposes and another decides. */
export const proposal = z.strictObject({
  id,
  version: z.number().int(),
  /** The reference that people quote: `AD-7M2QX4`. */
  reference: z.string(),
  /** Why; for a correction also shown to the member, for a fee plan public. */
  reason: z.string(),
  state: z.enum(proposalStates),
  proposed_by: actor,
  proposed_at: instant,
  /** When it is executed, while it is `approved`. */
  due_at: instant.nullable(),
  /**
   * Whether the proposal is still valid: its proposer must be active and in a role that may propose it. Always true
   * once it is decided.
   */
  proposer_counts: z.boolean(),
  decided_by: actor.nullable(),
  decided_at: instant.nullable(),
  /** Who withdrew it after its approval, while it was not yet due; null for the member, and once it took effect. */
  ended_by: actor.nullable(),
  /** When it took effect or was withdrawn; null unless it waited after its approval. */
  ended_at: instant.nullable(),
  /** Why it was rejected. */
  note: z.string().nullable(),
});
export type Proposal = z.output<typeof proposal>;

const otherAdjustment = z.strictObject({ id, reference: z.string() });

const adjustment = proposal.extend({
  transfer_id: id.nullable(),
  /** For a reversal, the adjustment that it reverses. */
  reverses: otherAdjustment.nullable(),
  /** Its reversal, which is proposed or posted. */
  reversed_by: otherAdjustment.extend({ state: z.enum(proposalStates) }).nullable(),
  member: memberName,
  wallet_type: z.enum(walletTypes),
  /** Positive credits the wallet, negative debits it. */
  amount: signedMoney,
  /** Evidence for operators: tickets, transactions, calculations. */
  evidence: z.string(),
});
export type Adjustment = z.output<typeof adjustment>;

/**
 * Treasury moves (docs/product.md, section 2, "Treasury and corrections"): asset transfers, owner's capital,
 * revenue withdrawals, and sales of the gateway's Bitcoin at the exchange.
 */
export const treasuryKinds = ['venue_fund', 'venue_return', 'capital_in', 'revenue_out', 'coin_sale'] as const;
export type TreasuryKind = (typeof treasuryKinds)[number];
export const revenueAccounts = ['fee_revenue', 'withdrawal_fees'] as const;
export type RevenueAccount = (typeof revenueAccounts)[number];

/** Coins as decimal text, at most 8 decimals. */
const coins = z
  .string('Enter Bitcoin in numbers.')
  .regex(/^\d{1,8}(\.\d{1,8})?$/, 'Enter Bitcoin in numbers, at most 8 decimals.')
  .refine((text) => Number(text) > 0, 'Enter an amount above 0.');

/** A sale of coins and, once a second operator has approved it, its state. */
const coinSale = z.strictObject({
  units: z.string(),
  /** Dollars per coin: nothing is sold for less. */
  limit_price: money,
  /** Null until it is approved. */
  state: z.enum(['waiting', 'ordered', 'sold', 'unsold']).nullable(),
  /** Coins sold, and dollars received net of the exchange's fee; null until the sale is over. */
  sold: z.string().nullable(),
  proceeds: money.nullable(),
  /** The exchange's reason why nothing was sold. */
  reason: z.string().nullable(),
});

const treasuryMove = proposal.extend({
  transfer_id: id.nullable(),
  kind: z.enum(treasuryKinds),
  /** For a revenue withdrawal, the source account. */
  source: z.enum(revenueAccounts).nullable(),
  /** For a sale, the minimum total proceeds. */
  amount: money,
  /** Transaction of the external payment. */
  transaction: z.string(),
  sale: coinSale.nullable(),
});
export type TreasuryMove = z.output<typeof treasuryMove>;

const positive = moneyAmount.refine((amount) => amount > 0, 'Enter an amount above 0.');
const signed = z
  .number('Enter an amount in numbers.')
  .min(-MAX_DOLLARS, 'The amount is too large.')
  .max(MAX_DOLLARS, 'The amount is too large.')
  .refine((value) => value !== 0, 'Enter an amount that is not 0.')
  .refine((value) => Number(value.toFixed(6)) === value, 'An amount has at most 6 decimals.');

const proposalQuery = z.strictObject({
  ...pagingOrOne,
  state: z.enum(proposalStates).optional(),
});
/** Of kinds that concern a member, also those of one member. */
export const queryOfMember = proposalQuery.extend({ member_id: id.optional() });

const decidingRefusals = ['not_found', 'proposal_changed', 'proposal_decided'] as const;

type ProposalRules<Shown extends z.ZodType, Query extends z.ZodType> = {
  readonly path: string;
  readonly access: readonly OperatorRole[];
  /** Roles that propose and may withdraw, if others than these decide. */
  readonly proposers?: readonly OperatorRole[];
  /** Roles that read the list, if not all. */
  readonly readers?: readonly OperatorRole[];
  /** The subject of the proposal in words: `a fee plan`. */
  readonly what: string;
  /** What the list has: `proposed fee plans`. */
  readonly many: string;
  readonly query?: Query;
  /** The effect of approval. */
  readonly effect: string;
  readonly data: Shown;
  readonly refusals: readonly RefusalCode[];
};

type ProposeCall = Required<Pick<Endpoint, 'summary' | 'body'>> & Pick<Endpoint, 'refusals' | 'idempotent'>;

/** The calls of one kind of proposal: one operator proposes, all read, a second operator approves or rejects, the proposer withdraws. */
export function decisionsOf<const Shown extends z.ZodType, Query extends z.ZodType = typeof proposalQuery>(
  rules: ProposalRules<Shown, Query>,
) {
  const { path, access, proposers = access, readers = operatorRoles, what, data } = rules;
  const shared = { method: 'POST', access, params: one, data } as const;
  return {
    propose: <const Call extends ProposeCall>(call: Call) =>
      endpoint({ method: 'POST', path, access: proposers, data, ...call }),
    list: endpoint({
      method: 'GET',
      path,
      access: readers,
      summary: `List ${rules.many}, newest first; pending ones oldest first`,
      query: (rules.query ?? proposalQuery) as Query,
      data: page(data),
    }),
    approve: endpoint({
      ...shared,
      path: `${path}/:id/approve`,
      summary: `Approve ${what} that a colleague proposed: ${rules.effect}`,
      body: z.strictObject({ version, otp: operatorCode }),
      refusals: [
        ...decidingRefusals,
        'own_proposal',
        'proposer_not_entitled',
        ...secondFactorRefusals,
        ...rules.refusals,
      ],
    }),
    reject: endpoint({
      ...shared,
      path: `${path}/:id/reject`,
      summary: `Reject ${what} that a colleague proposed`,
      body: z.strictObject({ version, reason: why }),
      refusals: [...decidingRefusals, 'own_proposal'],
    }),
    withdraw: endpoint({
      ...shared,
      access: proposers,
      path: `${path}/:id/withdraw`,
      summary: `Withdraw ${what} that you proposed`,
      body: z.strictObject({ version }),
      refusals: [...decidingRefusals, 'not_allowed'],
    }),
  };
}

const evidence = line(1000, 'Say where the facts are.');

const adjustmentDecisions = decisionsOf({
  path: '/operator/adjustments',
  access: financeRoles,
  what: 'a wallet correction',
  many: 'wallet corrections',
  query: queryOfMember,
  effect: 'it is posted and the member is notified',
  data: adjustment,
  refusals: ['not_covered', 'insufficient_funds', 'account_closed'],
});

/** Wallet corrections: one operator always proposes, another approves with the second factor. */
export const consoleAdjustments = {
  listAdjustments: adjustmentDecisions.list,
  proposeAdjustment: adjustmentDecisions.propose({
    summary: 'Propose a wallet correction; nothing is posted until a second operator approves it',
    body: z.strictObject({
      member_id: id,
      wallet_type: z.enum(walletTypes, 'Choose a wallet.'),
      amount: signed,
      reason: why,
      evidence,
    }),
    refusals: ['not_found', 'account_closed', 'own_proposal'],
    idempotent: true,
  }),
  reverseAdjustment: endpoint({
    method: 'POST',
    path: '/operator/adjustments/:id/reverse',
    access: financeRoles,
    summary: 'Propose to reverse a posted wallet correction: the same amount back, in a transfer that names it',
    params: one,
    body: z.strictObject({ reason: why, evidence }),
    data: adjustment,
    refusals: ['not_found', 'account_closed', 'own_proposal', 'adjustment_not_reversible'],
    idempotent: true,
  }),
  approveAdjustment: adjustmentDecisions.approve,
  rejectAdjustment: adjustmentDecisions.reject,
  withdrawAdjustment: adjustmentDecisions.withdraw,
};

const pool = z.strictObject({
  account: z.enum(['pool_weekly', 'pool_monthly', 'pool_rewards']),
  balance: money,
  /** Claims waiting for the pool; null for pools whose payments are known only once their run is computed. */
  owed: money.nullable(),
});

/** A custodian's holdings as booked in the ledger and as reported; null without a report. */
const holding = z.strictObject({
  booked: signedMoney,
  reported: signedMoney.nullable(),
  reported_at: instant.nullable(),
});

export const treasury = z.strictObject({
  simulated: z.boolean(),
  at: instant,
  gateway: holding,
  venue: holding,
  /** As in `GET solvency`. */
  gateway_deviation: signedMoney.nullable(),
  gateway_coins: z.array(gatewayCoins),
  unallocated: money,
  fee_revenue: money,
  withdrawal_fees: money,
  venue_result: signedMoney,
  gateway_result: signedMoney,
  adjustments: signedMoney,
  surplus: signedMoney,
  pools: z.array(pool),
  /** Residuals: coins held at the exchange beyond members’ positions; none on paper. */
  exposure: z.array(
    z.strictObject({
      symbol: z.string(),
      /** Signed decimal coins. */
      quantity: z.string(),
      /** At the mark, unsigned; null without a mark. */
      value: money.nullable(),
    }),
  ),
});
export type Treasury = z.output<typeof treasury>;

const saleRefusals = ['not_covered', 'no_exchange', 'limit_far_from_mark', 'batch_under_way'] as const;

const treasuryDecisions = decisionsOf({
  path: '/operator/treasury/moves',
  access: financeRoles,
  what: 'a treasury move',
  many: 'treasury moves',
  effect: 'it is posted, and coins are sold at the exchange',
  data: treasuryMove,
  refusals: [...saleRefusals, 'capital_too_large'],
});

/** The house's own money. Every move requires two operators. */
export const consoleTreasury = {
  getTreasury: endpoint({
    method: 'GET',
    path: '/operator/treasury',
    access: operatorRoles,
    summary: 'Get the treasury: gateway and venue balances, house accounts, pools and residuals',
    data: treasury,
  }),
  listTreasuryMoves: treasuryDecisions.list,
  proposeTreasuryMove: treasuryDecisions.propose({
    summary: 'Propose a treasury move; it is posted when a second operator approves it',
    body: z.discriminatedUnion('kind', [
      z.strictObject({
        kind: z.enum(['venue_fund', 'venue_return', 'capital_in']),
        amount: positive,
        reason: why,
        transaction: transactionHash,
      }),
      z.strictObject({
        kind: z.literal('revenue_out'),
        source: z.enum(revenueAccounts, 'Choose an account.'),
        amount: positive,
        reason: why,
        transaction: transactionHash,
      }),
      z.strictObject({
        kind: z.literal('coin_sale'),
        units: coins,
        limit_price: positive,
        reason: why,
        transaction: transactionHash,
      }),
    ]),
    refusals: [...saleRefusals],
    idempotent: true,
  }),
  approveTreasuryMove: treasuryDecisions.approve,
  rejectTreasuryMove: treasuryDecisions.reject,
  withdrawTreasuryMove: treasuryDecisions.withdraw,
};
