import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { Plan } from '#contract/trading/plan.ts';
import { inLanguage } from '../../../test/in-language.ts';
import { aPlan, aSession } from '../../../test/plans.ts';
import { beside, partsOf, rowsOf } from '../../../test/reading.ts';
import { onRoute, renderAt } from '../../../test/render.tsx';
import { type Answers, refused, settled, stubServer, success } from '../../../test/server.ts';
import { arrived } from '../../ui/table/data-table-states.tsx';
import { PlanPage } from './plan-page.tsx';

const events = [
  { kind: 'created', reason: null, at: '2026-03-01T10:00:00Z' },
  { kind: 'paused', reason: 'asset_off', at: '2026-03-02T12:30:00Z' },
  { kind: 'resumed', reason: null, at: '2026-03-02T19:00:00Z' },
];
const decisions = [
  { at: '2026-03-03T17:15:00Z', action: 'wait', reason: 'too_late', words: 'No entry: only 15 minutes are left.' },
  { at: '2026-03-03T12:30:00Z', action: 'enter', reason: 'above_average', words: 'Bought: price 61,600.00 is above.' },
];

function open(given: Plan = aPlan(), state: Parameters<typeof aSession>[0] = 'closed', other: Answers = {}) {
  const shown = { plan: given };
  const change = (next: Partial<Plan>) => () => {
    shown.plan = { ...shown.plan, ...next };
    return success(shown.plan);
  };
  const answers: Answers = {
    'GET /trading/session': aSession(state),
    'GET /trading/portfolio': success({ totals: { negative_members: 0.6134 } }),
    'GET /trading/plans/3': () => success({ plan: shown.plan, events, decisions }),
    'POST /trading/plans/3/pause': change({ state: 'paused', state_reason: 'member' }),
    'POST /trading/plans/3/resume': change({ state: 'active', state_reason: null }),
    'POST /trading/plans/3/redeem': change({ state: 'redeemed', redeemed: 254.5, redeemed_at: '2026-03-04T09:00:00Z' }),
    'PUT /trading/plans/3/stops': change({ stops: { stop_loss: null, take_profit: 4, trailing_stop: null } }),
    ...other,
  };
  const calls = stubServer(answers);
  renderAt('/fund/investments/3', onRoute('/fund/investments/:id', <PlanPage />));
  return { answers, sent: (name: string) => calls.filter((request) => request.name === name) };
}

const press = async (name: string) => fireEvent.click(await screen.findByRole('button', { name }));
const inDialog = async (name: string) => within(await screen.findByRole('dialog', { name }));
const ask = async (button: string, dialog: string) => {
  await press(button);
  return inDialog(dialog);
};

test('figures, settings and history are shown on the page', async () => {
  open();
  expect(await screen.findByText('Current value')).toBeTruthy();
  const setting = (label: string) => beside(label, { selector: 'dt' });
  expect(screen.getByText('Current value').parentElement?.textContent).toContain('$254.5000');
  expect(screen.getByText('Realised P&L').parentElement?.textContent).toContain('+$4.5000');
  expect(setting('Compounding')).toBe('Yes, gains are reinvested');
  expect(setting('Moving average, candles')).toBe('20');
  expect(setting('Stop-loss')).toBe('2%');
  expect(partsOf(screen.getByRole('list', { name: 'History' }))).toEqual([
    'Resumed2 Mar 2026, 19:00 UTC',
    'Paused, asset not tradable2 Mar 2026, 12:30 UTC',
    'Created1 Mar 2026, 10:00 UTC',
  ]);
});

test('each session has a bar and a row, and one without a trade has its reason in words', async () => {
  open();
  const picture = await screen.findByRole('img', { name: /^P&L of 3 sessions/ });
  expect(picture.getAttribute('aria-label')).toBe(
    'P&L of 3 sessions: 1 up, 1 down, 1 without trades. Best: +$7.0000 on 1 Mar 2026. Worst: −$2.5000 on 3 Mar 2026.',
  );
  const panel = within(screen.getByRole('region', { name: 'P&L by session' }));
  expect(await panel.findByText('61.34% of members have lost money trading.')).toBeTruthy();
  expect(rowsOf(screen.getByRole('table', { name: 'P&L by session' }))).toEqual([
    ['3 Mar 2026', '1 trade', '−$2.5000', '$254.5000'],
    ['2 Mar 2026', 'No entry: price 61,204.50 is under its 20-period average 61,530.10.', '–', '$257.0000'],
    ['1 Mar 2026', '1 trade', '+$7.0000', '$257.0000'],
  ]);
});

test('the reason of a session without a trade is in the language of the page', async () => {
  const catalogue = { 'No entry: the plan is paused.': 'Der Plan pausiert.' };
  const { SessionResults } = await inLanguage(catalogue, () => import('./session-results.tsx'));
  const session = { day: '2026-03-02', trades: 0, result: null, value: 257, words: 'No entry: the plan is paused.' };
  stubServer({ 'GET /trading/portfolio': success({ totals: { negative_members: null } }) });
  renderAt('/', <SessionResults sessions={[session]} query={arrived} />);
  expect(rowsOf(screen.getByRole('table'))[0]?.[1]).toBe('Der Plan pausiert.');
});

test('decisions are listed with their reasons', async () => {
  open();
  const table = within(await screen.findByRole('table', { name: 'Decisions' }));
  expect(table.getByText('No entry: only 15 minutes are left.')).toBeTruthy();
  expect(table.getByText('3 Mar 2026, 12:30')).toBeTruthy();
});

test('redeeming takes a confirmation that names what goes where, and then shows what was returned', async () => {
  const { sent } = open();
  const dialog = await ask('Redeem', 'Redeem the plan on btc/usdt?');
  expect(dialog.getByText(/is paid to your Primary Wallet now/).textContent).toBe(
    '$254.5000 is paid to your Primary Wallet now. You invested $250.00. P&L so far: +$4.5000.',
  );
  await settled();
  expect(sent('POST /trading/plans/3/redeem')).toEqual([]);
  fireEvent.click(dialog.getByRole('button', { name: /^Redeem/ }));
  expect(await screen.findByText('$254.5000 was paid to your Primary Wallet.')).toBeTruthy();
  expect(sent('POST /trading/plans/3/redeem')).toHaveLength(1);
  expect(sent('POST /trading/plans/3/redeem')[0]?.headers.get('idempotency-key')).toBeTruthy();
  expect(await screen.findByText('Paid to your Primary Wallet')).toBeTruthy();
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Redeem' })).toBeNull());
});

test('pausing says that no money moves; then the page says why the plan does not trade and what to do', async () => {
  open();
  const dialog = await ask('Pause', 'Pause the plan on btc/usdt?');
  expect(dialog.getByText(/No money moves\./).textContent).toContain('The plan keeps its $254.5000');
  fireEvent.click(dialog.getByRole('button', { name: /^Pause/ }));
  expect(await screen.findByText('You paused this plan')).toBeTruthy();
  expect(await screen.findByRole('button', { name: 'Resume' })).toBeTruthy();
});

test('resuming says from when the plan trades again', async () => {
  const { sent } = open(aPlan({ state: 'paused', state_reason: 'member' }));
  const dialog = await ask('Resume', 'Resume the plan on btc/usdt?');
  const words = 'The plan trades its $254.5000 again from the next session, today, 12:30 UTC.';
  await waitFor(() => expect(dialog.getByText(/The plan trades its/).textContent).toBe(words));
  fireEvent.click(dialog.getByRole('button', { name: /^Resume/ }));
  await waitFor(() => expect(sent('POST /trading/plans/3/resume')).toHaveLength(1));
});

test.each([
  ['minimum', 'The plan is below the minimum', /A plan from the Primary Wallet needs at least \$5\. Redeem it/],
  ['own_limit', 'Your daily loss limit or a pause stopped the plan', /Your profile shows when it ends/],
  ['asset_off', 'This asset is not tradable', /once the asset is tradable again/],
] as const)('paused because of %s: shows why, and what to do about it', async (state_reason, title, text) => {
  open(aPlan({ state: 'paused', state_reason }));
  expect(await screen.findByText(title)).toBeTruthy();
  expect(screen.getByText(text)).toBeTruthy();
  expect(screen.getByRole('button', { name: 'Resume' })).toHaveProperty('disabled', state_reason === 'minimum');
});

test.each(['open', 'settling'] as const)(
  'while a session is %s the buttons are disabled and the reason is shown',
  async (state) => {
    open(aPlan(), state);
    expect(
      await screen.findByText(
        'A session is under way, or the plan’s trade is not settled yet. Plans can be changed again after that.',
      ),
    ).toBeTruthy();
    for (const name of ['Change stops', 'Pause', 'Redeem']) {
      const button = screen.getByRole('button', { name });
      expect(button).toHaveProperty('disabled', true);
      expect(document.getElementById(button.getAttribute('aria-describedby') ?? '')?.textContent).toContain(
        'under way',
      );
    }
  },
);

test('if a session has opened in the meantime, the dialog shows the server’s message and nothing changes', async () => {
  const { answers } = open();
  const dialog = await ask('Pause', 'Pause the plan on btc/usdt?');
  answers['POST /trading/plans/3/pause'] = refused(
    409,
    'plan_in_session',
    'A session is under way, or the plan’s trade is not settled yet. Plans can be changed again after that.',
  );
  answers['GET /trading/session'] = aSession('open');
  fireEvent.click(dialog.getByRole('button', { name: /^Pause/ }));
  await dialog.findByText(/A session is under way/);
  expect(screen.queryByText('You paused this plan')).toBeNull();
});

test('changed stops apply to future trades', async () => {
  const { sent } = open();
  const dialog = await ask('Change stops', 'Stops for the plan on btc/usdt');
  await waitFor(() => expect(document.activeElement).toBe(dialog.getByRole('textbox', { name: 'Stop-loss' })));
  expect(dialog.getByText('Sells when the price falls 2% below your entry price.')).toBeTruthy();
  fireEvent.change(dialog.getByRole('textbox', { name: 'Stop-loss' }), { target: { value: '' } });
  fireEvent.change(dialog.getByRole('textbox', { name: 'Take-profit' }), { target: { value: '4' } });
  fireEvent.click(dialog.getByRole('button', { name: /Save stops/ }));
  await waitFor(() =>
    expect(sent('PUT /trading/plans/3/stops').map(({ body }) => body)).toEqual([{ stop_loss: null, take_profit: 4 }]),
  );
  expect(await screen.findByText('Take-profit', { selector: 'dt' })).toBeTruthy();
});

test('a plan in a trade links to that trade', async () => {
  open(aPlan({ trade_id: '9', trade_state: 'open', value: 255.1 }), 'open');
  expect((await screen.findByRole('link', { name: 'open trade' })).getAttribute('href')).toBe('/trades/9');
});

test.each(['queued', 'opening'] as const)('a plan whose trade is %s shows no result', async (state) => {
  open(aPlan({ trade_id: '9', trade_state: state }), 'open');
  expect((await screen.findByRole('link', { name: 'trade' })).getAttribute('href')).toBe('/trades/9');
  expect(screen.queryByRole('link', { name: 'open trade' })).toBeNull();
});

test('a plan that does not exist, or is another member’s, is reported as not found', async () => {
  open(aPlan(), 'closed', {
    'GET /trading/plans/3': refused(404, 'plan_not_found', 'This plan does not exist.'),
  });
  expect(await screen.findByRole('heading', { name: 'This plan does not exist.' })).toBeTruthy();
  expect(screen.getByRole('link', { name: 'Your plans' }).getAttribute('href')).toBe('/fund/investments');
});
