import { useQuery } from '@tanstack/react-query';
import { act, fireEvent, screen } from '@testing-library/react';
import { type ReactNode, useState } from 'react';
import { useNavigate } from 'react-router';
import { expect, test, vi } from 'vitest';
import type { User } from '#contract/accounts/sign-in.ts';
import { addressNow, renderAt } from '../../test/render.tsx';
import { signIn, useSignedIn } from '../api/sign-in-state.ts';
import { useRouteEffects } from './use-route-effects.ts';

function Pages({ children }: { children: ReactNode }) {
  useRouteEffects();
  return children;
}

function Answer({ of }: { of: string }) {
  const { data } = useQuery({ queryKey: [of, 'answer'], queryFn: async () => `${of} answered` });
  return data ?? 'waiting';
}

test.each(['market', 'operator', 'invitation'])(
  'a request for %s data is answered while no member is signed in',
  async (of) => {
    renderAt(
      '/',
      <Pages>
        <Answer of={of} />
      </Pages>,
    );
    expect(await screen.findByText(`${of} answered`)).toBeDefined();
  },
);

let member = 'Anika';

function Balance() {
  const { data } = useQuery({ queryKey: ['balance'], queryFn: async () => `${member}’s` });
  const [typedBy] = useState(member);
  return `balance: ${data ?? 'loading'}, form: ${typedBy}`;
}

const OwnPages = () => <Pages>{useSignedIn() ? <Balance /> : 'sign in'}</Pages>;

test('another member who signed in while this tab slept finds nothing of the one before', async () => {
  signIn('of-anika', { id: '7' } as User);
  renderAt('/', <OwnPages />);
  await screen.findByText('balance: Anika’s, form: Anika');

  member = 'Ravi';
  localStorage.setItem('accessToken', '"of-ravi"');
  // The browser delivers what was missed when the tab wakes up: by then the next token is stored.
  act(() => void window.dispatchEvent(new StorageEvent('storage', { key: 'accessToken' })));
  expect(screen.queryByText(/Anika/)).toBeNull();
  await screen.findByText('balance: Ravi’s, form: Ravi');
});

function Ways() {
  const navigate = useNavigate();
  return (
    <Pages>
      <button type="button" onClick={() => void navigate('/next')}>{`Next`}</button>
      <button type="button" onClick={() => void navigate(-1)}>{`Back`}</button>
    </Pages>
  );
}

test('a new page starts at the top, and one that the browser goes back to where it was left', () => {
  renderAt('/', <Ways />);
  const scrollTo = vi.spyOn(window, 'scrollTo');
  fireEvent.click(screen.getByRole('button', { name: 'Next' }));
  expect(scrollTo).toHaveBeenCalledExactlyOnceWith(0, 0);
  fireEvent.click(screen.getByRole('button', { name: 'Back' }));
  expect(addressNow()).toBe('/');
  expect(scrollTo).toHaveBeenCalledOnce();
});
