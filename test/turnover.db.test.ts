import { expect, test } from 'vitest';
import { inTransaction } from '#server/db/tx.ts';
import { mountFunds } from '#server/funds/index.ts';
import { runMarket } from '#server/income/index.ts';
import { post } from '#server/ledger/index.ts';
import { mountConsole } from '#server/operator/index.ts';
import { mountTrading } from '#server/trading/index.ts';
import { closeAfterAll } from '#test/database/close-after-all.ts';
import { bootRecorded } from '#test/kit/boot.ts';
import { playUntil } from '#test/recorded/recorded-market.ts';
import { testApp } from '#test/worlds/app.ts';
import { giveFunds, signUp } from '#test/worlds/members.ts';
import { makeOperator } from '#test/worlds/operators.ts';

/** A member with 8 · 10⁹ dollars, who turns over more than a JSON number carries exactly, which no balance exceeds. */
const { context } = closeAfterAll(await bootRecorded());
const app = closeAfterAll(await testApp(context, mountFunds, mountTrading, mountConsole));
const ann = await signUp(context);
const operator = await makeOperator(context, 'finance');
await giveFunds(context, ann.memberId, 8_000_000_000_000_000n);

const DAY = '2026-03-04';
const play = (time: string) => playUntil(context, `${DAY}T${time}Z`, () => runMarket(context));
const read = async (url: string, { token }: { readonly token: string } = ann) => {
  const { status, body } = await app.ask('GET', url, { token });
  expect([url, status]).toEqual([url, 200]);
  return body.data;
};

test('corrections of billions to and fro are summed in a statement', async () => {
  const [wallet, house] = [{ memberId: ann.memberId, class: 'primary' } as const, { class: 'adjustments' } as const];
  const correction = {
    amountMicros: 7_500_000_000_250_000n,
    reason: 'correction',
    reference: 'AD-1',
    marketAt: context.now(),
  } as const;
  const out = (key: string) => ({ key, from: wallet, to: house, ...correction });
  const back = (key: string) => ({ key, from: house, to: wallet, ...correction });
  await inTransaction(context.db, (tx) => post(tx, [out('1'), back('2'), out('3'), back('4')]));
  expect(await read('auth/statement')).toMatchObject({ received: 23_000_000_000.5, spent: 15_000_000_000.5 });
});

test('what was traded in a session is summed, for the member and for operators', async () => {
  const trade = { tradeId: 'btc', amount: 5_000_000_000, wallet_type: 'primary' };
  const place = () => app.ask('POST', 'trading/do-trade', { token: ann.token, body: trade });
  const { id } = (await place()).body.data;
  await play('13:00:00');
  expect((await app.ask('POST', `trading/${id}/close`, { token: ann.token })).status).toBe(200);
  await play('13:05:00');
  expect((await place()).status).toBe(200);
  await play('17:40:00');

  expect(await read('auth/wallet-summary')).toMatchObject({ traded_volume: 10_000_000_000 });
  const { by_asset: assets, realised_by_day: days } = await read('trading/portfolio');
  expect([assets, days]).toMatchObject([[{ volume: 10_000_000_000 }], [{ volume: 10_000_000_000 }]]);
  expect(await read(`operator/sessions/${DAY}`, operator)).toMatchObject({
    figures: { staked: 10_000_000_000 },
    assets: [{ staked: 10_000_000_000 }],
  });
});

test('what was deposited and withdrawn is summed, over the life of an account and by day', async () => {
  const own = (name: 'primary' | 'withdrawal_hold') => ({ memberId: ann.memberId, class: name });
  const about = { amountMicros: 4_000_000_000_000_000n, reference: 'WD-1', marketAt: new Date(`${DAY}T16:00:00Z`) };
  await inTransaction(context.db, (tx) =>
    post(tx, [
      { key: 'held', from: own('primary'), to: own('withdrawal_hold'), reason: 'withdrawal_hold', ...about },
      { key: 'paid', from: own('withdrawal_hold'), to: { class: 'gateway' }, reason: 'withdrawal_payout', ...about },
      { key: 'again', from: { class: 'gateway' }, to: own('primary'), reason: 'deposit', ...about },
    ]),
  );
  expect(await read('auth/wallet-summary')).toMatchObject({ deposited: 12_000_000_000, withdrawn: 4_000_000_000 });
  await read('trading/portfolio');
  expect((await read('operator/overview', operator)).today).toMatchObject({ deposits: 12_000_000_000 });
});
