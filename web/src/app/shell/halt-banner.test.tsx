import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { aroundThePage } from '../../../test/console.ts';
import { renderAt, showPage } from '../../../test/render.tsx';
import { stubServer, success } from '../../../test/server.ts';
import { SessionState } from '../../ui/frame/session-state.tsx';
import { HaltBanner } from './halt-banner.tsx';

const session = aroundThePage()['GET /trading/session'].body.data;

test('while trading is halted it shows why, and that open trades can be closed', async () => {
  const halt = { reason: 'Prices of an exchange are wrong.', at: '2026-03-04T14:00:00.000Z' };
  stubServer({ 'GET /trading/session': success({ ...session, halt }) });
  renderAt('/', <HaltBanner />);
  const banner = within(await screen.findByRole('region', { name: 'Trading is halted' }));
  expect(
    banner.getByText(
      /^Prices of an exchange are wrong\.You cannot place trades for now\. Open trades continue, and you can close them at any time\.$/,
    ),
  ).toBeDefined();
});

test('is absent otherwise', async () => {
  showPage(
    '/',
    <>
      <HaltBanner />
      <SessionState named />
    </>,
    { 'GET /trading/session': success(session) },
  );
  await screen.findByText('Session open');
  expect(screen.queryByRole('region', { name: 'Trading is halted' })).toBeNull();
});
