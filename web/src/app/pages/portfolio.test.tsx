import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { aSession } from '../../../test/plans.ts';
import { renderAt } from '../../../test/render.tsx';
import { stubServer, success } from '../../../test/server.ts';
import { PortfolioPage } from './portfolio.tsx';

test.each([
  [false, /^Prices of 4 Mar 2026, 14:05 UTC$/],
  [true, /^Waiting for new prices$/],
])('says of which time the prices are, unless they are stale: %s', async (stale, said) => {
  const { data } = aSession('open').body as { data: { feed: object } };
  stubServer({ 'GET /trading/session': success({ ...data, feed: { ...data.feed, stale } }) });
  renderAt('/portfolio', <PortfolioPage />);
  expect(await screen.findByText(said)).toBeDefined();
});
