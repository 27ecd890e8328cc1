import { z } from 'zod';
import { endpoint, id, instant, page, paging } from '../endpoint.ts';
import { money, moneyAmount, one, signedMoney } from '../fields.ts';
import { movementKinds, statementWallets } from '../ledger-reasons.ts';
import { english } from '../texts.ts';
import { payoutAddress, payoutNetworks } from './withdrawals.ts';

const { t } = english;

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

/** A payment method that does not need the gateway's page: an address for a wallet to scan. */
export const payWay = z.strictObject({
  /** `Bitcoin`, `Lightning`, as the gateway names it. */
  label: z.string(),
  destination: z.string(),
  /** The content of the QR code, address and amount in one: `bitcoin:bc1…?amount=…`. */
  payment_link: z.string(),
  /** Still to pay, as a decimal in the currency of this payment method. */
  due: z.string(),
  currency: z.string(),
  /** Must be sent with the payment, on networks that have memos. */
  memo: z.string().optional(),
});
export type PayWay = z.output<typeof payWay>;

export const deposit = z.strictObject({
  id,
  /** The reference that people quote: `DP-7M2QX4`. */
  reference: z.string(),
  amount: money,
  /** What the gateway has seen of it, confirmed or not; null before a payment. */
  paid: money.nullable(),
  /** The amount that arrived and was credited; null until then. */
  credited: money.nullable(),
  /** Received, but neither credited nor refunded: an operator reviews it. */
  held: money,
  refunded: money,
  currency: z.string(),
  /** The network the member chose; null where the gateway offers no choice. */
  pay_with: z.enum(payoutNetworks).nullable(),
  state: z.enum(depositStates),
  pay_url: z.string().nullable(),
  /** Set only while the deposit can be paid; empty when the gateway's page is the only method. */
  pay_ways: z.array(payWay),
  /** The operator's reason for the decision. */
  note: z.string().nullable(),
  transaction: z.string().nullable(),
  expires_at: instant,
  created_at: instant,
  updated_at: instant,
});
export type Deposit = z.output<typeof deposit>;

export const movement = z.strictObject({
  /** Identifies the line, not the transfer: one between two of the member's wallets has two lines. */
  id,
  /** The ledger's reason for the transfer (docs/ledger.md). */
  kind: z.string(),
  wallet: z.enum(statementWallets),
  amount: signedMoney,
  balance_after: money,
  reference: z.string(),
  note: z.string().nullable(),
  created_at: instant,
});
export type Movement = z.output<typeof movement>;

/**
 * Totals of a period, from `from` inclusive to `to` exclusive. For each wallet opening + received − spent = closing, to
 * the micro; a transfer between two of the member's wallets is spent in one and received in the other. Filters narrow
 * the sums but not the opening and closing balances.
 */
export const statement = z.strictObject({
  from: instant.nullable(),
  to: instant,
  wallets: z.array(
    z.strictObject({
      wallet: z.enum(statementWallets),
      opening: money,
      received: money,
      spent: money,
      closing: money,
    }),
  ),
  kinds: z.array(z.strictObject({ kind: z.string(), movements: z.number().int(), received: money, spent: money })),
  /** Number of matching lines. */
  movements: z.number().int(),
  received: money,
  spent: money,
});
export type Statement = z.output<typeof statement>;

const movementFilter = {
  kind: z.enum(movementKinds, t`Not a kind of movement.`).optional(),
  from: instant.optional(),
  to: instant.optional(),
  wallet: z.enum(statementWallets).optional(),
};

const wallet = z.strictObject({ balance: money, held: money, in_trade: money });
const onTheWay = z.strictObject({ count: z.number().int(), amount: money });

export const funds = {
  createDeposit: endpoint({
    method: 'POST',
    path: '/secure/create',
    access: 'member',
    confirmsIdentity: true,
    summary: 'Create a deposit with an invoice at the payment gateway',
    body: z.strictObject({
      amount: moneyAmount,
      currency: z.literal('USDT', t`Only USDT is accepted.`).optional(),
      /** One of the list's `pay_with`; required when there are several. */
      pay_with: z.enum(payoutNetworks, t`Choose what to pay with.`).optional(),
      /** The checkbox under the risk disclosure, required with the first deposit. */
      risk_accepted: z.boolean().optional(),
    }),
    data: deposit,
    refusals: [
      'deposit_out_of_limits',
      'pay_with_unavailable',
      'risk_not_accepted',
      'too_many_open_deposits',
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
    summary: 'List your deposits, newest first',
    query: z.strictObject({
      ...paging,
      state: z.enum(depositStates).optional(),
      /** The whole list as a file; limit and cursor are ignored. */
      format: z.literal('csv').optional(),
    }),
    data: page(deposit).extend({
      risk_accepted: z.boolean(),
      /** Payment options for a deposit: Bitcoin, or USDT on a network. Empty where the gateway offers no choice. */
      pay_with: z.array(z.enum(payoutNetworks)),
      /** The member's self-imposed limit for deposits in 7 days, and how much of it is used; null without one. */
      own_week: z.strictObject({ limit: money, used: money }).nullable(),
    }),
    file: 'text/csv',
  }),
  getDeposit: endpoint({
    method: 'GET',
    path: '/secure/:id',
    access: 'member',
    summary: 'Get a deposit',
    params: one,
    data: deposit,
    refusals: ['deposit_not_found'],
  }),
  receiveWebhook: endpoint({
    method: 'POST',
    path: '/webhooks/:gateway',
    access: 'public',
    summary: 'Receive signed payment gateway events',
    params: z.strictObject({ gateway: z.enum(['sandbox', 'btcpay', 'nowpayments']) }),
    refusals: ['not_found', 'bad_signature', 'gateway_unavailable'],
    rawBody: true,
  }),
  getWallet: endpoint({
    method: 'GET',
    path: '/auth/wallet',
    access: 'member',
    summary: 'Get wallet balances, holds, pending deposits and withdrawals, payout address and latest transactions',
    data: z.strictObject({
      primary: wallet,
      profit: wallet,
      /** Deposits that can still be credited: their requested amounts, or the held amount of those in review. */
      arriving: onTheWay,
      /** Withdrawals that are neither paid nor refunded: their amounts, which are on hold. */
      leaving: onTheWay,
      /** The payout address; null until one is saved. */
      address: payoutAddress.nullable(),
      last_movements: z.array(
        z.strictObject({ id, kind: z.string(), wallet: z.string(), amount: signedMoney, created_at: instant }),
      ),
    }),
  }),
  listMovements: endpoint({
    method: 'GET',
    path: '/auth/transaction-hist',
    access: 'member',
    summary: 'List statement lines with running balances, newest first; a page ends with a whole operation',
    query: z.strictObject({
      ...paging,
      ...movementFilter,
      /** All matching movements as a file; limit and cursor are ignored. */
      format: z.literal('csv').optional(),
    }),
    data: page(movement),
    refusals: ['period_turned'],
    file: 'text/csv',
  }),
  getStatement: endpoint({
    method: 'GET',
    path: '/auth/statement',
    access: 'member',
    summary: 'Get statement totals of a period: opening and closing balances by wallet, sums by kind',
    query: z.strictObject(movementFilter),
    data: statement,
    refusals: ['period_turned'],
  }),
};
