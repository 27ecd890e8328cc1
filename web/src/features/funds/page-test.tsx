import { MantineProvider } from '@mantine/core';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { render } from '@testing-library/react';
import type { ReactNode } from 'react';
import { createMemoryRouter, RouterProvider } from 'react-router';
import { vi } from 'vitest';
import type { Deposit } from '#contract/funds/deposits.ts';
import type { OwnWeek } from './queries.ts';

/** What the server answers to a call; a function sees the request. */
type Answer = unknown | ((request: { body: unknown; search: URLSearchParams; headers: Headers }) => unknown);
export type Sent = { call: string; body: unknown; search: URLSearchParams; headers: Headers };

/** An answer that is a refusal: its status and reply as the server writes them. */
export class Refusal {
  readonly status: number;
  readonly reply: Record<string, unknown>;
  constructor(status: number, reply: Record<string, unknown>) {
    this.status = status;
    this.reply = reply;
  }
}

/**
 * A page of this feature at an address, in front of a server that knows the given calls ("GET /secure/hist") and no
 * others. Returns everything the page sent.
 */
export function showPage(page: ReactNode, address: string, answers: Record<string, Answer>) {
  const sent: Sent[] = [];
  const serve = async (input: string, init: RequestInit = {}) => {
    const url = new URL(input, 'http://app.test');
    const call = `${init.method ?? 'GET'} ${url.pathname.replace('/api/v1', '')}`;
    if (!(call in answers)) throw new Error(`the page asked for ${call}`);
    const body = typeof init.body === 'string' ? JSON.parse(init.body) : undefined;
    const request = { call, body, search: url.searchParams, headers: new Headers(init.headers) };
    sent.push(request);
    const answer = answers[call];
    const result = typeof answer === 'function' ? answer(request) : answer;
    if (result instanceof Refusal)
      return Response.json({ status: 'error', ...result.reply }, { status: result.status });
    return Response.json({ status: 'success', data: result });
  };
  vi.stubGlobal('fetch', serve);

  const router = createMemoryRouter([{ path: '*', element: page }], { initialEntries: [address] });
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  render(
    <MantineProvider>
      <QueryClientProvider client={client}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </MantineProvider>,
  );
  return { sent, router, sentTo: (call: string) => sent.filter((request) => request.call === call) };
}

export const aDeposit = (given: Partial<Deposit> = {}): Deposit => ({
  id: '7',
  reference: 'DP-7M2QX4',
  amount: 500,
  credited: null,
  currency: 'USDT',
  state: 'created',
  pay_url: 'https://pay.test/i/7M2QX4',
  pay_ways: [],
  note: null,
  transaction: null,
  expires_at: new Date(Date.now() + 3_600_000).toISOString(),
  created_at: '2026-03-04T13:52:00Z',
  updated_at: '2026-03-04T13:52:00Z',
  ...given,
});

export const depositList = (
  items: Deposit[],
  { riskAccepted = true, ownWeek = null }: { riskAccepted?: boolean; ownWeek?: OwnWeek } = {},
) => ({
  items,
  next_cursor: null,
  risk_accepted: riskAccepted,
  own_week: ownWeek,
});
