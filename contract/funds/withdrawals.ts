import { z } from 'zod';
import { endpoint, id, instant, line, page, paging } from '../endpoint.ts';
import { emailAddress, memberFactorRefusals, money, moneyAmount, one, otpCode, secondFactor } from '../fields.ts';
import { MAX_DOLLARS } from '../money.ts';
import { walletTypes } from '../rules.ts';
import { english } from '../texts.ts';

const { t } = english;

/** Payout networks (docs/product.md, section 5). `BTC` pays Bitcoin itself, the others pay USDT. */
export const payoutNetworks = ['TRC20', 'BEP20', 'ERC20', 'BTC'] as const;
export type PayoutNetwork = (typeof payoutNetworks)[number];

export const payoutAddress = z.strictObject({
  network: z.enum(payoutNetworks),
  address: z.string(),
  /** 24 hours after it was saved, or after the last change of password, email address or second factor. */
  usable_from: instant,
});
export type PayoutAddress = z.output<typeof payoutAddress>;

/**
 * `requested` → `approved` → `sent` → `completed`; `requested` → `cancelled` | `rejected`; `approved` → `rejected` |
 * `uncertain` | `failed`; `uncertain` → `sent` | `completed` | `failed`; `sent` → `failed` | `uncertain`. The hold stays
 * until one of `completed`, `cancelled`, `rejected`, `failed`.
 */
export const withdrawalStates = [
  'requested',
  'approved',
  'sent',
  'uncertain',
  'completed',
  'cancelled',
  'rejected',
  'failed',
] as const;
export type WithdrawalState = (typeof withdrawalStates)[number];

export const withdrawal = z.strictObject({
  id,
  /** The reference that people quote: `WD-7M2QX4`. */
  reference: z.string(),
  /** Debited from the wallet: `net` is paid out and `fee` is retained, both fixed at the request. */
  amount: money,
  fee: money,
  net: money,
  wallet_type: z.enum(walletTypes),
  network: z.enum(payoutNetworks),
  address: z.string(),
  state: z.enum(withdrawalStates),
  /** Transaction hash of the payout; null until it is sent, and for members while it may be of another payment. */
  transaction: z.string().nullable(),
  /** Why it was rejected or failed. */
  note: z.string().nullable(),
  created_at: instant,
  updated_at: instant,
});
export type Withdrawal = z.output<typeof withdrawal>;

/** With its status history, oldest first. */
export const withdrawalDetail = withdrawal.extend({
  steps: z.array(z.strictObject({ state: z.enum(withdrawalStates), note: z.string().nullable(), at: instant })),
});
export type WithdrawalDetail = z.output<typeof withdrawalDetail>;

/** Why no withdrawal can be requested now, in the order in which the request checks them. */
export const withdrawalBars = [
  'account_frozen',
  'withdrawals_frozen',
  'not_verified',
  'address_missing',
  'withdrawal_waiting',
] as const;
export type WithdrawalBar = (typeof withdrawalBars)[number];

export const withdrawalTerms = z.strictObject({
  minimum: money,
  day_limit: money,
  /** Remaining today, in UTC. */
  day_left: money,
  /** Fee in basis points of the amount, and its minimum. */
  fee_bps: z.number().int(),
  fee_minimum: money,
  address: payoutAddress.nullable(),
  /** The first restriction, and until when it applies; null without one. */
  bar: z.strictObject({ code: z.enum(withdrawalBars), until: instant.nullable() }).nullable(),
  /** Payouts are stopped for everybody: requests are accepted and wait. */
  payouts_stopped: z.boolean(),
  /** The gateway only simulates payouts: no money leaves. */
  simulated: z.boolean(),
  /** Whether the network fee for the address can be estimated: `GET safe/network-fee`. */
  network_fee_estimated: z.boolean(),
});
export type WithdrawalTerms = z.output<typeof withdrawalTerms>;

/** Amounts in a query are text: plain digits, at most 6 decimals. */
const moneyText = z
  .string(t`Enter an amount in numbers.`)
  .regex(/^\d{1,10}(\.\d{1,6})?$/, t`Enter an amount in numbers.`)
  .transform(Number)
  .pipe(z.number().max(MAX_DOLLARS, t`The amount is too large.`));

const network = z.enum(payoutNetworks, t`Choose a network.`);

/** The current network fee for a payout; the house pays it. */
export const networkFee = {
  query: z.strictObject({ network }),
  data: z.strictObject({
    /** Null where no estimate is available. */
    estimate: money.nullable(),
  }),
  refusals: ['gateway_unavailable'],
} as const;

const address = line(120, t`Enter the address.`);
const walletType = z.enum(walletTypes, t`Choose a wallet.`);

export const withdrawals = {
  sendOtp: endpoint({
    method: 'GET',
    path: '/auth/send-otp',
    access: 'member',
    confirmsIdentity: true,
    summary:
      'Email a one-time code for one operation, valid for 10 minutes; for an email change one goes to the new address and one to the old',
    query: z.discriminatedUnion('purpose', [
      z.strictObject({ purpose: z.literal('withdrawal'), amount: moneyText, wallet_type: walletType }),
      z.strictObject({ purpose: z.literal('address'), network, address }),
      z.strictObject({ purpose: z.literal('email'), email: emailAddress }),
      /** The first authenticator app or passkey. */
      z.strictObject({ purpose: z.literal('second_factor') }),
    ]),
    data: z.strictObject({
      /** Masked: `a•••@example.com`. */
      sent_to: z.string(),
      expires_at: instant,
      resend_at: instant,
      /** Emails are queued because the mail server does not accept them: this one will be late. */
      delayed: z.boolean(),
    }),
    refusals: [
      'withdrawal_out_of_limits',
      'withdrawal_day_limit',
      'insufficient_funds',
      ...withdrawalBars,
      'invalid_address',
      'second_factor_on',
    ],
  }),
  updateAddress: endpoint({
    method: 'PUT',
    path: '/auth/update-address',
    access: 'member',
    confirmsIdentity: true,
    summary: 'Save a payout address; usable after 24 hours',
    body: z.strictObject({ network, address, otp: otpCode, second_factor: secondFactor.optional() }),
    data: payoutAddress,
    refusals: ['invalid_address', 'wrong_otp', 'account_frozen', 'withdrawals_frozen', ...memberFactorRefusals],
  }),
  reportAddressChange: endpoint({
    method: 'POST',
    path: '/auth/not-me',
    access: 'public',
    summary: 'Report a change or sign-in as unauthorised with the emailed token; stops the account’s withdrawals',
    body: z.strictObject({ token: line(200) }),
    refusals: ['wrong_alarm'],
  }),
  getWithdrawalTerms: endpoint({
    method: 'GET',
    path: '/safe/withdrawal-terms',
    access: 'member',
    summary: 'Get withdrawal limits, fee, payout address and current restriction',
    data: withdrawalTerms,
  }),
  getNetworkFee: endpoint({
    method: 'GET',
    path: '/safe/network-fee',
    access: 'member',
    summary: 'Estimate the network fee of a payout; it is not deducted from the withdrawal',
    ...networkFee,
  }),
  requestWithdrawal: endpoint({
    method: 'POST',
    path: '/safe/withdrawal',
    access: 'member',
    confirmsIdentity: true,
    summary: 'Request a withdrawal; the amount is held until it is paid or returned',
    body: z.strictObject({
      amount: moneyAmount,
      /** The fee that was agreed to: another one is refused. Without it, the current fee is taken. */
      fee: moneyAmount.optional(),
      wallet_type: walletType,
      otp: otpCode,
      second_factor: secondFactor.optional(),
    }),
    data: withdrawal,
    refusals: [
      ...withdrawalBars,
      'withdrawal_out_of_limits',
      'withdrawal_day_limit',
      'insufficient_funds',
      'withdrawal_fee_changed',
      'wrong_otp',
      ...memberFactorRefusals,
    ],
    idempotent: true,
  }),
  listWithdrawals: endpoint({
    method: 'GET',
    path: '/safe/withdrwal-hist',
    access: 'member',
    summary: 'List your withdrawals, newest first',
    query: z.strictObject({
      ...paging,
      state: z.enum(withdrawalStates).optional(),
      /** The whole list as a file; limit and cursor are ignored. */
      format: z.literal('csv').optional(),
    }),
    data: page(withdrawal),
    file: 'text/csv',
  }),
  getWithdrawal: endpoint({
    method: 'GET',
    path: '/safe/withdrawal/:id',
    access: 'member',
    summary: 'Get a withdrawal with its status events',
    params: one,
    data: withdrawalDetail,
    refusals: ['withdrawal_not_found'],
  }),
  cancelWithdrawal: endpoint({
    method: 'POST',
    path: '/safe/withdrawal/:id/cancel',
    access: 'member',
    summary: 'Cancel a withdrawal that is not approved yet; the amount returns to its wallet',
    params: one,
    data: withdrawal,
    refusals: ['withdrawal_not_found', 'withdrawal_not_requested'],
    idempotent: true,
  }),
};
