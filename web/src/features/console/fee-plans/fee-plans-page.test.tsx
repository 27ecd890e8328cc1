import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, test } from 'vitest';
import { type FeePlanTerms, firstFeePlan } from '#contract/fee-plan.ts';
import type { FeePlanProposal } from '#contract/operator/fee-plans.ts';
import { anOverview, aroundThePage, proposed, showConsolePage, signInAs } from '../../../../test/console.ts';
import { aFeePlan } from '../../../../test/fees.ts';
import { type Answers, settled, success } from '../../../../test/server.ts';
import { FeePlansPage } from './fee-plans-page.tsx';

const PROPOSE = 'POST /operator/fee-plans';
const DRY_RUN = 'POST /operator/fee-plans/dry-run';
const cheaper: FeePlanTerms = { ...firstFeePlan, trade_fee_bps: 30 };

const first = aFeePlan();
const aProposal = (given: Partial<FeePlanProposal> = {}): FeePlanProposal => ({
  ...proposed,
  reference: 'FP-7M2QX4',
  terms: cheaper,
  base_id: '1',
  plan_id: null,
  reason: 'Cheaper trades.',
  ...given,
});

function open(at = '/operator/fee-plans', answers: Answers = {}, plans = [first]) {
  return showConsolePage(FeePlansPage, at, {
    'GET /operator/fee-plans': success({ items: plans }),
    'GET /operator/fee-plans/proposals': success({ items: [aProposal()], next_cursor: null }),
    ...answers,
  });
}
// By label: computing the roles of about forty fields takes seconds.
const field = (name: string) => screen.findByLabelText(name);
const type = async (name: string, value: string) => fireEvent.change(await field(name), { target: { value } });
const aside = () => screen.findByLabelText('Proposal');
const buttonOf = async (name: string) =>
  within(await aside())
    .getByText(name)
    .closest('button') as HTMLButtonElement;
const press = async (name: string) => fireEvent.click(await buttonOf(name));
const cellsOf = (row: HTMLElement | null | undefined) =>
  [...(row?.querySelectorAll('th, td') ?? [])].map(({ textContent }) => textContent);
const rowOf = (table: string, name: string) => within(screen.getByLabelText(table)).getByText(name).closest('tr');

beforeEach(() => {
  sessionStorage.clear();
  signInAs({ role: 'admin' });
});

describe('the editor', () => {
  test('totals what is distributed as somebody types, and sends percentages as basis points', async () => {
    const { bodiesOf } = open(undefined, { [PROPOSE]: success(aProposal()) });
    await type('Trade fee, of the amount, percent', '0.3');
    await type('Trade fee to weekly pool, percent', '12.5');
    expect(cellsOf(rowOf('Trade fee allocation', 'Distributed'))).toEqual(['Distributed', '75%', '77.50%']);
    expect(cellsOf(rowOf('Trade fee allocation', 'Retained')).slice(1)).toEqual(['25%', '22.50%']);
    expect(
      within(await aside())
        .getAllByRole('listitem')
        .map(({ textContent }) => textContent),
    ).toEqual(['Trade fee0.40% → 0.30%', 'Trade fee to the weekly pool10% → 12.50%']);
    fireEvent.change(within(await aside()).getByLabelText('Reason'), { target: { value: 'Cheaper trades.' } });
    await press('Propose fee plan');
    const terms = { ...firstFeePlan, trade_fee_bps: 30, weekly_bps: 1250 };
    await waitFor(() => expect(bodiesOf(PROPOSE)).toEqual([{ base_id: '1', terms, reason: 'Cheaper trades.' }]));
    expect(await screen.findByText('FP-7M2QX4 needs approval by a second admin.')).toBeDefined();
    const address = screen.getByLabelText('Address', { selector: 'output' });
    await waitFor(() => expect(address.textContent).toBe('/operator/fee-plans/6'));
  });

  test('refuses to distribute more than a whole fee, at its fields, before anything is sent', async () => {
    const { bodiesOf } = open();
    await type('Trade fee to level 1, percent', '45.01');
    expect(screen.getByText('0.01% over 100% of the fee.')).toBeDefined();
    expect((await field('Trade fee to level 1, percent')).getAttribute('aria-invalid')).toBe('true');
    await press('Propose fee plan');
    expect(document.activeElement).toBe(await field('Trade fee to level 1, percent'));
    expect(screen.getByText('Enter a reason.')).toBeDefined();
    await press('Dry run');
    await settled();
    expect([...bodiesOf(PROPOSE), ...bodiesOf(DRY_RUN)]).toEqual([]);
    await type('Trade fee to level 1, percent', '45');
    expect(screen.queryByText(/over 100% of the fee/)).toBeNull();
  });

  test('shows an error at its field', async () => {
    open();
    await type('Trade fee, of the amount, percent', '10.5');
    await type('Silver: team volume, dollars', '5000');
    await press('Propose fee plan');
    expect(screen.getByText('At most 10%.')).toBeDefined();
    expect(screen.getByText('Must exceed the rank before.')).toBeDefined();
  });

  test('cannot propose a plan without changes', async () => {
    open();
    expect(within(await aside()).getByText('No changes.')).toBeDefined();
    expect((await buttonOf('Propose fee plan')).disabled).toBe(true);
    await type('Trade fee, of the amount, percent', '0.3');
    expect((await buttonOf('Propose fee plan')).disabled).toBe(false);
    await press('Reset');
    expect(await field('Trade fee, of the amount, percent')).toHaveProperty('value', '0.4');
  });

  test('keeps what was typed while another tab is looked at and when the page is reloaded, until it is reset', async () => {
    open();
    const fee = async () => ((await field('Trade fee, of the amount, percent')) as HTMLInputElement).value;
    await type('Trade fee, of the amount, percent', '0.3');
    fireEvent.click(screen.getByText('History'));
    fireEvent.click(await screen.findByText('Terms'));
    expect(await fee()).toBe('0.3');
    cleanup();
    open();
    expect(await fee()).toBe('0.3');
    await press('Reset');
    cleanup();
    open();
    expect(await fee()).toBe('0.4');
  });

  test('shows the last session under both sets of terms, and says when the draft has changed since', async () => {
    const sums = {
      trade_fees: 400,
      performance_fees: 0,
      execution_cost: 2.5,
      referral_bonus: 80,
      level_bonus: 60,
      team_profit: 0,
      pool_weekly: 40,
      paid_weekly: 12.5,
      pool_monthly: 40,
      paid_monthly: 9,
      pool_rewards: 20,
      revenue: 160,
      beneficiaries: 31,
    };
    const { bodiesOf } = open(undefined, {
      [DRY_RUN]: success({
        session: '2026-03-03',
        actual: sums,
        proposed: { ...sums, trade_fees: 300, revenue: 119.9, beneficiaries: 30 },
        outputs_hash: 'ab',
      }),
    });
    await type('Trade fee, of the amount, percent', '0.3');
    await press('Dry run');
    await screen.findByLabelText('Session of 3 Mar 2026');
    expect(bodiesOf(DRY_RUN)).toEqual([{ terms: cheaper }]);
    const outcome = (name: string) => cellsOf(rowOf('Session of 3 Mar 2026', name)).slice(1);
    expect(outcome('Trade fees')).toEqual(['$400.00', '$300.00', '−$100.00']);
    expect(outcome('Execution cost')).toEqual(['$2.50', '$2.50', '$0']);
    expect(outcome('Retained')).toEqual(['$160.00', '$119.90', '−$40.10']);
    expect(outcome('Weekly pool')).toEqual(['$40.00', '$40.00', '$0']);
    expect(outcome('Members paid')).toEqual(['31', '30', '−1']);
    await type('Trade fee, of the amount, percent', '0.2');
    expect(screen.getByText('The terms changed since this run. Run it again.')).toBeDefined();
  });

  test('starts from the next plan if one is scheduled, and shows both', async () => {
    open(undefined, {}, [aFeePlan({ trade_fee_bps: 30 }, 'next'), first]);
    expect(await field('Trade fee, of the amount, percent')).toHaveProperty('value', '0.3');
    expect(cellsOf(rowOf('Fees', 'Trade fee, of the amount')).slice(1, 3)).toEqual(['0.40%', '0.30%']);
  });

  test('is read-only for finance and support', async () => {
    signInAs({ role: 'finance' });
    open();
    expect(await screen.findByLabelText('Fees')).toBeDefined();
    expect(screen.queryByRole('textbox')).toBeNull();
  });
});

describe('a proposal', () => {
  const panel = () => screen.findByRole('complementary', { name: 'Proposed fee plan FP-7M2QX4' });

  test('that is based on an older plan can only be rejected, and says why', async () => {
    open('/operator/fee-plans/6', {
      'GET /operator/fee-plans/proposals': success({ items: [aProposal({ base_id: '9' })], next_cursor: null }),
    });
    const shown = within(await panel());
    expect(shown.getByText('Only a proposal based on the newest fee plan can be approved.')).toBeDefined();
    expect(shown.queryByRole('button', { name: 'Approve' })).toBeNull();
    expect(shown.getByRole('button', { name: 'Reject' })).toBeDefined();
  });

  test.each([
    ['finance', 1],
    ['support', 0],
  ] as const)('can be tried on the last session by those who decide or propose: %s', async (role, buttons) => {
    signInAs({ role });
    open('/operator/fee-plans/6');
    const shown = within(await panel());
    expect(shown.getByText('Cheaper trades.')).toBeDefined();
    expect(shown.queryAllByRole('button', { name: 'Dry run' })).toHaveLength(buttons);
  });
});

test('from a proposal that a link opened, every tab can be reached', async () => {
  open(`/operator/fee-plans/${aProposal().id}`);
  await screen.findByRole('complementary', { name: /FP-7M2QX4/ });
  fireEvent.click(screen.getByRole('tab', { name: 'Terms' }));
  expect(await field('Trade fee, of the amount, percent')).toBeDefined();
  expect(screen.queryByRole('complementary', { name: /FP-7M2QX4/ })).toBeNull();
});

test('proposals are counted at their tab, and past plans show what they changed', async () => {
  const { queues } = anOverview();
  const second = { ...aFeePlan({ trade_fee_bps: 30 }), id: '2' };
  open(
    '/operator/fee-plans/2?view=plans',
    aroundThePage(anOverview({ queues: { ...queues, proposals: { ...queues.proposals, fee_plans: 3 } } })),
    [second, { ...first, state: 'past' }],
  );
  const shown = within(await screen.findByRole('complementary', { name: 'Fee plan No. 2' }));
  expect(shown.getByRole('listitem').textContent).toBe('Trade fee0.40% → 0.30%');
  const tab = await screen.findByRole('tab', { name: /To approve/ });
  await waitFor(() => expect(tab.textContent).toBe('To approve3'));
});
