import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { renderAt } from '../../../test/render.tsx';
import { stubServer, success } from '../../../test/server.ts';
import { AssetQuote } from './asset-quote.tsx';
import { MarketList } from './market-list.tsx';

const feed = { kind: 'ccxt', label: null, at: '2026-03-04T14:05:00Z', speed: 1, stale: false, ended: false };
const pair = (symbol: string, listed: boolean) => ({
  displayName: `${symbol}/usdt`,
  apiname: symbol,
  image: '',
  listed,
  rate: listed ? 15.284 : null,
  change_24h: listed ? -0.29 : null,
  high_24h: null,
  low_24h: null,
  volume_24h: null,
  spark: [],
});

test('the page of an asset that the exchange does not list says so instead of offering a trade', async () => {
  stubServer({ 'GET /market': success({ pairs: [pair('btc', true), pair('bsv', false)], feed }) });
  renderAt('/bsv', <AssetQuote symbol="bsv" />);
  expect(await screen.findByText('Not tradable here')).toBeTruthy();
  expect(screen.queryByRole('link', { name: 'Trade bsv' })).toBeNull();
});

test('an asset that the exchange does not list stays in the market list and says so', async () => {
  stubServer({ 'GET /market': success({ pairs: [pair('btc', true), pair('bsv', false)], feed }) });
  renderAt('/dashboard', <MarketList />);
  const [btc, bsv] = [await screen.findByRole('link', { name: /btc/ }), screen.getByRole('link', { name: /bsv/ })];
  expect(btc.textContent).toContain('15.28');
  expect(btc.textContent).not.toContain('Not tradable here');
  expect(bsv.textContent).toContain('Not tradable here');
});
