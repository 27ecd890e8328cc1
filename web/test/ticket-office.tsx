import { cleanup } from '@testing-library/react';
import type { ReactNode } from 'react';
import { Route, Routes } from 'react-router';
import { afterEach, beforeEach, vi } from 'vitest';
import type { OperatorMessage, OperatorTicket } from '#contract/tickets/tickets.ts';
import { signInOperator, signOutOperator } from '../src/api/operator-state.ts';
import { renderAt } from './render.tsx';
import { type Call, stubServer, success } from './server.ts';
import { anOperatorMessage, anOperatorTicket, withFonts } from './tickets.ts';

export type Answers = Parameters<typeof stubServer>[0];

const devika = {
  id: '3',
  name: 'Devika Shah',
  email: 'devika@mail.test',
  role: 'support',
  second_factor: true,
} as const;
/** A canned reply. */
export const greeting = {
  id: '1',
  title: 'Greeting',
  text: 'Hello, thank you for writing.',
  updated_at: '2026-03-01T00:00:00Z',
};

/** Devika of support, signed in to the console. */
export function signInForEach(): void {
  beforeEach(() => {
    withFonts();
    signInOperator('operator-secret', devika);
  });
  afterEach(() => {
    cleanup();
    signOutOperator();
    sessionStorage.clear();
    vi.restoreAllMocks();
  });
}

/** Opens the support page with one ticket. */
export function openTicketWorld(
  page: ReactNode,
  at = '/operator/tickets/7',
  given: Partial<OperatorTicket> = {},
  answers: Answers = {},
  messages: readonly OperatorMessage[] = [anOperatorMessage()],
) {
  const office = { ticket: anOperatorTicket(given), messages: [...messages] };
  const calls: Call[] = stubServer({
    'GET /operator/tickets': () => success({ items: [office.ticket], next_cursor: null }),
    'GET /operator/tickets/7': () => success(office),
    'GET /operator/canned-replies': success({ items: [greeting] }),
    'GET /operator/ticket-readers': success({
      items: [
        { id: '4', name: 'Arun Iyer', role: 'admin' },
        { id: '3', name: 'Devika Shah', role: 'support' },
      ],
    }),
    ...answers,
  });
  const rendered = renderAt(
    at,
    <Routes>
      <Route path="/operator/tickets/*" element={page} />
    </Routes>,
  );
  return { ...rendered, office, sent: (name: string) => calls.filter((call) => call.name === name) };
}
