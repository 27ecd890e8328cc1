import { beforeEach, describe, expect, test, vi } from 'vitest';
import { income, trading } from '#contract/endpoints.ts';
import { aUser } from '../../test/account.ts';
import { refused, stubServer, success } from '../../test/server.ts';
import { currentToasts } from '../ui/frame/toast.ts';
import { CallError, call, callForFile, callForReply } from './call.ts';
import { getAccessToken, onSessionEnd, signIn, signOut } from './sign-in-state.ts';
import { readStored } from './storage.ts';

const member = aUser();

const balance = () => call(trading.getWalletBalance);
const shown = () => currentToasts().map(({ tone, title }) => `${tone}: ${title}`);
const answerBalance = (status: number, body: unknown, headers = {}) =>
  stubServer({ 'GET /auth/wallet-balance': { status, body, headers } });

const trade = { tradeId: 'btc', amount: 250, wallet_type: 'primary' } as const;
const placeTrade = () => call(trading.placeTrade, { body: trade });

describe('requests', () => {
  test('a call goes to the versioned base URL with the bearer token of the signed-in member', async () => {
    signIn('secret', member);
    const calls = stubServer({ 'GET /auth/wallet-balance': success({ primary_wallet: 1, profit_wallet: 2 }) });
    await expect(balance()).resolves.toEqual({ primary_wallet: 1, profit_wallet: 2 });
    expect(calls[0]?.url).toBe('/api/v1/auth/wallet-balance');
    expect(calls[0]?.headers.get('authorization')).toBe('Bearer secret');
  });

  test('a public call carries no token', async () => {
    signIn('secret', member);
    const calls = stubServer({ 'GET /trading/session': success(null) });
    await call(trading.getSession);
    expect(calls[0]?.headers.get('authorization')).toBeNull();
  });

  test('undefined query values are dropped, path parameters are filled in and escaped', async () => {
    const calls = stubServer({
      'GET /trading/fetch-user-trade': success({ items: [], next_cursor: null }),
      'POST /trading/1%2F2/close': success({}),
    });
    await call(trading.listTrades, { query: { state: 'open', cursor: undefined } });
    await call(trading.closeTrade, { params: { id: '1/2' } });
    expect(calls.map(({ url }) => url)).toEqual([
      '/api/v1/trading/fetch-user-trade?state=open',
      '/api/v1/trading/1%2F2/close',
    ]);
  });

  test('a body is JSON', async () => {
    const calls = stubServer({ 'POST /trading/do-trade': success({}) });
    await placeTrade();
    expect(calls[0]?.headers.get('content-type')).toBe('application/json');
    expect(calls[0]?.body).toEqual(trade);
  });
});

describe('idempotency keys', () => {
  const keyOf = (calls: { headers: Headers }[], index: number) => calls[index]?.headers.get('idempotency-key');

  test('calls that move money carry a key, a new one after each answered request; others carry none', async () => {
    const calls = stubServer({
      'POST /trading/do-trade': success({}),
      'GET /auth/wallet-balance': success({}),
    });
    await placeTrade();
    await placeTrade();
    await balance();
    expect(keyOf(calls, 0)).toMatch(/^[\w-]{43}$/);
    expect(keyOf(calls, 1)).not.toBe(keyOf(calls, 0));
    expect(keyOf(calls, 2)).toBeNull();
  });

  test.each([
    ['no answer came', 'no answer' as const, 'No connection.'],
    ['the answer leaves the outcome open', { status: 500, body: { status: 'error', message: 'Broken.' } }, 'Broken.'],
  ])('the same request reuses its key when %s', async (_, first, message) => {
    const calls = stubServer({ 'POST /trading/do-trade': first });
    await expect(placeTrade()).rejects.toThrow(message);
    const again = stubServer({ 'POST /trading/do-trade': success({}) });
    await placeTrade();
    expect(keyOf(again, 0)).toBe(keyOf(calls, 0));
    await placeTrade();
    expect(keyOf(again, 1)).not.toBe(keyOf(calls, 0));
  });

  test.each(['{"status":"suc', '<html>'])('a truncated or foreign answer reuses the key: %s', async (body) => {
    const keys: (string | null)[] = [];
    vi.stubGlobal('fetch', async (_url: string, init: RequestInit) => {
      keys.push(new Headers(init.headers).get('idempotency-key'));
      return new Response(keys.length === 1 ? body : JSON.stringify({ status: 'success', data: {} }));
    });
    await expect(placeTrade()).rejects.toThrow('Something went wrong');
    await placeTrade();
    await placeTrade();
    expect(keys[1]).toBe(keys[0]);
    expect(keys[2]).not.toBe(keys[0]);
  });

  describe('when the outcome of a commit is unknown', () => {
    const unknown = {
      status: 503,
      body: { status: 'error', code: 'outcome_unknown', message: 'The same Idempotency-Key tells.' },
      headers: { 'retry-after': '1' },
    };
    const running = refused(409, 'idempotency_running', 'Running.');
    const keysOf = (calls: { headers: Headers }[]) => new Set(calls.map((_, index) => keyOf(calls, index)));
    beforeEach(() => {
      vi.useFakeTimers();
      return () => vi.useRealTimers();
    });

    test('the call repeats with the same key until the outcome is known, and shows no error', async () => {
      const answers = [unknown, running, success({ id: '7' })];
      const calls = stubServer({ 'POST /trading/do-trade': () => answers.shift() ?? success({}) });
      const placed = placeTrade();
      await vi.advanceTimersByTimeAsync(10_000);
      await expect(placed).resolves.toEqual({ id: '7' });
      expect([calls.length, keysOf(calls).size, shown()]).toEqual([3, 1, []]);
      await placeTrade();
      expect(keysOf(calls).size).toBe(2);
    });

    test('it is repeated when the server says', async () => {
      const answers = [{ ...unknown, headers: { 'retry-after': '3' } }];
      const calls = stubServer({ 'POST /trading/do-trade': () => answers.shift() ?? success({}) });
      const placed = placeTrade();
      await vi.advanceTimersByTimeAsync(2_999);
      expect(calls).toHaveLength(1);
      await vi.advanceTimersByTimeAsync(1);
      await placed;
      expect(calls).toHaveLength(2);
    });

    test('after four tries the member is told what to do, and doing so reuses the key', async () => {
      const calls = stubServer({ 'POST /trading/do-trade': unknown });
      const placed = expect(placeTrade()).rejects.toMatchObject({ status: 503, code: 'outcome_unknown' });
      await vi.advanceTimersByTimeAsync(10_000);
      await placed;
      expect(shown()).toEqual([
        'error: We could not confirm whether this went through. Press the button again without changes. It will not be done twice.',
      ]);
      const again = stubServer({ 'POST /trading/do-trade': success({}) });
      await placeTrade();
      expect([calls.length, keysOf([...calls, ...again]).size]).toEqual([4, 1]);
    });

    test.each([401, 429])('a %i, sent before the key is looked up, leaves the outcome unknown', async (status) => {
      const answers = [unknown];
      const calls = stubServer({
        'POST /trading/do-trade': () => answers.shift() ?? { status, body: { status: 'error', message: 'Wait.' } },
      });
      const placed = expect(placeTrade()).rejects.toMatchObject({ code: 'outcome_unknown' });
      await vi.advanceTimersByTimeAsync(10_000);
      await placed;
      const again = stubServer({ 'POST /trading/do-trade': success({}) });
      await placeTrade();
      expect(keysOf([...calls, ...again]).size).toBe(1);
    });

    test('a call without a key is not repeated, and says to check first', async () => {
      const calls = stubServer({ 'PUT /trading/7/stops': unknown });
      const set = call(trading.setTradeStops, { params: { id: '7' }, body: { stop_loss: 5 } });
      await expect(set).rejects.toMatchObject({ code: 'outcome_unknown' });
      expect([calls.length, shown()]).toEqual([
        1,
        ['error: We could not confirm whether this went through. Reload the page and check before you try again.'],
      ]);
    });
  });

  test('a refusal is an answer: the next try has a new key', async () => {
    const calls = stubServer({ 'POST /trading/do-trade': { status: 422, body: { status: 'error', message: 'No.' } } });
    await expect(placeTrade()).rejects.toThrow(new CallError(422, 'No.'));
    await expect(placeTrade()).rejects.toThrow(new CallError(422, 'No.'));
    expect(keyOf(calls, 1)).not.toBe(keyOf(calls, 0));
  });
});

describe('accepted answers', () => {
  test.each([
    ['status is success', { status: 'success', data: 1 }],
    ['a success flag is set', { success: true, data: 1 }],
    ['any status is set', { status: 'done', data: 1 }],
  ])('%s', async (_, body) => {
    answerBalance(200, body);
    await expect(balance()).resolves.toBe(1);
    expect(shown()).toEqual([]);
  });

  test('a 200 without status or success flag is an error and shows its message', async () => {
    answerBalance(200, { message: 'Half an answer.' });
    await expect(balance()).rejects.toThrow('Half an answer.');
    expect(shown()).toEqual(['error: Half an answer.']);
  });

  test('the message of a success reaches callers that show it', async () => {
    stubServer({ 'GET /auth/wallet-balance': success({}, 'Here you are.') });
    await expect(callForReply(trading.getWalletBalance)).resolves.toMatchObject({ message: 'Here you are.' });
  });
});

describe('the error shown', () => {
  test.each([
    [
      'the first validation message before all else',
      {
        validation_results: [
          { field: 'a', message: 'First.' },
          { field: 'b', message: 'Second.' },
        ],
        message: 'Third.',
      },
      ['First.'],
    ],
    ['else the message', { message: 'Third.', error: 'Fourth.' }, ['Third.']],
    ['else the error when it is a text', { error: 'Fourth.' }, ['Fourth.']],
    [
      'else each item of a list as field and reason',
      {
        error: [
          { field: 'amount', reason: 'too small' },
          { field: 'otp', reason: 'missing' },
        ],
      },
      ['amount: too small', 'otp: missing'],
    ],
    ['else that something went wrong', {}, ['Something went wrong. Please try again.']],
  ])('%s', async (_, body, lines) => {
    answerBalance(422, { status: 'error', ...body });
    await expect(balance()).rejects.toThrow(CallError);
    expect(shown()).toEqual(lines.map((line) => `error: ${line}`));
  });

  test('an answer that is not JSON is reported as a generic error', async () => {
    vi.stubGlobal('fetch', async () => new Response('<html>', { status: 502 }));
    await expect(balance()).rejects.toMatchObject({ status: 502 });
    expect(shown()).toEqual(['error: Something went wrong. Please try again.']);
  });

  test('the error reaches the caller with status, code, the first message of each field, and request id', async () => {
    answerBalance(
      422,
      {
        status: 'error',
        code: 'insufficient_funds',
        message: 'Insufficient balance.',
        validation_results: [
          { field: 'amount', message: 'Insufficient balance.' },
          { field: 'amount', message: 'Too precise.' },
        ],
      },
      { 'x-request-id': 'req-1' },
    );
    await expect(balance()).rejects.toMatchObject({
      status: 422,
      code: 'insufficient_funds',
      fields: { amount: 'Insufficient balance.' },
      requestId: 'req-1',
    });
  });

  test('without an answer a button shows a toast, and a list has its own place for the error', async () => {
    stubServer({});
    await expect(balance()).rejects.toMatchObject({ status: 0 });
    expect(shown()).toEqual([]);
    await expect(placeTrade()).rejects.toMatchObject({ status: 0 });
    expect(shown()).toEqual(['error: No connection. Please try again.']);
  });

  test('a call that its page aborted shows nothing', async () => {
    const abort = new AbortController();
    abort.abort();
    stubServer({});
    await expect(call(trading.getWalletBalance, { signal: abort.signal })).rejects.not.toBeInstanceOf(CallError);
    expect(shown()).toEqual([]);
  });

  test('nor does one whose answer was still arriving', async () => {
    const abort = new AbortController();
    vi.stubGlobal('fetch', async () => {
      abort.abort();
      return new Response('{"status":"suc');
    });
    await expect(call(trading.getWalletBalance, { signal: abort.signal })).rejects.not.toBeInstanceOf(CallError);
    expect(shown()).toEqual([]);
  });
});

describe('a 401', () => {
  const ended = vi.fn();
  beforeEach(() => {
    ended.mockClear();
    signIn('secret', member);
    return onSessionEnd(ended);
  });

  test.each([
    ['message', { message: 'Please sign in.' }],
    ['msg', { msg: 'Please sign in.' }],
  ])('shows its %s, clears the token, goes to / and reaches the caller', async (_, body) => {
    answerBalance(401, { status: 'error', ...body });
    await expect(balance()).rejects.toMatchObject({ status: 401 });
    expect(shown()).toEqual(['error: Please sign in.']);
    expect(getAccessToken()).toBeUndefined();
    expect(readStored('accessToken')).toBeUndefined();
    expect(ended).toHaveBeenCalledOnce();
  });

  test.each([
    ['nobody', () => signOut()],
    ['somebody else', () => signIn('newer', member)],
  ])('for a session already ended is ignored when %s is signed in by now', async (_, comeAfter) => {
    const asked = Promise.withResolvers<void>();
    const answer = Promise.withResolvers<Response>();
    vi.stubGlobal('fetch', () => {
      asked.resolve();
      return answer.promise;
    });
    const refused = expect(balance()).rejects.toMatchObject({ status: 401 });
    await asked.promise;
    comeAfter();
    const token = getAccessToken();
    answer.resolve(Response.json({ status: 'error', message: 'Please sign in.' }, { status: 401 }));
    await refused;
    expect(shown()).toEqual([]);
    expect(getAccessToken()).toBe(token);
    expect(ended).not.toHaveBeenCalled();
  });

  test('for a token that is still to be verified is shown', async () => {
    signOut();
    answerBalance(401, { status: 'error', message: 'Please sign in.' });
    await expect(call(trading.getWalletBalance, { token: 'from a link' })).rejects.toMatchObject({ status: 401 });
    expect(shown()).toEqual(['error: Please sign in.']);
  });

  test('any other refusal leaves the token alone', async () => {
    answerBalance(403, { status: 'error', message: 'Not yours.' });
    await expect(balance()).rejects.toThrow(new CallError(403, 'Not yours.'));
    expect(getAccessToken()).toBe('secret');
    expect(ended).not.toHaveBeenCalled();
  });
});

describe('a file', () => {
  const payout = () => callForFile(income.getPayout, { query: { format: 'csv', kind: 'weekly' } });

  test('is requested with the token in the header, never in the address, and arrives byte for byte', async () => {
    signIn('secret', member);
    const sent: { url: string; headers: Headers }[] = [];
    vi.stubGlobal('fetch', async (url: string, init: RequestInit) => {
      sent.push({ url, headers: new Headers(init.headers) });
      return new Response('Day,Kind\r\n');
    });
    expect(await (await payout()).text()).toBe('Day,Kind\r\n');
    expect(sent[0]?.url).toBe('/api/v1/payout?format=csv&kind=weekly');
    expect(sent[0]?.headers.get('authorization')).toBe('Bearer secret');
    expect(sent[0]?.headers.get('accept')).toBe('text/csv');
  });

  test('that is refused shows why, as every call does', async () => {
    stubServer({
      'GET /payout': { status: 422, body: { status: 'error', message: 'The period ends before it begins.' } },
    });
    await expect(payout()).rejects.toThrow(CallError);
    expect(shown()).toEqual(['error: The period ends before it begins.']);
  });
});
