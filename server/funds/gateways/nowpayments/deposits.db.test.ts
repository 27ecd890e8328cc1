import { afterEach, describe, expect, test } from 'vitest';
import { getMember } from '#server/accounts/index.ts';
import { closeAfterAll } from '#test/database/close-after-all.ts';
import { type Ipn, nowpaymentsEnv, signIpnText, startNowpayments } from '#test/fake-servers/nowpayments.ts';
import { refusal, testApp } from '#test/worlds/app.ts';
import { actorOf, makeOperator } from '#test/worlds/operators.ts';
import { createDeposit } from '../../deposits/create-deposit.ts';
import { followDeposit } from '../../deposits/follow-deposit.ts';
import { reconcileDeposits } from '../../deposits/reconcile-deposits.ts';
import { getDeposit } from '../../deposits/show-deposit.ts';
import type { DepositRow } from '../../deposits/sql.ts';
import { openFundsWorld, usd } from '../../funds-world.test-setup.ts';
import { decideDeposit } from '../../review/decide-deposit.ts';
import { mountFunds } from '../../routes.ts';

const node = closeAfterAll(await startNowpayments());
const world = closeAfterAll(await openFundsWorld(nowpaymentsEnv(node)));
node.clock.now = () => world.clock.now().getTime();
const app = closeAfterAll(await testApp(world.context, mountFunds));
afterEach(() => {
  node.interferences.splice(0);
  node.ipns.splice(0);
  node.namesLater = true;
});

const post = ({ rawBody, headers }: Omit<Ipn, 'paymentId'>) =>
  app.ask('POST', 'webhooks/nowpayments', { body: rawBody.toString('utf8'), headers: { ...headers } });
/** Sends notifications of everything that happened since. */
const tell = async () => {
  for (const ipn of node.ipns.splice(0)) expect((await post(ipn)).status).toBe(200);
};
const addDeposit = async (amount = 100, memberId?: bigint): Promise<DepositRow> => {
  const body = { amount, pay_with: 'TRC20' as const };
  const { id } = await createDeposit(world.context, memberId ?? (await world.addMember()), body, undefined);
  return world.find(BigInt(id));
};
const paymentOf = (deposit: DepositRow) => deposit.invoice_id as string;
const held = async (deposit: DepositRow) => {
  const { booked_micros, credited_micros } = await world.find(deposit.id);
  return booked_micros - (credited_micros ?? 0n);
};
const expectEnd = async (deposit: DepositRow, state: string, credited: number, inReview: number) => {
  expect((await world.find(deposit.id)).state).toBe(state);
  expect(await world.primary(deposit.member_id)).toBe(usd(credited));
  expect(await held(deposit)).toBe(usd(inReview));
};

describe('a deposit in USDT', () => {
  test('is paid to an address of its own, followed by notifications and credited at par', async () => {
    const deposit = await addDeposit();
    const shown = () => getDeposit(world.context, deposit.member_id, deposit.id);
    expect(await shown()).toMatchObject({
      state: 'created',
      pay_with: 'TRC20',
      pay_url: null,
      pay_ways: [{ label: 'USDT on Tron (TRC20)', due: '100', currency: 'USDT' }],
      expires_at: '2026-03-04T13:00:00.000Z',
    });
    expect(node.get(paymentOf(deposit))).toMatchObject({ currency: 'usdttrc20', payAmount: 100 });
    expect(node.callbackUrls.get(`${deposit.id}`)).toBe('https://tradewind.example/api/v1/webhooks/nowpayments');

    node.pay(paymentOf(deposit), 100.25);
    await tell();
    expect(await shown()).toMatchObject({ state: 'pending', pay_ways: [] });
    expect(await world.primary(deposit.member_id)).toBe(0n);
    node.finish(paymentOf(deposit));
    await tell();
    expect(await shown()).toMatchObject({ state: 'credited', credited: 100.25, pay_ways: [] });
    expect((await shown()).transaction).toBe(node.get(paymentOf(deposit)).hash);
    await expectEnd(deposit, 'credited', 100.25, 0);
    expect(await world.messages(deposit.member_id)).toHaveLength(1);
  });

  test('that is underpaid waits for the rest, and a person decides when the time is over', async () => {
    const deposit = await addDeposit();
    node.pay(paymentOf(deposit), 60);
    node.finishPart(paymentOf(deposit));
    await tell();
    expect(await getDeposit(world.context, deposit.member_id, deposit.id)).toMatchObject({
      state: 'underpaid',
      paid: 60,
      pay_ways: [{ due: '40' }],
    });
    world.clock.advance(3601);
    await reconcileDeposits(world.context);
    await expectEnd(deposit, 'review', 0, 60);
  });

  test('that is paid days later without a notification is found by reconciliation, for a week', async () => {
    const [deposit, later] = [await addDeposit(), await addDeposit()];
    const day = 24 * 3600;
    world.clock.advance(3601);
    await reconcileDeposits(world.context);
    world.clock.advance(6 * day);
    node.pay(paymentOf(deposit), 100);
    node.finish(paymentOf(deposit));
    await reconcileDeposits(world.context);
    await expectEnd(deposit, 'review', 0, 100);
    world.clock.advance(day + 3600);
    node.pay(paymentOf(later), 100);
    await reconcileDeposits(world.context);
    expect((await world.find(later.id)).state).toBe('expired');
  });

  test('that was seen in time is credited however long it takes', async () => {
    const deposit = await addDeposit();
    node.pay(paymentOf(deposit), 100);
    await tell();
    world.clock.advance(7200);
    node.finish(paymentOf(deposit));
    await tell();
    await expectEnd(deposit, 'credited', 100, 0);
  });

  test.each([true, false])('that is paid twice keeps the second in review (the first names it: %s)', async (names) => {
    node.namesLater = names;
    const deposit = await addDeposit();
    node.pay(paymentOf(deposit), 100);
    node.finish(paymentOf(deposit));
    const second = node.payAgain(paymentOf(deposit), 100);
    node.finish(second);
    await tell();
    await expectEnd(deposit, 'review', 100, 100);
    await reconcileDeposits(world.context);
    await expectEnd(deposit, 'review', 100, 100);
  });

  test('that is paid once counts once, even if the gateway answers for another payment with this one', async () => {
    const deposit = await addDeposit();
    node.pay(paymentOf(deposit), 100);
    node.finish(paymentOf(deposit));
    const second = node.payAgain(paymentOf(deposit), 100);
    const first = await fetch(`${node.url}/v1/payment/${paymentOf(deposit)}`, {
      headers: { 'x-api-key': node.apiKey },
    });
    const again = { call: 'getPayment', with: { status: 200, body: await first.json() } } as const;
    const follow = () => followDeposit(world.context, world.gateway, deposit.id);
    node.interferences.push(again, again);
    await expect(follow()).rejects.toMatchObject({ code: 'gateway_unavailable' });
    await expectEnd(deposit, 'created', 0, 0);
    node.finish(second);
    await follow();
    await expectEnd(deposit, 'review', 100, 100);
  });

  test('paid again: when the gateway takes a payment back, it is not credited from review, and what was credited freezes the member', async () => {
    const finance = await makeOperator(world.context, 'finance');
    const paidTwice = async () => {
      const deposit = await addDeposit();
      node.pay(paymentOf(deposit), 100);
      node.finish(paymentOf(deposit));
      const second = node.payAgain(paymentOf(deposit), 30);
      node.finish(second);
      await tell();
      await expectEnd(deposit, 'review', 100, 30);
      return { deposit, second };
    };
    const credit = async ({ id }: DepositRow) => {
      const { version } = await world.find(id);
      const review = { decision: 'credit', version, reason: 'Yours.', otp: await finance.code() } as const;
      return decideDeposit(world.context, actorOf(finance), id, review);
    };
    const held = await paidTwice();
    node.change(held.second, 'refunded');
    await tell();
    await expect(credit(held.deposit)).rejects.toMatchObject({ code: 'deposit_reversed' });

    const credited = await paidTwice();
    await credit(credited.deposit);
    node.change(credited.second, 'refunded');
    await tell();
    await expectEnd(credited.deposit, 'review', 130, 0);

    const { deposit } = await paidTwice();
    node.change(paymentOf(deposit), 'refunded');
    await tell();
    await expectEnd(deposit, 'review', 100, 30);
    await reconcileDeposits(world.context);
    const told = (await world.messages(deposit.member_id)).filter((message) =>
      message.includes('reversed the payment'),
    );
    expect(told).toHaveLength(1);
    const isFrozen = async ({ member_id }: DepositRow) =>
      (await getMember(world.context.db, member_id)).frozenAt !== null;
    expect(await Promise.all([held.deposit, credited.deposit, deposit].map(isFrozen))).toEqual([false, true, true]);
  });
});

describe('a notification', () => {
  test('that is forged is answered with 401 and credits nothing, whatever it says', async () => {
    const deposit = await addDeposit();
    const asked = node.calls.length;
    const text = JSON.stringify({ payment_id: Number(deposit.invoice_id), payment_status: 'finished' });
    const forged = [
      { rawBody: Buffer.from(text), headers: { 'content-type': 'application/json' } },
      signIpnText('a-guessed-secret', text),
      { ...signIpnText(node.ipnSecret, text), rawBody: Buffer.from(text.replace('finished', 'sending')) },
    ];
    for (const ipn of forged) expect(await post(ipn)).toMatchObject(refusal(401, 'bad_signature'));
    expect(node.calls).toHaveLength(asked);
    // Correctly signed but false: the gateway is queried and reports the real state.
    expect((await post(signIpnText(node.ipnSecret, text))).status).toBe(200);
    await expectEnd(deposit, 'created', 0, 0);
  });

  test('of a payment that is not ours, or of nothing, does nothing', async () => {
    const ipn = (body: object) => post(signIpnText(node.ipnSecret, JSON.stringify(body)));
    expect((await ipn({ payment_id: 77, payment_status: 'finished' })).status).toBe(200);
    expect((await ipn({ id: '6', batch_withdrawal_id: '5', status: 'FINISHED' })).status).toBe(200);
    for (const odd of [
      {},
      { batch_withdrawal_id: '5', payment_id: '../1' },
      { payment_id: '../1', payment_status: 'finished' },
      { payment_id: 5 },
    ])
      expect((await ipn(odd)).status).toBe(400);
  });

  test('that claims another payment as a later one of an invoice moves nothing: its own words decide', async () => {
    const [deposit, other] = [await addDeposit(), await addDeposit()];
    node.pay(paymentOf(other), 100);
    node.finish(paymentOf(other));
    const claim = { payment_id: Number(other.invoice_id), parent_payment_id: Number(deposit.invoice_id) };
    await post(signIpnText(node.ipnSecret, JSON.stringify({ ...claim, payment_status: 'finished' })));
    await expectEnd(deposit, 'created', 0, 0);
  });

  test('while the gateway does not answer is answered with 503 and comes again', async () => {
    const deposit = await addDeposit();
    node.pay(paymentOf(deposit), 100);
    node.finish(paymentOf(deposit));
    const [ipn] = node.ipns.splice(0);
    node.interferences.push({ call: 'getPayment', with: { status: 500, body: {} } });
    expect((await post(ipn as Ipn)).status).toBe(503);
    expect((await post(ipn as Ipn)).status).toBe(200);
    await expectEnd(deposit, 'credited', 100, 0);
  });
});

describe('making a payment', () => {
  const create = async () =>
    createDeposit(world.context, await world.addMember(), { amount: 100, pay_with: 'ERC20' }, undefined);

  test.each([
    ['refuses', { status: 400, body: { statusCode: 400, code: 'BAD_REQUEST', message: 'amountTo is too small' } }],
    ['breaks off', 'break'],
    ['breaks off after it was done', 'do_and_break'],
    ['answers oddly', { status: 201, body: { payment_id: 'x' } }],
    [
      'answers with another payment',
      {
        status: 201,
        body: {
          payment_id: '5',
          payment_status: 'waiting',
          pay_address: 'T',
          price_currency: 'usd',
          pay_amount: 1,
          pay_currency: 'btc',
        },
      },
    ],
  ] as const)(
    'when the gateway %s leaves a deposit without an address, which reconciliation gives one',
    async (_, fault) => {
      node.interferences.push({ call: 'createPayment', with: fault });
      await reconcileDeposits(world.context);
      await expect(create()).rejects.toMatchObject({ code: 'gateway_unavailable' });
      world.clock.advance(61);
      expect((await reconcileDeposits(world.context)).changed).toBe(1);
    },
  );
});

test('what the account holds is reported at par, and not while it holds another coin', async () => {
  node.balance
    .set('usdttrc20', { amount: 1000.5, pendingAmount: '20' })
    .set('usdterc20', { amount: '7', pendingAmount: 0 });
  node.balance.set('btc', { amount: 0, pendingAmount: 0 });
  expect(await world.gateway.reportBalance()).toBe(usd(1027.5));
  node.balance.set('btc', { amount: 0.1, pendingAmount: 0 });
  expect(await world.gateway.reportBalance()).toBeUndefined();
});
