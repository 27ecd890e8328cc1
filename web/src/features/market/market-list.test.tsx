import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { renderAt } from '../../../test/render.tsx';
import { stubServer, success } from '../../../test/server.ts';
import { aPair, theSession } from '../../../test/trades.ts';
import { AssetQuote } from './asset-quote.tsx';
import { MarketList } from './market-list.tsx';

const { feed } = theSession;
const bsv = aPair('bsv', { listed: false, rate: null, stale: true, change_24h: null });

test('the page of an asset that the exchange does not list says so instead of offering a trade', async () => {
  stubServer({ 'GET /market': success({ pairs: [aPair('btc'), bsv], feed }) });
  renderAt('/bsv', <AssetQuote symbol="bsv" />);
  expect(await screen.findByText('Not tradable here')).toBeTruthy();
  expect(screen.queryByRole('link', { name: 'Trade bsv' })).toBeNull();
});

test('an asset that the exchange does not list stays in the market list and says so', async () => {
  stubServer({ 'GET /market': success({ pairs: [aPair('btc'), bsv], feed }) });
  renderAt('/dashboard', <MarketList />);
  expect((await screen.findByRole('link', { name: /btc/ })).textContent).toBe('btc/usdt 15.28−0.29%');
  expect(screen.getByRole('link', { name: /bsv/ }).textContent).toBe('bsv/usdt Not tradable here');
});

test('one delayed price among fresh ones is marked in the list and on its page, and the others are not', async () => {
  stubServer({ 'GET /market': success({ pairs: [aPair('btc', { stale: true }), aPair('eth')], feed }) });
  const { unmount } = renderAt('/dashboard', <MarketList />);
  expect((await screen.findByRole('link', { name: /btc/ })).textContent).toContain('Delayed');
  expect(screen.getByRole('link', { name: /eth/ }).textContent).not.toContain('Delayed');
  unmount();
  renderAt('/eth', <AssetQuote symbol="eth" />);
  await screen.findByText('15.28');
  expect(screen.queryByText('Prices are delayed')).toBeNull();
  renderAt('/btc', <AssetQuote symbol="btc" />);
  expect(await screen.findByText('Prices are delayed')).toBeTruthy();
});
