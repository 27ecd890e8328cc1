import { describe, expect, test } from 'vitest';
import { registerMember } from '#server/accounts/index.ts';
import { listRows } from '#server/db/rows.ts';
import { createDeposit, payInSandbox } from '#server/funds/index.ts';
import { closeAfterAll } from '#test/database/close-after-all.ts';
import { bootRecorded } from '#test/kit/boot.ts';
import { BadConfig } from './config.ts';
import type { Context } from './context.ts';
import type { Service } from './db/installation.ts';
import { findMixedMoney, type Held, moneyOf, refuseMixedMoney, rememberService } from './refuse-mixed-money.ts';

const nothing: Held = { sandboxDeposits: false, coinDeposits: false, recordedMarket: false };
const paper: Service = { mode: 'paper', money: 'simulated' };
const staging: Service = { mode: 'staging', money: 'simulated' };
const testnet: Service = { mode: 'staging', money: 'test' };
const rehearsal: Service = { mode: 'staging', money: 'real' };
const live: Service = { mode: 'live', money: 'real' };

describe('which mode may follow which', () => {
  test.each<[string, Service, Service[], Partial<Held>]>([
    ['a new database in any mode', live, [], {}],
    ['paper again', paper, [paper], { sandboxDeposits: true, recordedMarket: true }],
    ['staging after paper, with sandbox payments', staging, [paper], { sandboxDeposits: true }],
    ['paper after staging', paper, [staging, testnet], { sandboxDeposits: true, coinDeposits: true }],
    ['live after staging without payments', live, [staging, testnet], {}],
    ['live after staging on real money', live, [rehearsal], { coinDeposits: true }],
    ['live again', live, [live], { coinDeposits: true }],
  ])('%s', (_, now, before, held) => {
    expect(findMixedMoney(now, before, { ...nothing, ...held })).toBeUndefined();
  });

  test.each<[string, Service, Service[], Partial<Held>, string]>([
    ['live after paper, even an empty one', live, [paper], {}, 'MODE: this database was served with MODE=paper'],
    ['live after paper and staging', live, [staging, paper], {}, 'MODE: this database was served with MODE=paper'],
    ['paper after live', paper, [live], {}, 'MODE: this database is of MODE=live'],
    ['staging after live', rehearsal, [rehearsal, live], {}, 'MODE: this database is of MODE=live'],
    [
      'live on sandbox deposits, even in an older database',
      live,
      [],
      { sandboxDeposits: true },
      'PAYMENTS: this database holds sandbox deposits',
    ],
    [
      'real money in staging on sandbox deposits',
      rehearsal,
      [paper],
      { sandboxDeposits: true },
      'PAYMENTS: this database holds sandbox deposits',
    ],
    [
      'live on test coins',
      live,
      [testnet],
      { coinDeposits: true },
      'BITCOIN_NETWORK: this database holds deposits of test coins or of trading in a sandbox',
    ],
    [
      'live on a simulated clock',
      live,
      [],
      { recordedMarket: true },
      'MARKET_FEED: this database has a simulated or recorded market',
    ],
    [
      'sandbox payments on real deposits',
      staging,
      [rehearsal],
      { coinDeposits: true },
      'PAYMENTS: this database holds real deposits',
    ],
    [
      'test coins on real deposits',
      testnet,
      [rehearsal],
      { coinDeposits: true },
      'PAYMENTS: this database holds real deposits',
    ],
  ])('not %s', (_, now, before, held, reason) => {
    expect(findMixedMoney(now, before, { ...nothing, ...held })).toBe(reason);
  });
});

const world = closeAfterAll(await bootRecorded());
const { context } = world;
const { config } = context;

const served = async () =>
  await listRows(context.db)<Service>`select mode, money from public.installation order by mode, money`;
const exchange = { ...config.market.exchange, sandbox: false };
const onReal = (mode: 'staging' | 'live'): Context => ({
  ...context,
  config: { ...config, mode, payments: ['btcpay'], bitcoinNetwork: 'mainnet', market: { ...config.market, exchange } },
});

test('money is real only with real coins and a real exchange', () => {
  const { config: real } = onReal('staging');
  const sandbox = { ...config.market, exchange: { ...exchange, sandbox: true } };
  expect(
    [real, config, { ...real, bitcoinNetwork: 'testnet' as const }, { ...real, market: sandbox }].map(moneyOf),
  ).toEqual(['real', 'simulated', 'test', 'test']);
});

describe('a database', () => {
  test('remembers how it first ran, once for each way', async () => {
    expect(await served()).toEqual([paper]);
    await rememberService(context);
    await rememberService({ ...context, config: { ...config, mode: 'staging' } });
    expect(await served()).toEqual([paper, staging]);
  });

  test('refuses live in one line that names the setting, and is unchanged by the attempt', async () => {
    for (const ask of [refuseMixedMoney, rememberService])
      await expect(ask(onReal('live'))).rejects.toThrow(
        new BadConfig(
          'MODE: this database was served with MODE=paper. Use another database for MODE=live with these settings.',
        ),
      );
    expect(await served()).toEqual([paper, staging]);
  });

  test('checks its own market and deposits', async () => {
    const refused = () => expect(refuseMixedMoney(onReal('staging'))).rejects;
    await refused().toThrow('MARKET_FEED: this database has a simulated or recorded market. Use another database');
    const { memberId } = await registerMember(context, {
      referralCode: config.companyCode,
      mobileNumber: '+919812345678',
      name: 'Anika Rao',
      email: 'anika@mail.test',
      password: 'a long password of hers',
      terms: true,
    });
    const { id } = await createDeposit(context, memberId, { amount: 100, risk_accepted: true }, undefined);
    await refused().toThrow('MARKET_FEED');
    await payInSandbox(context, { depositId: BigInt(id) }, 'full');
    await refused().toThrow('PAYMENTS: this database holds sandbox deposits');
  });

  test.each([
    'update public.installation set money = money',
    'delete from public.installation',
    'truncate public.installation',
  ])('forgets nothing: %s', async (statement) => {
    await expect(world.database.runScript(statement)).rejects.toThrow('not forgotten');
  });
});
