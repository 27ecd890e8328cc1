import { screen, within } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import type { LimitChange } from '#contract/operator/asset-limits.ts';
import { approveShown, proposed, showConsolePage, signInAs } from '../../../../test/console.ts';
import { success } from '../../../../test/server.ts';
import { AssetLimitsPage } from './asset-limits-page.tsx';

const change: LimitChange = {
  ...proposed,
  reference: 'AL-7M2QX4',
  reason: 'A thin book.',
  symbol: 'doge',
  limits: { trade: 5000, member: 50_000, all: null },
  before: { trade: 10_000, member: 50_000, all: 500_000 },
};

beforeEach(() => signInAs());

test('approving says what happens to new trades', async () => {
  const name = 'POST /operator/asset-limits/6/approve';
  const page = showConsolePage(AssetLimitsPage, '/operator/asset-limits/6', {
    'GET /operator/asset-limits': success({ items: [change], next_cursor: null }),
    [name]: success({ ...change, version: 2, state: 'posted' }),
  });
  const label = 'Position limits AL-7M2QX4';
  const shown = within(await screen.findByRole('complementary', { name: label }));
  for (const text of ['$10,000.00 to $5,000.00', '$50,000.00', '$500,000.00 to None', 'A thin book.'])
    expect(shown.getByText(text)).toBeDefined();
  expect(await approveShown(label, name, page)).toContain('New trades in doge/usdt keep to these limits immediately.');
});

test('an approved change is called applied: a later one may be in force', async () => {
  showConsolePage(AssetLimitsPage, '/operator/asset-limits/6?state=posted', {
    'GET /operator/asset-limits': success({ items: [{ ...change, state: 'posted' }], next_cursor: null }),
  });
  const shown = within(await screen.findByRole('complementary', { name: 'Position limits AL-7M2QX4' }));
  expect(shown.getByText('Applied')).toBeDefined();
  expect(screen.queryByText('In force')).toBeNull();
});
