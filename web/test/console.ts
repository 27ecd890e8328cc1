import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { type ComponentType, createElement } from 'react';
import { expect } from 'vitest';
import type { OperatorDeposit, OperatorWithdrawal } from '#contract/funds/review.ts';
import type { JobHealth } from '#contract/operator/jobs.ts';
import type { Loosening } from '#contract/operator/loosenings.ts';
import type { Overview } from '#contract/operator/overview.ts';
import type { Adjustment, Treasury } from '#contract/operator/proposals.ts';
import { type Operator, signInOperator } from '../src/api/operator-state.ts';
import { onRoute, showPage } from './render.tsx';
import type { Answers } from './server.ts';
import { ADDRESS, aDetail } from './withdrawals.ts';

export const samuel: Operator = {
  id: '3',
  name: 'Samuel Okafor',
  email: 'samuel@mail.test',
  role: 'finance',
  second_factor: true,
};

/** Types an authenticator code into the cells of a dialog. */
export const typeCode = (asked: HTMLElement, code = '123456'): void => {
  const cells = within(asked).getAllByRole('textbox', { name: /^Digit/ });
  for (const [index, cell] of cells.entries()) fireEvent.change(cell, { target: { value: code[index] } });
};

type Typed = { reason?: string; transaction?: string; otp?: string };

/** Fills the open dialog and confirms it. */
export async function confirmWith(button: string, { reason, transaction, otp }: Typed): Promise<HTMLElement> {
  const dialog = await screen.findByRole('dialog');
  const type = (label: string, value: string) =>
    fireEvent.change(within(dialog).getByLabelText(label), { target: { value } });
  if (reason !== undefined) type('Reason', reason);
  if (transaction !== undefined) type('Transaction hash', transaction);
  if (otp !== undefined) typeCode(dialog);
  fireEvent.click(within(dialog).getByRole('button', { name: button }));
  return dialog;
}

/** Opens the form behind a button of the page; a button in it sends it. */
export async function openForm(button: string, submit = button) {
  fireEvent.click(await screen.findByRole('button', { name: button }));
  const dialog = await screen.findByRole('dialog');
  const asked = within(dialog);
  const type = (label: string, value: string) => fireEvent.change(asked.getByLabelText(label), { target: { value } });
  const send = () => fireEvent.click(asked.getByRole('button', { name: submit }));
  return { dialog, asked, type, send };
}

/** Approves the open proposal with a code. @returns the dialog's message */
export async function approveShown(
  name: string,
  call: string,
  { bodiesOf }: { bodiesOf: (name: string) => unknown[] },
) {
  const shown = await screen.findByRole('complementary', { name });
  fireEvent.click(within(shown).getByRole('button', { name: 'Approve' }));
  const said = (await confirmWith('Approve', { otp: '123456' })).textContent;
  await waitFor(() => expect(bodiesOf(call)).toEqual([{ version: 1, otp: '123456' }]));
  return said;
}

export const signInAs = (given: Partial<Operator> = {}): void =>
  signInOperator('operator-secret', { ...samuel, ...given });

const session = {
  state: 'open' as const,
  opens_at: '2026-03-04T12:30:00.000Z',
  closes_at: '2026-03-04T17:30:00.000Z',
  market_time: '2026-03-04T14:05:09.000Z',
  halt: null,
  waits_for: null,
  waiting_assets: null,
  feed: {
    kind: 'simulated' as const,
    label: 'Simulated market',
    at: '2026-03-04T14:05:09.000Z',
    speed: 60,
    stale: false,
    ended: true,
  },
};

export const paperVenue = {
  kind: 'paper',
  state: 'up',
  since: null,
  reason: null,
  funds: null,
  halted: [],
  residuals: [],
  refused: [],
} satisfies Overview['venue'];

/** Solvent, with everything active: nine withdrawals waiting, two deposits in review. */
export const anOverview = (given: Partial<Overview> = {}): Overview => ({
  simulated: true,
  at: '2026-03-04T14:05:09.000Z',
  market_time: '2026-03-04T14:05:09.000Z',
  assets: { booked: 2_051_000, gateway: 1_702_884.12, venue: 348_115.88, counted: 2_051_000 },
  liabilities: 2_000_000,
  surplus: 51_000,
  coverage: 1.0255,
  today: {
    day: '2026-03-04',
    deposits: 1_200,
    withdrawals: 300,
    trade_fees: 41.5,
    performance_fees: 12,
    withdrawal_fees: 3,
    incomes: 20.75,
  },
  queues: {
    withdrawals: [
      { state: 'requested', count: 9, amount: 21_190.5, oldest_at: '2026-03-04T11:51:00.000Z' },
      { state: 'approved', count: 4, amount: 900, oldest_at: '2026-03-04T10:00:00.000Z' },
      { state: 'sent', count: 3, amount: 600, oldest_at: '2026-03-04T09:00:00.000Z' },
      { state: 'uncertain', count: 0, amount: 0, oldest_at: null },
    ],
    two_person: { count: 2, first_approved: 1 },
    deposits_in_review: { count: 2, amount: 150, oldest_at: '2026-03-04T13:00:00.000Z' },
    tickets: { count: 14, oldest_at: '2026-03-03T09:00:00.000Z', unassigned: 5 },
    rewards: { count: 0, amount: 0, oldest_at: null },
    emails: { count: 0, oldest_at: null, failed: 0, capped: 0 },
    proposals: {
      adjustments: 0,
      fee_plans: 0,
      treasury_moves: 0,
      loosenings: 0,
      email_changes: 0,
      announcements: 0,
      reserves: 0,
      venue_fills: 0,
      asset_limits: 0,
      statement_lines: 0,
    },
    statement: { count: 0, oldest_at: null },
    gateway_statement: { count: 0, oldest_at: null },
  },
  feed: session.feed,
  session,
  venue: paperVenue,
  payouts: { stopped: false, at: null, why: null, needs: null },
  jobs: [],
  integrity: { last: null, running: null, alarms: [] },
  backup: { at: '2026-03-04T02:31:00.000Z', overdue: false },
  ...given,
});

/** The calls that the frame of every console page makes. */
export const aroundThePage = (overview = anOverview()) => ({
  'GET /trading/session': { body: { status: 'success', data: session } },
  'GET /operator/overview': { body: { status: 'success', data: overview } },
  'GET /operator/integrity': { body: { status: 'success', data: { last: null, running: null, alarms: [] } } },
  'GET /solvency/snapshot': { body: { status: 'success', data: null } },
  'GET /operator/payout-switch': {
    body: { status: 'success', data: { stopped: false, at: null, operator: null, why: null, needs: null } },
  },
});

/** A page of the console at an address such as `/operator/deposits/5`; the server also answers the given calls. */
export function showConsolePage(Page: ComponentType, at: string, answers: Answers) {
  const path = `${/^\/operator\/[^/?]+/.exec(at)?.[0]}/*`;
  const shown = showPage(at, onRoute(path, createElement(Page)), { ...aroundThePage(), ...answers });
  const bodiesOf = (name: string) => shown.sentTo(name).map(({ body }) => body);
  /** Waits until exactly these were sent. */
  const sends = (name: string, ...bodies: unknown[]) => waitFor(() => expect(bodiesOf(name)).toEqual(bodies));
  return { ...shown, bodiesOf, sends };
}

const lena = { id: '41', referral_code: 'TWB8Q7YD4E', name: 'Lena Hoffmann' };

/** The common fields of a pending proposal by Ines. */
export const proposed = {
  id: '6',
  version: 1,
  state: 'proposed',
  proposed_by: { id: '2', name: 'Ines Duarte' },
  proposed_at: '2026-03-04T12:00:00.000Z',
  due_at: null,
  proposer_counts: true,
  decided_by: null,
  decided_at: null,
  ended_by: null,
  ended_at: null,
  note: null,
} as const;

/** A debit of $12.50 from Lena. */
export const anAdjustment = (given: Partial<Adjustment> = {}): Adjustment => ({
  ...proposed,
  reference: 'AD-7M2QX4',
  member: lena,
  wallet_type: 'primary',
  amount: -12.5,
  reason: 'Credited twice.',
  evidence: 'Q-4F71K2',
  transfer_id: null,
  reverses: null,
  reversed_by: null,
  ...given,
});

/** Unfreezing Lena. */
export const aLoosening = (given: Partial<Loosening> = {}): Loosening => ({
  ...proposed,
  reference: 'LO-7M2QX4',
  member: lena,
  what: 'unfreeze',
  reason: 'Called back on the known number.',
  ...given,
});

/** 6 200 requested by Lena, to be approved by two operators. */
export const anOperatorWithdrawal = (given: Partial<OperatorWithdrawal> = {}): OperatorWithdrawal => ({
  ...aDetail({ reference: 'WD-93KX7A', amount: 6_200, fee: 62, net: 6_138, address: ADDRESS }),
  version: 4,
  member: { ...lena, verified: true, frozen: false, withdrawals_frozen: false },
  day_sum: 6_200,
  approvals_needed: 2,
  approvals: [],
  approvals_missing: (given.state ?? 'requested') === 'requested' ? 2 - (given.approvals?.length ?? 0) : 0,
  payout: null,
  gateway_can_pay: true,
  network_fee_estimated: false,
  new_device: false,
  first_payout: false,
  ...given,
});

/** 500 received after the invoice expired. */
export const anOperatorDeposit = (given: Partial<OperatorDeposit> = {}): OperatorDeposit => ({
  id: '5',
  reference: 'DP-7M2QX4',
  amount: 500,
  paid: 500,
  credited: null,
  currency: 'USDT',
  pay_with: null,
  state: 'review',
  pay_url: null,
  pay_ways: [],
  note: null,
  transaction: 'f4184fc596403b9d638783cf57adfe4c75c605f6356fbc91338530e9831e9e16',
  expires_at: '2026-03-04T13:00:00.000Z',
  created_at: '2026-03-04T12:30:00.000Z',
  updated_at: '2026-03-04T13:20:00.000Z',
  version: 2,
  member: { ...lena, frozen: false, closed: false },
  gateway: 'sandbox',
  invoice_id: 'inv-17',
  held: 500,
  refunded: 0,
  ...given,
});

/** Reported by the gateway and not yet by the exchange; rewards are 300 short of the claims. */
export const theTreasury: Treasury = {
  simulated: true,
  at: '2026-03-04T14:05:09.000Z',
  gateway: { booked: 1_702_884.12, reported: 1_702_000, reported_at: '2026-03-04T14:00:00.000Z' },
  venue: { booked: 348_115.88, reported: null, reported_at: null },
  unallocated: 150,
  fee_revenue: 40_000,
  withdrawal_fees: 900,
  gateway_deviation: null,
  gateway_coins: [],
  venue_result: -12.5,
  gateway_result: 0,
  adjustments: 0,
  surplus: 51_000,
  pools: [
    { account: 'pool_weekly', balance: 1_000, owed: null },
    { account: 'pool_rewards', balance: 200, owed: 500 },
  ],
  exposure: [{ symbol: 'btc', quantity: '0.1628', value: 11_000 }],
};

/** A queue job that last succeeded at noon. */
export const aJob = (given: Partial<JobHealth> = {}): JobHealth => ({
  name: 'ledger.seal',
  kind: 'queue',
  cron: '* * * * *',
  state: 'waiting',
  last_success_at: '2026-03-04T12:00:00.000Z',
  last_fault_at: null,
  last_fault: null,
  failures: 0,
  took_ms: 1_204,
  asked_for: false,
  overdue: false,
  ...given,
});
