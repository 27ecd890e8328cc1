import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { Route, Routes } from 'react-router';
import { beforeEach, expect, test } from 'vitest';
import type { DeskDeposit } from '#contract/funds/review.ts';
import { aDeskDeposit, aroundThePage, confirmWith, signInAs } from '../../../../test/console.ts';
import { renderAt } from '../../../../test/render.tsx';
import { stubServer, success } from '../../../../test/server.ts';
import { DepositsPage } from './deposits-page.tsx';
import { flagOf } from './queries.ts';

const LIST = 'GET /operator/deposits';
const ONE = 'GET /operator/deposits/5';
type Answers = Parameters<typeof stubServer>[0];

function open(given: Partial<DeskDeposit> = {}, answers: Answers = {}, at = '/operator/deposits/5') {
  const server = { items: [aDeskDeposit(given)], deposit: aDeskDeposit(given) };
  const calls = stubServer({
    ...aroundThePage(),
    [LIST]: () => success({ items: server.items, next_cursor: null }),
    [ONE]: () => success(server.deposit),
    ...answers,
  });
  renderAt(
    at,
    <Routes>
      <Route path="/operator/deposits/*" element={<DepositsPage />} />
    </Routes>,
  );
  return { server, sentTo: (name: string) => calls.filter((call) => call.name === name) };
}
const panel = () => screen.findByRole('complementary', { name: 'Deposit DP-7M2QX4' });

beforeEach(() => signInAs());

test('those in review come first, with what is held and what is odd', async () => {
  const { sentTo } = open({}, {}, '/operator/deposits');
  const row = (await screen.findByText('Lena Hoffmann')).closest('tr');
  expect(row?.textContent).toContain('$500.00USDT$500.0000paid late');
  expect(sentTo(LIST)[0]?.url).toContain('state=review');
});

test.each([
  [{ held: 0 }, 'nothing held'],
  [{ held: 499.99 }, 'paid too little'],
  [{ held: 500.01 }, 'paid too much'],
  [{ updated_at: '2026-03-04T12:59:00.000Z' }, undefined],
  [{ member: { ...aDeskDeposit().member, frozen: true } }, 'account frozen'],
  [{ state: 'credited' }, undefined],
] as const)('%j is flagged as %s', (given, flag) => {
  expect(flagOf(aDeskDeposit(given))).toBe(flag);
});

test('one is opened by its address, wherever it is in the lists, and one that nobody has is not there', async () => {
  const [empty, gone] = [success({ items: [], next_cursor: null }), { status: 404, body: { status: 'error' } }];
  open({ state: 'credited' }, { [LIST]: empty });
  expect(await panel()).toBeDefined();
  cleanup();
  open({}, { [LIST]: empty, [ONE]: gone });
  expect(await screen.findByText('It could not be loaded')).toBeDefined();
});

test.each<[string, string, string, Partial<DeskDeposit>, Record<string, string>]>([
  ['Credit', 'Credit', 'credit', {}, { reason: 'Came an hour late.', otp: '123456' }],
  [
    'Sent back',
    'It was sent back',
    'refund',
    {},
    { reason: 'Not a member.', transaction: 'f4184fc596', otp: '123456' },
  ],
  ['Reject', 'Reject', 'reject', { held: 0 }, { reason: 'Nothing came.' }],
])(
  'the decision %s asks for what it takes and sends it, with the version that was seen',
  async (button, confirm, path, given, body) => {
    const name = `POST /operator/deposits/5/${path}`;
    const { sentTo } = open(given, {
      [name]: () => success(aDeskDeposit({ ...given, version: 3, state: 'credited' })),
    });
    const shown = await panel();
    // Only what holds money can be credited, and only what holds none can be closed.
    expect(within(shown).queryByRole('button', { name: 'Credit' }) === null).toBe(given.held === 0);
    fireEvent.click(within(shown).getByRole('button', { name: button }));
    await confirmWith(confirm, body);
    await waitFor(() => expect(sentTo(name).map((call) => call.body)).toEqual([{ version: 2, ...body }]));
  },
);

test('one that was credited leaves the list and stays open as it then is', async () => {
  const { server } = open(
    {},
    {
      'POST /operator/deposits/5/credit': () => {
        server.items = [];
        server.deposit = aDeskDeposit({ version: 3, state: 'credited', credited: 500, held: 0 });
        return success(server.deposit);
      },
    },
  );
  fireEvent.click(within(await panel()).getByRole('button', { name: 'Credit' }));
  const asked = await confirmWith('Credit', { reason: 'Came an hour late.', otp: '123456' });
  expect(asked.textContent).toContain('$500.00 goes to the Primary Wallet of Lena Hoffmann.');
  expect(await within(await panel()).findByText('Credited', { selector: 'span' })).toBeDefined();
  expect(await screen.findByText('None is in review')).toBeDefined();
});

test('nothing is decided by support', async () => {
  signInAs({ role: 'support' });
  open();
  expect(within(await panel()).queryByRole('button', { name: 'Credit' })).toBeNull();
  expect(screen.getByText('Finance and admins decide.')).toBeDefined();
});
