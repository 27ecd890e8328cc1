import { act } from '@testing-library/react';
import { vi } from 'vitest';

export type Answer = { status?: number; body?: unknown; headers?: Record<string, string> };
export type Answers = Record<string, Answer | ((call: Call) => Answer | Promise<Answer>) | 'no answer' | 'never'>;

export type Call = { name: string; url: string; headers: Headers; body: unknown };

export const success = (data: unknown, message?: string): Answer => ({ body: { status: 'success', message, data } });

/** A list of which only these are loaded; any of `all` is found by its id. */
export const listed =
  (all: readonly { id: string }[], loaded: readonly { id: string }[] = all) =>
  ({ url }: Call): Answer => {
    const id = new URL(url, 'http://test').searchParams.get('id');
    return success({ items: id === null ? loaded : all.filter((one) => one.id === id), next_cursor: null });
  };

/** With a field, the error is shown there as well. */
export const refused = (status: number, code: string, message: string, field?: string) => ({
  status,
  body: { status: 'error', code, message, ...(field ? { validation_results: [{ field, message }] } : {}) },
});

/** Answers `fetch` by `METHOD /path` below /api/v1 (without the query), and records the calls. */
export function stubServer(answers: Answers): Call[] {
  const calls: Call[] = [];
  vi.stubGlobal('fetch', async (url: string, init: RequestInit = {}) => {
    const path = url.replace('/api/v1', '').split('?')[0];
    const name = `${init.method ?? 'GET'} ${path}`;
    const body = typeof init.body === 'string' ? JSON.parse(init.body) : undefined;
    const call = { name, url, headers: new Headers(init.headers), body };
    calls.push(call);
    const found = answers[name];
    if (found === undefined || found === 'no answer') throw new TypeError('Failed to fetch');
    if (found === 'never') return new Promise<Response>(() => undefined);
    const answer = await (typeof found === 'function' ? found(call) : found);
    // The page that read it is gone.
    init.signal?.throwIfAborted();
    return new Response(JSON.stringify(answer.body), { status: answer.status ?? 200, headers: answer.headers ?? {} });
  });
  return calls;
}

const { setTimeout: later } = globalThis;
/** After whatever was pressed could have called the server: at once, nothing was sent in any case. */
export const settled = () => act(() => new Promise<void>((resolve) => void later(resolve)));
