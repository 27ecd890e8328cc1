import { useQuery } from '@tanstack/react-query';
import { screen } from '@testing-library/react';
import type { ReactNode } from 'react';
import { expect, test } from 'vitest';
import { renderAt } from '../../test/render.tsx';
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
