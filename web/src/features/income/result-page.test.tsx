import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { anIncomeLine, earnings } from '../../../test/incomes.ts';
import { rowsOf } from '../../../test/reading.ts';
import { renderAt, showPage } from '../../../test/render.tsx';
import { stubServer, success } from '../../../test/server.ts';
import { CompoundingIncomePage, TradeIncomePage } from './result-page.tsx';

const aResult = (id: string, symbol: string, amount: number) =>
  anIncomeLine({ id, symbol, amount, level: null, rate: null, coverage: null });

test('gains and losses are listed alike, each linked to its trade', async () => {
  showPage('/income/trade-income', <TradeIncomePage />, {
    'GET /auth/user-earner': earnings,
    'GET /trading/portfolio': success({ totals: { negative_members: 0.6134 } }),
    'GET /bounus/trade': success({
      items: [aResult('12', 'btc', 3.5), aResult('11', 'eth', -4.25)],
      next_cursor: null,
      total: -0.75,
    }),
  });
  const table = await screen.findByRole('table', { name: 'Trade Income' });
  await within(table).findByText('btc/usdt');
  expect(rowsOf(table)).toEqual([
    ['4 Mar 2026', 'btc/usdtTrade 12', '$250.00', '$1.0000', '+$3.5000'],
    ['4 Mar 2026', 'eth/usdtTrade 11', '$250.00', '$1.0000', '−$4.2500'],
  ]);
  expect(within(table).getByRole('link', { name: 'eth/usdt' }).getAttribute('href')).toBe('/trades/11');
  expect((await screen.findByText('This month')).parentElement?.textContent).toContain('−$3.5000');
  expect(await screen.findByText('61.34% of members have lost money trading.')).toBeTruthy();
});

test('compounding income says that gains and losses stay in the plan', async () => {
  stubServer({
    'GET /auth/user-earner': earnings,
    'GET /bounus/compounding': success({ items: [], next_cursor: null, total: 0 }),
  });
  renderAt('/income/compounding-income', <CompoundingIncomePage />);
  expect(await screen.findByText('No settled trades yet')).toBeTruthy();
  expect(screen.getByText(/Gains and losses stay in the plan\./)).toBeTruthy();
  expect(screen.getByRole('link', { name: 'View your plans' }).getAttribute('href')).toBe('/fund/investments');
});
