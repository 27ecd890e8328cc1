import { describe, expect, test } from 'vitest';
import { closeAfterAll } from '#test/database/close-after-all.ts';
import { refusal, type TestApp, testApp } from '#test/worlds/app.ts';
import { mountAccounts, signUp } from '#test/worlds/members.ts';
import { openFundsWorld, usd } from './funds-world.test-setup.ts';
import { mountFunds, mountPayPage } from './index.ts';

const world = closeAfterAll(await openFundsWorld());
const app = closeAfterAll(await testApp(world.context, mountAccounts, mountFunds, mountPayPage));

const signedUp = async () => (await signUp(world.context)).token;
const create = (token: string, body: unknown, headers: Record<string, string> = {}) =>
  app.ask('POST', 'secure/create', { token, body, headers });
const form = (url: string, fields: Record<string, string>) =>
  app.ask('POST', url, {
    body: new URLSearchParams(fields).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  });

describe('deposits', () => {
  test('are made, listed and read by their member alone', async () => {
    const [token, other] = [await signedUp(), await signedUp()];
    const made = await create(token, { amount: 250, currency: 'USDT', risk_accepted: true });
    expect(made).toMatchObject({ status: 200, body: { status: 'success', data: { state: 'created', amount: 250 } } });
    const { id } = made.body.data;
    expect((await app.ask('GET', `secure/${id}`, { token })).body.data).toEqual(made.body.data);
    expect((await app.ask('GET', 'secure/hist?state=created', { token })).body.data).toEqual({
      items: [made.body.data],
      next_cursor: null,
      own_week: null,
      pay_with: [],
      risk_accepted: true,
    });
    expect(await app.ask('GET', `secure/${id}`, { token: other })).toMatchObject(refusal(404, 'deposit_not_found'));
    expect((await app.ask('GET', 'secure/hist', { token: other })).body.data.items).toEqual([]);
  });

  test('are not made with what no gateway takes', async () => {
    const token = await signedUp();
    for (const pay_with of ['TRC20', 'DOGE', '', null]) {
      const refused = await create(token, { amount: 250, pay_with });
      expect(refused).toMatchObject({ status: 422, body: { validation_results: [{ field: 'pay_with' }] } });
    }
    expect((await create(token, { amount: 250, pay_with: 'TRC20' })).body.code).toBe('pay_with_unavailable');
    expect((await app.ask('GET', 'secure/hist', { token })).body.data.items).toEqual([]);
  });

  test('are in the wallet call of their member while they are on their way', async () => {
    const [token, other] = [await signedUp(), await signedUp()];
    await create(token, { amount: 250 });
    const arriving = async (of: string) => (await app.ask('GET', 'auth/wallet', { token: of })).body.data.arriving;
    expect([await arriving(token), await arriving(other)]).toEqual([
      { count: 1, amount: 250 },
      { count: 0, amount: 0 },
    ]);
  });

  test('the same Idempotency-Key gives the first answer again', async () => {
    const token = await signedUp();
    const headers = { 'idempotency-key': 'k-1' };
    const first = await create(token, { amount: 10 }, headers);
    expect((await create(token, { amount: 10 }, headers)).body).toEqual(first.body);
    expect(await create(token, { amount: 11 }, headers)).toMatchObject(refusal(422, 'idempotency_mismatch'));
  });

  test('bad input names its field', async () => {
    const token = await signedUp();
    const cases: [unknown, string, string][] = [
      [{ amount: 5 }, 'deposit_out_of_limits', 'amount'],
      [{ amount: 50_001 }, 'deposit_out_of_limits', 'amount'],
      [{ amount: 100, currency: 'EUR' }, 'validation', 'currency'],
    ];
    for (const [body, code, field] of cases) {
      const answer = await create(token, body);
      expect(answer).toMatchObject(refusal(422, code, field));
    }
    expect((await app.ask('GET', 'secure/hist', { token })).body.data.items).toEqual([]);
    expect(await app.ask('GET', 'secure/hist?state=lost', { token })).toMatchObject({ status: 422 });
    expect(await app.ask('GET', 'secure/0', { token })).toMatchObject({ status: 422 });
    for (const query of ['secure/hist?cursor=x', 'auth/transaction-hist?cursor=x', 'auth/transaction-hist?kind=gift'])
      expect((await app.ask('GET', query, { token })).status).toBe(422);
  });
});

describe('from deposit to statement', () => {
  test('created, paid on the page, credited, and on the statement', async () => {
    const token = await signedUp();
    const { id, pay_url, reference } = (await create(token, { amount: 1000 })).body.data;
    const page = await app.ask('GET', pay_url);
    expect(page.status).toBe(200);
    expect(page.text).toContain('$1,000.00');
    expect(page.text).toContain(reference);
    const paid = await form(pay_url, { choice: 'full' });
    expect([paid.status, paid.headers.location]).toEqual([303, `/payment/success?deposit=${id}`]);
    const deposit = (await app.ask('GET', `secure/${id}`, { token })).body.data;
    expect(deposit).toMatchObject({
      state: 'credited',
      credited: 1000,
      pay_url: null,
      transaction: expect.stringMatching(/^sandbox-/),
    });
    const statement = await app.ask('GET', 'auth/transaction-hist?kind=deposit&wallet=primary', { token });
    expect(statement.body.data).toMatchObject({
      items: [{ kind: 'deposit', wallet: 'primary', amount: 1000, balance_after: 1000, reference, note: null }],
      next_cursor: null,
    });
  });
});

test('on a server that listens, the gateway reaches the webhook over a connection of its own', async () => {
  const asked: string[] = [];
  const record = (http: TestApp['http']) =>
    http.fastify.addHook('onRequest', async (request) => void asked.push(request.url));
  const listening = await testApp(world.context, record, mountFunds, mountPayPage);
  const address = await listening.http.fastify.listen({ port: 0, host: '127.0.0.1' });
  const deposit = await world.addDeposit(100);
  const paid = await fetch(`${address}${deposit.pay_url}`, {
    method: 'POST',
    body: new URLSearchParams({ choice: 'full' }),
    redirect: 'manual',
  });
  await listening.close();
  expect([paid.status, paid.headers.get('location')]).toEqual([303, `/payment/success?deposit=${deposit.id}`]);
  expect(asked.filter((url) => url === '/api/v1/webhooks/sandbox').length).toBeGreaterThanOrEqual(4);
  expect(await world.primary(deposit.member_id)).toBe(usd(100));
});

describe('the payment page', () => {
  test('stands outside the session, runs no script, and cannot be framed', async () => {
    const { pay_url } = await world.addDeposit(10);
    const page = await app.ask('GET', pay_url as string);
    expect(page.headers['content-type']).toBe('text/html; charset=utf-8');
    expect(page.headers['content-security-policy']).toBe(
      "default-src 'none'; style-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    );
    expect(page.headers['cache-control']).toBe('no-store');
    expect(page.text).toContain('Sandbox payments: no real money moves');
    expect(page.text).not.toMatch(/<script|\son\w+=|style="/);
    const style = await app.ask('GET', '/sandbox/pay.css');
    expect([style.status, style.headers['content-type']]).toEqual([200, 'text/css; charset=utf-8']);
  });

  test('escapes what it shows', async () => {
    const { config } = world.context;
    const context = { ...world.context, config: { ...config, brandName: '<b>"&\'' } };
    const branded = await testApp(context, mountPayPage);
    const { pay_url } = await world.addDeposit(10);
    const page = await branded.ask('GET', pay_url as string);
    expect(page.text).toContain('&lt;b&gt;&quot;&amp;&#39;');
    expect(page.text).not.toContain('<b>"');
    await branded.close();
  });

  test('less with a typed amount, then the rest', async () => {
    const deposit = await world.addDeposit(100);
    const url = deposit.pay_url as string;
    const less = await form(url, { choice: 'less', amount: '30.50' });
    expect([less.status, less.headers.location]).toEqual([303, `/payment/pending?deposit=${deposit.id}`]);
    const page = await app.ask('GET', url);
    expect(page.text).toContain('Remaining');
    expect(page.text).toContain('Pay $69.50 in full');
    expect((await form(url, { choice: 'full' })).headers.location).toBe(`/payment/success?deposit=${deposit.id}`);
    expect(await world.primary(deposit.member_id)).toBe(usd(100));
  });

  test.each([
    ['more', 'success', 'credited'],
    ['late', 'pending', 'review'],
    ['expire', 'cancelled', 'expired'],
    ['fail', 'failed', 'failed'],
  ])('%s leads to %s, and the deposit is %s', async (choice, status, state) => {
    const deposit = await world.addDeposit(100);
    const answer = await form(deposit.pay_url as string, { choice });
    expect([answer.status, answer.headers.location]).toEqual([303, `/payment/${status}?deposit=${deposit.id}`]);
    expect((await world.find(deposit.id)).state).toBe(state);
  });

  test('closed, it says so and offers to pay all the same', async () => {
    const deposit = await world.addDeposit(100);
    await form(deposit.pay_url as string, { choice: 'full' });
    const page = await app.ask('GET', deposit.pay_url as string);
    expect(page.text).toContain('This invoice is paid.');
    expect(page.text).toContain('Pay $100.00 anyway');
    expect(page.text).not.toContain('in full');
  });

  test.each<[Record<string, string>, string]>([
    [{ choice: 'less', amount: '100' }, 'Enter less than the amount due.'],
    [{ choice: 'more', amount: '99' }, 'Enter more than the amount due, up to $1,000,000.'],
    [{ choice: 'less', amount: 'half' }, 'Enter an amount in dollars and cents.'],
    [{ choice: 'steal' }, 'Press one of the buttons.'],
    [{}, 'Press one of the buttons.'],
  ])('%j is refused on the page itself', async (fields, words) => {
    const deposit = await world.addDeposit(100);
    const answer = await form(deposit.pay_url as string, fields);
    expect(answer.status).toBe(422);
    expect(answer.text).toContain(words);
    expect((await world.find(deposit.id)).state).toBe('created');
  });

  test('takes only forms of a sensible size', async () => {
    const { pay_url } = await world.addDeposit(10);
    expect((await app.ask('POST', pay_url as string, { body: { choice: 'full' } })).status).toBe(415);
    expect((await form(pay_url as string, { choice: 'x'.repeat(2000) })).status).toBe(413);
    expect(
      (await create(await signedUp(), 'amount=10', { 'content-type': 'application/x-www-form-urlencoded' })).status,
    ).toBe(415);
  });

  test('of an unknown address is not found', async () => {
    for (const token of ['x', 'A'.repeat(43), '%00']) {
      const page = await app.ask('GET', `/sandbox/pay/${token}`);
      expect([page.status, page.headers['content-type']]).toEqual([404, 'text/html; charset=utf-8']);
    }
    expect((await form(`/sandbox/pay/${'A'.repeat(43)}`, { choice: 'full' })).status).toBe(404);
  });
});
