import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { aPlan, aRedemption } from '../../../test/plans.ts';
import { onRoute, renderAt } from '../../../test/render.tsx';
import { stubServer, success } from '../../../test/server.ts';
import { CompoundingHistoryWithNote, PlansWithNote, PlanWithNote } from './plans.tsx';

test.each([
  ['the list', '/fund/investments', <PlansWithNote key="list" />],
  ['a plan', '/fund/investments/3', onRoute('/fund/investments/:id', <PlanWithNote />)],
  ['what was redeemed', '/fund/compounding-withdrawal-history', <CompoundingHistoryWithNote key="redeemed" />],
])('the plan results also show how many members lost money: %s', async (_, path, shown) => {
  stubServer({
    'GET /trading/plans': success({ items: [aPlan()], next_cursor: null }),
    'GET /trading/plans/3': success({ plan: aPlan(), events: [], decisions: [] }),
    'GET /safe/compounding-hist': success({ items: [aRedemption()], next_cursor: null }),
    'GET /trading/portfolio': success({ totals: { negative_members: 0.6134 } }),
  });
  renderAt(path, shown);
  expect(await screen.findByText(/61\.34% of members have lost money trading\./)).toBeTruthy();
});
