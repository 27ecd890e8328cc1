import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { ConsoleAsset, SpreadChange } from '#contract/operator/assets.ts';
import { anOverview, confirmWith, openForm, showConsolePage, signInAs, typeCode } from '../../../../test/console.ts';
import { type Answers, refused, success } from '../../../../test/server.ts';
import { coins } from './asset-detail.tsx';
import { priceAge } from './asset-state.tsx';
import { AssetsPage } from './assets-page.tsx';

const change: SpreadChange = {
  id: '2',
  spread_bps: 30,
  before_bps: 10,
  reason: 'The exchange got dearer.',
  by: { id: '3', name: 'Samuel Okafor' },
  at: '2026-03-04T13:00:00.000Z',
  first_session_on: null,
};
const anAsset = (given: Partial<ConsoleAsset> = {}): ConsoleAsset => ({
  symbol: 'btc',
  name: 'btc/usdt',
  logo: '/icons/btc.svg',
  version: 7,
  active: true,
  spread_bps: 10,
  next_spread: null,
  price: 68_412.5,
  price_at: '2026-03-04T14:04:57.000Z',
  stale: false,
  positions: { count: 1_204, quantity: '1.991004497752', value: 199.1 },
  queued: { count: 2, amount: 350 },
  limits: { version: 3, trade: 50_000, member: 250_000, all: null, half_depth: null },
  ...given,
});

function open(
  given: Partial<ConsoleAsset> = {},
  { at = '/operator/assets/btc', history = [] as SpreadChange[], answers = {} as Answers } = {},
) {
  return showConsolePage(AssetsPage, at, {
    'GET /operator/assets': success({ feed: { ...anOverview().feed }, items: [anAsset(given)] }),
    'GET /operator/assets/btc/spreads': success({ items: history, next_cursor: null }),
    'PUT /operator/assets/btc/active': success(anAsset({ ...given, active: false })),
    'POST /operator/assets/btc/spread': success(anAsset({ ...given, next_spread: change })),
    ...answers,
  });
}
const panel = async () => within(await screen.findByRole('complementary', { name: 'Asset btc/usdt' }));

test('a row shows the current and next spread, the price with its age, positions and queued trades', async () => {
  signInAs({ role: 'support' });
  open({ next_spread: change }, { at: '/operator/assets' });
  const row = (await screen.findByText('btc/usdt')).closest('tr');
  expect(row?.textContent).toBe('btc/usdtOn0.10%next 0.30%68,412.5012 s ago1,204$199.102$350.00');
  expect(screen.getByText(/Prices: Simulated market, market time 4 Mar 2026, 14:05 UTC/)).toBeDefined();
});

test.each([
  [{ active: false }, 'Off'],
  [{ stale: true }, 'Stale'],
  [{ price: null, price_at: null }, 'No price'],
] as const)('with %j it is %s', async (given, word) => {
  signInAs({ role: 'support' });
  open(given);
  expect((await panel()).getByText(word)).toBeDefined();
});

test('only admins decide', async () => {
  signInAs({ role: 'finance' });
  open();
  const shown = await panel();
  expect(shown.getByText('Only admins decide about trading and spreads. New limits take two operators.')).toBeDefined();
  expect(shown.queryByRole('button', { name: 'Disable trading' })).toBeNull();
  expect(shown.queryByRole('button', { name: 'Change spread' })).toBeNull();
});

test('the next spread shows who set it and why, and the history what became of each change', async () => {
  signInAs({ role: 'support' });
  const history = [
    change,
    { ...change, id: '1', spread_bps: 10, before_bps: 20, first_session_on: '2026-02-28' },
    { ...change, id: '0', spread_bps: 15, before_bps: 20 },
  ];
  open({ next_spread: change }, { history });
  const shown = await panel();
  expect(shown.getByText('Samuel Okafor, 4 Mar 2026, 13:00 UTC')).toBeDefined();
  const lines = (await shown.findAllByRole('listitem')).map(({ textContent }) => textContent);
  expect(lines[0]).toMatch(/^0\.10% to 0\.30%.*; from the next session$/);
  expect(lines[1]).toMatch(/; from the session of 28 Feb 2026$/);
  expect(lines[2]).toMatch(/; replaced before a session opened$/);
});

test.each([
  ['Disable trading', true, { active: false, why: 'A fork.' }],
  ['Enable trading', false, { active: true, why: 'A fork.', otp: '123456' }],
] as const)('%s sends the version that was shown; only enabling takes a code', async (button, active, body) => {
  signInAs({ role: 'admin' });
  const { bodiesOf } = open({ active });
  fireEvent.click((await panel()).getByRole('button', { name: button }));
  const dialog = await confirmWith(button, { reason: 'A fork.', ...(!active && { otp: '123456' }) });
  expect(within(dialog).queryAllByRole('textbox', { name: /^Digit/ })).toHaveLength(active ? 0 : 6);
  await waitFor(() => expect(bodiesOf('PUT /operator/assets/btc/active')).toEqual([{ version: 7, ...body }]));
});

test('a spread takes whole basis points, a reason and a code, and shows its cost per side', async () => {
  signInAs({ role: 'admin' });
  const { sends } = open();
  const { dialog, asked, type, send } = await openForm('Change spread');
  for (const wrong of ['', '1001', '2.5', '-1', 'ten']) {
    type('Spread in basis points', wrong);
    send();
    expect(asked.getByText('Enter whole basis points from 0 to 1000.')).toBeDefined();
  }
  expect(asked.getByText('Enter a reason.')).toBeDefined();
  expect(asked.getByText('The code has 6 digits.')).toBeDefined();
  type('Spread in basis points', '25');
  expect(asked.getByText('0.25%: 0.125% when buying, 0.125% when selling.')).toBeDefined();
  type('Reason', 'Dearer.');
  typeCode(dialog);
  send();
  await sends('POST /operator/assets/btc/spread', { version: 7, spread_bps: 25, why: 'Dearer.', otp: '123456' });
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
});

test('the dialog closes when another operator changed the asset first', async () => {
  signInAs({ role: 'admin' });
  const changed = refused(409, 'asset_changed', 'Another operator changed this asset.');
  open({}, { answers: { 'POST /operator/assets/btc/spread': changed } });
  const { type } = await openForm('Change spread');
  type('Spread in basis points', '25');
  await confirmWith('Change spread', { reason: 'Dearer.', otp: '123456' });
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
});

test.each([
  ['2026-03-04T14:05:00.000Z', '0 s'],
  ['2026-03-04T14:04:01.000Z', '59 s'],
  ['2026-03-04T14:04:00.000Z', '1 min'],
  ['2026-03-04T14:06:00.000Z', '0 s'],
  [null, null],
])('a price of %s is %s old', (at, age) => {
  expect(priceAge(at, '2026-03-04T14:05:00.000Z')).toBe(age);
});

test('coin quantities are truncated to six places, never rounded up', () => {
  expect(['0', '1234.9999999', '0.100000', '12'].map(coins)).toEqual(['0', '1,234.999999', '0.1', '12']);
});

test('limits are shown, and proposed with the version that was shown; an empty field means no limit', async () => {
  signInAs({ role: 'finance' });
  const { sends } = open({}, { answers: { 'POST /operator/asset-limits': success({ reference: 'AL-7M2QX4' }) } });
  const shown = await panel();
  expect(shown.getByText('$250,000.00')).toBeDefined();
  expect(shown.queryByText('Half of the order book')).toBeNull();
  const { asked, type, send } = await openForm('Propose limits');
  type('All members', '-5');
  send();
  expect(asked.getByText('Enter an amount above 0, or nothing.')).toBeDefined();
  expect(asked.getByText('Enter a reason.')).toBeDefined();
  type('Largest trade', '20,000.5');
  type('One member', '');
  type('All members', '900000');
  type('Reason', 'A thin book.');
  send();
  await sends('POST /operator/asset-limits', {
    symbol: 'btc',
    version: 3,
    trade: 20_000.5,
    member: null,
    all: 900_000,
    reason: 'A thin book.',
  });
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
});

test('support cannot propose limits', async () => {
  signInAs({ role: 'support' });
  open({ limits: { version: 1, trade: null, member: null, all: null, half_depth: 12_500 } });
  const shown = await panel();
  expect(shown.getByText('Half of the order book')).toBeDefined();
  expect(shown.queryByRole('button', { name: 'Propose limits' })).toBeNull();
});
