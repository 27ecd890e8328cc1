import { fireEvent, screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { Plan } from '#contract/trading/plan.ts';
import { aPlan } from '../../../test/plans.ts';
import { queryOf, renderAt } from '../../../test/render.tsx';
import { refused, stubServer, success } from '../../../test/server.ts';
import { PlansPanel } from './plans-panel.tsx';

/** Answers by the requested state, as the server does. */
function serve(...plans: Plan[]) {
  stubServer({
    'GET /trading/plans': (call) => {
      const { state } = queryOf(call);
      return success({ items: plans.filter((plan) => plan.state === state), next_cursor: null });
    },
  });
}

test('plans are listed briefly with value and result, trading ones first, redeemed ones not at all', async () => {
  serve(
    aPlan({
      id: '1',
      symbol: 'eth',
      state: 'paused',
      state_reason: 'member',
      result_total: -3.25,
      value: 96.75,
      trades: 1,
    }),
    // Its list of sessions ends at 60.
    aPlan({ id: '2', trades: 75 }),
    aPlan({ id: '4', symbol: 'ltc', state: 'redeemed' }),
  );
  renderAt('/dashboard', <PlansPanel />);
  const list = within(await screen.findByRole('list', { name: 'Auto-trade plans' }));
  await list.findByRole('link', { name: 'eth/usdt' });
  expect(list.getAllByRole('listitem').map((item) => item.textContent)).toEqual([
    'btc/usdtCompounding · 75 trades$254.5000+$4.5000',
    'eth/usdtPaused · 1 trade$96.7500−$3.2500',
  ]);
  expect(list.getByRole('link', { name: 'btc/usdt' }).getAttribute('href')).toBe('/fund/investments/2');
  expect(screen.getByRole('link', { name: 'Manage plans' }).getAttribute('href')).toBe('/fund/investments');
});

test('plans that could not be loaded are not shown as none, and can be retried', async () => {
  let isBroken = true;
  stubServer({
    'GET /trading/plans': (call) => {
      const isPaused = queryOf(call).state === 'paused';
      if (isPaused && isBroken) return refused(500, 'internal', 'Broken.');
      return success({ items: isPaused ? [aPlan({ state: 'paused' })] : [], next_cursor: null });
    },
  });
  renderAt('/dashboard', <PlansPanel />);
  expect(await screen.findByText('The list could not be loaded')).toBeTruthy();
  isBroken = false;
  fireEvent.click(screen.getByRole('button', { name: 'Try again' }));
  expect(await screen.findByRole('link', { name: 'btc/usdt' })).toBeTruthy();
  expect(screen.queryByText('The list could not be loaded')).toBeNull();
});
