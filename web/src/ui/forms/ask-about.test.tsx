import { fireEvent, screen } from '@testing-library/react';
import { Route, Routes, useLocation } from 'react-router';
import { expect, test } from 'vitest';
import type { User } from '#contract/accounts/sign-in.ts';
import { addressNow, renderAt } from '../../../test/render.tsx';
import { signIn } from '../../api/sign-in-state.ts';
import { SupportLink } from '../frame/support-link.tsx';
import { AskAbout, AskAboutIcon, labelOf } from './ask-about.tsx';

function Asked() {
  return <p>{labelOf(useLocation().state)}</p>;
}

test.each([
  ['Ask about this: DP-7M2QX4', AskAbout],
  ['Ask about DP-7M2QX4', AskAboutIcon],
])('“%s” links to a new query about it, with its display reference', (name, Link) => {
  renderAt(
    '/fund',
    <Routes>
      <Route path="/fund" element={<Link kind="deposit" id="5" label="DP-7M2QX4" />} />
      <Route path="/query/new" element={<Asked />} />
    </Routes>,
  );
  fireEvent.click(screen.getByRole('link', { name }));
  expect(screen.getByText('DP-7M2QX4')).toBeTruthy();
  expect(addressNow()).toBe('/query/new?about=deposit:5');
});

test.each([null, undefined, 'text', {}, { aboutLabel: 5 }])('state %j has no label', (state) => {
  expect(labelOf(state)).toBeUndefined();
});

test('support is a link to a new query for members, and plain text for visitors', () => {
  const { unmount } = renderAt('/', <SupportLink />);
  expect(screen.queryByRole('link')).toBeNull();
  unmount();
  signIn('secret', { id: '7', name: 'Anika Rao' } as User);
  renderAt('/', <SupportLink />);
  expect(screen.getByRole('link', { name: 'support' }).getAttribute('href')).toBe('/query/new');
});
