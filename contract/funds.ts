import { z } from 'zod';
import { endpoint, id, instant, page, paging } from './endpoint.ts';
import { money, moneyAmount, signedMoney } from './money.ts';

export const depositStates = [
  'created',
  'pending',
  'underpaid',
  'credited',
  'expired',
  'review',
  'refunded',
  'rejected',
  'failed',
] as const;
export type DepositState = (typeof depositStates)[number];

export const deposit = z.strictObject({
  id,
  /** What a person quotes: `DP-7M2QX4`. */
  reference: z.string(),
  amount: money,
  /** What really arrived and was credited; null before. */
  credited: money.nullable(),
  currency: z.string(),
  state: z.enum(depositStates),
  pay_url: z.string().nullable(),
  transaction: z.string().nullable(),
  expires_at: instant,
  created_at: instant,
  updated_at: instant,
});
export type Deposit = z.output<typeof deposit>;

/** Wallets as a statement names them: the member-facing words for the member's ledger accounts. */
export const statementWallets = ['primary', 'profit', 'in_trades', 'invested', 'on_hold'] as const;
export type StatementWallet = (typeof statementWallets)[number];

/** The ledger's reasons that can stand in a member's statement (docs/ledger-reasons.md). */
export const movementKinds = [
  'deposit',
  'deposit_allocated',
  'trade_place',
  'trade_cancel',
  'trade_fee',
  'trade_return',
  'trade_loss',
  'trade_gain',
  'trade_profit',
  'plan_invest',
  'plan_redeem',
  'referral_bonus',
  'level_bonus',
  'team_profit',
  'weekly_income',
  'monthly_income',
  'reward',
  'withdrawal_hold',
  'withdrawal_payout',
  'withdrawal_fee',
  'withdrawal_release',
  'correction',
  'reversal',
] as const;
export type MovementKind = (typeof movementKinds)[number];

export const movement = z.strictObject({
  /** Of this line: a transfer between two of the member's wallets is two lines. */
  id,
  /** The ledger's reason for the transfer (docs/ledger-reasons.md). */
  kind: z.string(),
  wallet: z.enum(statementWallets),
  amount: signedMoney,
  balance_after: money,
  reference: z.string(),
  note: z.string().nullable(),
  created_at: instant,
});
export type Movement = z.output<typeof movement>;

export const funds = {
  createDeposit: endpoint({
    method: 'POST',
    path: '/secure/create',
    access: 'member',
    summary: 'Start a deposit: an invoice at the payment gateway',
    body: z.strictObject({
      amount: moneyAmount,
      currency: z.literal('USDT', 'Only USDT is accepted.').optional(),
      /** The tick under the risk disclosure, asked for at the first deposit. */
      risk_accepted: z.boolean().optional(),
    }),
    data: deposit,
    refusals: [
      'deposit_out_of_limits',
      'risk_not_accepted',
      'account_frozen',
      'own_pause',
      'own_deposit_limit',
      'gateway_unavailable',
    ],
    idempotent: true,
  }),
  listDeposits: endpoint({
    method: 'GET',
    path: '/secure/hist',
    access: 'member',
    summary: 'Own deposits, newest first',
    query: z.strictObject({ ...paging, state: z.enum(depositStates).optional() }),
    data: page(deposit).extend({ risk_accepted: z.boolean() }),
    refusals: [],
  }),
  getDeposit: endpoint({
    method: 'GET',
    path: '/secure/:id',
    access: 'member',
    summary: 'One own deposit',
    params: z.strictObject({ id }),
    data: deposit,
    refusals: ['deposit_not_found'],
  }),
  receiveWebhook: endpoint({
    method: 'POST',
    path: '/webhooks/:gateway',
    access: 'public',
    summary: 'Signed events of a payment gateway',
    params: z.strictObject({ gateway: z.enum(['sandbox']) }),
    data: z.null(),
    refusals: ['bad_signature'],
    rawBody: true,
  }),
  listMovements: endpoint({
    method: 'GET',
    path: '/auth/transaction-hist',
    access: 'member',
    summary: 'Statement lines with the balance after each, newest first',
    query: z.strictObject({
      ...paging,
      kind: z.enum(movementKinds, 'Not a kind of movement.').optional(),
      from: instant.optional(),
      to: instant.optional(),
      wallet: z.enum(statementWallets).optional(),
    }),
    data: page(movement),
    refusals: [],
  }),
};
