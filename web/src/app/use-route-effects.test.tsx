import { useQuery } from '@tanstack/react-query';
import { act, screen } from '@testing-library/react';
import { type ReactNode, useState } from 'react';
import { expect, test } from 'vitest';
import type { User } from '#contract/accounts/sign-in.ts';
import { renderAt } from '../../test/render.tsx';
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
