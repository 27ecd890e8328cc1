import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { Route, Routes } from 'react-router';
import { expect, test } from 'vitest';
import type { ConsoleAsset, SpreadChange } from '#contract/operator/assets.ts';
import { anOverview, signInAs, typeCode } from '../../../../test/console.ts';
import { renderAt } from '../../../../test/render.tsx';
import { stubServer, success } from '../../../../test/server.ts';
import { AssetsPage } from './assets-page.tsx';
import { coins, priceAge } from './labels.ts';

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
  ...given,
});

function open(given: Partial<ConsoleAsset> = {}, { at = '/operator/assets/btc', history = [] as SpreadChange[] } = {}) {
  const answers: Parameters<typeof stubServer>[0] = {
    'GET /operator/assets': success({ feed: { ...anOverview().feed }, items: [anAsset(given)] }),
    'GET /operator/assets/btc/spreads': success({ items: history, next_cursor: null }),
    'PUT /operator/assets/btc/active': success(anAsset({ ...given, active: false })),
    'POST /operator/assets/btc/spread': success(anAsset({ ...given, next_spread: change })),
  };
  const calls = stubServer(answers);
  renderAt(
    at,
    <Routes>
      <Route path="/operator/assets/*" element={<AssetsPage />} />
    </Routes>,
  );
  return { answers, sentTo: (name: string) => calls.filter((call) => call.name === name).map(({ body }) => body) };
}
const panel = async () => within(await screen.findByRole('complementary', { name: 'Asset btc/usdt' }));

test('a row says spread now and next, price with its age, positions and what is queued', async () => {
  signInAs({ role: 'support' });
  open({ next_spread: change }, { at: '/operator/assets' });
  const row = (await screen.findByText('btc/usdt')).closest('tr');
  expect(row?.textContent).toBe('btc/usdtOn0.10%next 0.30%68,412.5012 s ago1,204$199.102$350.00');
  expect(screen.getByText(/Prices: Simulated market, market time 2026-03-04 14:05 UTC/)).toBeDefined();
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

test('who is no admin decides nothing', async () => {
  signInAs({ role: 'finance' });
  open();
  const shown = await panel();
  expect(shown.getByText('Admins decide.')).toBeDefined();
  expect(shown.queryByRole('button', { name: 'Switch off' })).toBeNull();
  expect(shown.queryByRole('button', { name: 'Change spread' })).toBeNull();
});

test('the next spread says who set it and why, and the history what became of each', async () => {
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
  expect(lines[2]).toMatch(/; followed by another before a session opened$/);
});

test('switching off takes a reason and no code, and names what was seen', async () => {
  signInAs({ role: 'admin' });
  const { sentTo } = open();
  fireEvent.click((await panel()).getByRole('button', { name: 'Switch off' }));
  const dialog = await screen.findByRole('dialog');
  expect(within(dialog).queryByRole('textbox', { name: /^Digit/ })).toBeNull();
  fireEvent.change(within(dialog).getByLabelText('Reason'), { target: { value: 'A fork.' } });
  fireEvent.click(within(dialog).getByRole('button', { name: 'Switch off' }));
  await waitFor(() =>
    expect(sentTo('PUT /operator/assets/btc/active')).toEqual([{ active: false, version: 7, why: 'A fork.' }]),
  );
});

test('switching on takes a reason and a code', async () => {
  signInAs({ role: 'admin' });
  const { sentTo } = open({ active: false });
  fireEvent.click((await panel()).getByRole('button', { name: 'Switch on' }));
  const dialog = await screen.findByRole('dialog');
  fireEvent.change(within(dialog).getByLabelText('Reason'), { target: { value: 'It is over.' } });
  typeCode(dialog);
  fireEvent.click(within(dialog).getByRole('button', { name: 'Switch on' }));
  await waitFor(() =>
    expect(sentTo('PUT /operator/assets/btc/active')).toEqual([
      { active: true, version: 7, why: 'It is over.', otp: '123456' },
    ]),
  );
});

test('a spread takes whole basis points, a reason and a code, and says what they come to', async () => {
  signInAs({ role: 'admin' });
  const { sentTo } = open();
  fireEvent.click((await panel()).getByRole('button', { name: 'Change spread' }));
  const dialog = await screen.findByRole('dialog');
  const asked = within(dialog);
  const send = () => fireEvent.click(asked.getByRole('button', { name: 'Change spread' }));
  const type = (value: string) =>
    fireEvent.change(asked.getByLabelText('Spread in basis points'), { target: { value } });
  for (const wrong of ['', '1001', '2.5', '-1', 'ten']) {
    type(wrong);
    send();
    expect(asked.getByText('Whole basis points from 0 to 1000.')).toBeDefined();
  }
  expect(asked.getByText('Say why.')).toBeDefined();
  expect(asked.getByText('The code has 6 digits.')).toBeDefined();
  type('25');
  expect(asked.getByText('0.25%: 0.125% when buying, 0.125% when selling.')).toBeDefined();
  fireEvent.change(asked.getByLabelText('Reason'), { target: { value: 'Dearer.' } });
  typeCode(dialog);
  send();
  await waitFor(() =>
    expect(sentTo('POST /operator/assets/btc/spread')).toEqual([
      { version: 7, spread_bps: 25, why: 'Dearer.', otp: '123456' },
    ]),
  );
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
});

test('a wrong code stays in the dialog, and a colleague who was faster ends it', async () => {
  signInAs({ role: 'admin' });
  const { answers } = open();
  const refuse = (status: number, code: string, message: string, field?: string) => ({
    status,
    body: { status: 'error', code, message, ...(field && { validation_results: [{ field, message }] }) },
  });
  answers['POST /operator/assets/btc/spread'] = refuse(422, 'wrong_second_factor', 'This code is wrong.', 'otp');
  fireEvent.click((await panel()).getByRole('button', { name: 'Change spread' }));
  const dialog = await screen.findByRole('dialog');
  const asked = within(dialog);
  fireEvent.change(asked.getByLabelText('Spread in basis points'), { target: { value: '25' } });
  fireEvent.change(asked.getByLabelText('Reason'), { target: { value: 'Dearer.' } });
  typeCode(dialog);
  fireEvent.click(asked.getByRole('button', { name: 'Change spread' }));
  expect(await asked.findByText('This code is wrong.')).toBeDefined();
  answers['POST /operator/assets/btc/spread'] = refuse(409, 'asset_changed', 'Somebody changed this asset meanwhile.');
  typeCode(dialog);
  fireEvent.click(asked.getByRole('button', { name: 'Change spread' }));
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

test('coins are cut after six places, never rounded up', () => {
  expect(['0', '1234.9999999', '0.100000', '12'].map(coins)).toEqual(['0', '1,234.999999', '0.1', '12']);
});
