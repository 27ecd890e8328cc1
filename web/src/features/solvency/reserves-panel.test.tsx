import { fireEvent, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { ReserveStatement } from '#contract/solvency/reserves.ts';
import { renderAt } from '../../../test/render.tsx';
import { stubServer, success } from '../../../test/server.ts';
import { ReservesPanel } from './reserves-panel.tsx';

const statement: ReserveStatement = {
  id: '3',
  network: 'ethereum',
  address: '0x2c7536E3605D9C16a7a3D7b1898e529396a65c23',
  amount: '12.5',
  asset: 'ETH',
  message: 'Some data',
  signature:
    '0xb91467e570a6466aa9e9876cbcd013baba02900b8979d43fe208a4a4f339f5fd6007e74cd82e037b800186422fc2da167c747ef045e5d18a5f5d4300f8e1a0291c',
  signed_on: '2026-03-04',
  published_at: '2026-03-05T09:00:00.000Z',
  simulated: true,
};

function open(items: ReserveStatement[]) {
  stubServer({ 'GET /solvency/reserves': success({ items }) });
  renderAt('/solvency', <ReservesPanel />);
}

test('a statement shows its claim, and its signature is verified in the browser', async () => {
  open([statement]);
  expect(await screen.findByText('12.5 ETH')).toBeTruthy();
  expect(screen.getByText('Ethereum, signed 4 Mar 2026')).toBeTruthy();
  expect(screen.getByText('Simulated')).toBeTruthy();
  expect(screen.getByText(/at that time only\. Anyone can look up the amount/)).toBeTruthy();
  fireEvent.click(screen.getByRole('button', { name: `Check ${statement.address}` }));
  expect(await screen.findByText('Valid signature')).toBeTruthy();
});

test('a signature of another message is invalid', async () => {
  open([{ ...statement, message: 'Some other data', simulated: false }]);
  fireEvent.click(await screen.findByRole('button', { name: `Check ${statement.address}` }));
  expect(await screen.findByText('Invalid signature')).toBeTruthy();
  expect(screen.queryByText('Simulated')).toBeNull();
});

test('without statements it says what will appear here', async () => {
  open([]);
  expect(await screen.findByText('No statements yet')).toBeTruthy();
});
