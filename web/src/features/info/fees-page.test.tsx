import { cleanup, fireEvent, screen } from '@testing-library/react';
import { expect, onTestFinished, test } from 'vitest';
import { riskSentence } from '#contract/rules.ts';
import { theFees, theSpreads } from '../../../test/fees.ts';
import { rowsOf } from '../../../test/reading.ts';
import { atExchange, renderAt } from '../../../test/render.tsx';
import { stubServer, success } from '../../../test/server.ts';
import { appInfo } from '../../api/app-info.ts';
import { ProductMode } from '../../ui/frame/mode-label.tsx';
import { FeesPage } from './fees-page.tsx';
import { RiskPage } from './risk-page.tsx';
import { TermsPage } from './terms-page.tsx';

const noLimits = { symbol: 'btc', trade: null, member: null, all: null };

function open(fees = theFees(), spreads = theSpreads(), limits: object[] = [noLimits]) {
  const answers: Parameters<typeof stubServer>[0] = {
    'GET /fees': fees,
    'GET /market/spreads': spreads,
    'GET /trading/limits': success({ items: limits }),
  };
  stubServer(answers);
  renderAt('/fees', <FeesPage />);
  return answers;
}

const table = async (name: string) => rowsOf(await screen.findByRole('table', { name }));

test('both fees are shown, with one trade worked through', async () => {
  open();
  expect(await table('Fees')).toEqual([
    ['Deposit', 'none', ''],
    ['Trade fee', '0.40% of the amount', 'when the trade opens'],
    ['Performance fee', '10% of the gain above the amount', 'when the trade settles'],
    ['Withdrawal fee', '1%, at least $1.00', 'when the withdrawal is completed'],
    ['Spread', '0.10%', 'included in the price: half when buying, half when selling'],
  ]);
  const example = await table('One trade at three closing prices');
  expect(example[1]).toEqual(['Trade fee, 0.40%', '$1.0000', '$1.0000', '$1.0000']);
  expect(example.at(-1)).toEqual(['Your P&L', '+$3.3535', '−$1.2489', '−$6.2239']);
  expect(screen.getByText(new RegExp(riskSentence.replaceAll('.', '\\.')))).toBeTruthy();
});

test('at an exchange its fee is a cost, too, and the spread is ours', async () => {
  atExchange();
  open();
  expect((await table('Fees')).at(-1)).toEqual([
    'Exchange fee',
    'what the exchange takes',
    'included in the price; the page of a trade shows it',
  ]);
  expect(screen.getByText('Both prices exclude the exchange’s fee.')).toBeTruthy();
  expect(screen.getByText(/part of the two prices and stays with us/)).toBeTruthy();
  expect(screen.getByText(/is paid from the fees first; every share is of what is left\./)).toBeTruthy();
  renderAt('/risk', <RiskPage />);
  expect(await screen.findByText(/less what the exchange takes/)).toBeTruthy();
  expect(screen.getByText(/the trade stays open until it can/)).toBeTruthy();
  expect(screen.getByText(/the price that the exchange fills our order at/)).toBeTruthy();
  renderAt('/terms', <TermsPage />);
  expect(await screen.findByText(/with its fee and half the spread/)).toBeTruthy();
  expect(screen.getByText(/In the last five minutes of a session nothing opens/)).toBeTruthy();
});

test('the terms name each change after which withdrawals wait', () => {
  open();
  renderAt('/terms', <TermsPage />);
  expect(
    screen.getByText(/After a change of payout address, password, email address or two-factor authentication, /),
  ).toBeTruthy();
});

test('the terms name the legal entity of the site', async () => {
  onTestFinished(() => void Object.assign(appInfo, { legalEntity: null }));
  open();
  renderAt('/terms', <TermsPage />);
  expect(
    await screen.findByText(/In live mode it does not start until the operator has named a legal entity/),
  ).toBeTruthy();
  cleanup();
  appInfo.legalEntity = 'Example Ltd';
  renderAt('/terms', <TermsPage />);
  expect(await screen.findByText(/^The operator of Tradewind on this site is Example Ltd\./)).toBeTruthy();
});

test('on paper the terms name the price that a session ends at, and that a loss is not returned', async () => {
  open();
  renderAt('/terms', <TermsPage />);
  expect(
    screen.getByText(/When a trade settles, what is left of its amount returns to the wallet it came from\./),
  ).toBeTruthy();
  expect(await screen.findByText(/^A trade buys the coin\. It opens at the first price after your order/)).toBeTruthy();
  expect(
    screen.getByText(/at the end of the session, at the average price of its last minute, or earlier/),
  ).toBeTruthy();
});

test.each([
  [
    'paper',
    'simulated',
    /^This site runs in paper mode\. Payments come from a built-in sandbox and no real money moves/,
  ],
  ['staging', 'test', /^This site runs with test money\. Balances have no value outside this site/],
  ['staging', 'real', /^This site runs with real money\.$/],
  ['live', 'real', /^This site runs with real money\.$/],
] as const)('in %s mode with %s money, terms, risk and the label say which it is', async (mode, money, note) => {
  const before = { ...appInfo };
  onTestFinished(() => void Object.assign(appInfo, before));
  Object.assign(appInfo, { mode, money });
  open();
  renderAt('/terms', <TermsPage />);
  renderAt('/risk', <RiskPage />);
  expect(await screen.findAllByText(note)).toHaveLength(2);
  renderAt('/login', <ProductMode />);
  expect(screen.queryAllByText(/^(Paper mode|Test money)$/)).toHaveLength(money === 'real' ? 0 : 1);
});

test('the spread of each asset is shown, and what changes at the next session', async () => {
  open(theFees(), theSpreads({ btc: { spread_bps: 25 }, eth: { next_bps: 0 } }));
  const rows = await table('Spread of each asset');
  expect(rows).toHaveLength(16);
  expect(rows.slice(0, 3)).toEqual([
    ['btc/usdt', '0.25%', ''],
    ['eth/usdt', '0.10%', '0%'],
    ['doge/usdt', '0.10%', ''],
  ]);
  expect((await table('Fees')).at(-1)?.[1]).toBe('0.10% to 0.25%');
  expect((await table('One trade at three closing prices'))[4]?.[0]).toBe('You buy at 0.125% more');
});

test('the limits of each asset that has any are shown', async () => {
  open(theFees(), theSpreads(), [
    { symbol: 'btc', trade: 50_000, member: 250_000, all: 1_234_567.5 },
    { symbol: 'doge', trade: 10_000, member: null, all: null },
    { ...noLimits, symbol: 'eth' },
  ]);
  expect(await table('Limits of each asset')).toEqual([
    ['btc/usdt', '$50,000.00', '$250,000.00', '$1,234,567.50'],
    ['doge/usdt', '$10,000.00', 'none', 'none'],
  ]);
  expect(screen.getByText('Assets that are not listed here have no limits.')).toBeTruthy();
  expect(screen.getByText(/^Trades open in the order of placing\. One that no longer fits/)).toBeTruthy();
});

test('without limits it says so', async () => {
  open();
  expect(await screen.findByText('There are no limits on the size of trades.')).toBeTruthy();
});

test('a withdrawal shows what arrives, and that the minimum fee weighs more on a small one', async () => {
  open();
  expect(await table('Withdrawals')).toEqual([
    ['$20.00', '$1.00', '$19.00'],
    ['$100.00', '$1.00', '$99.00'],
    ['$1,000.00', '$10.00', '$990.00'],
  ]);
});

test('the shares of each fee add up to all of it', async () => {
  open();
  expect(await table('Shares of the trade fee')).toEqual([
    ['Level 1: Referral Bonus', '20%', '$0.2000'],
    ['Level 2: Team Level Bonus', '10%', '$0.1000'],
    ['Level 3: Team Level Bonus', '6%', '$0.0600'],
    ['Level 4: Team Level Bonus', '4%', '$0.0400'],
    ['Level 5: Team Level Bonus', '3%', '$0.0300'],
    ['Level 6: Team Level Bonus', '2%', '$0.0200'],
    ['Level 7: Team Level Bonus', '2%', '$0.0200'],
    ['Level 8: Team Level Bonus', '1%', '$0.0100'],
    ['Level 9: Team Level Bonus', '1%', '$0.0100'],
    ['Level 10: Team Level Bonus', '1%', '$0.0100'],
    ['Weekly pool: Weekly Income', '10%', '$0.1000'],
    ['Monthly pool: Monthly Income', '10%', '$0.1000'],
    ['Rewards pool: Rewards', '5%', '$0.0500'],
    ['Retained by the operator', '25%', '$0.2500'],
    ['Total', '100%', '$1.0000'],
  ]);
  expect(await table('Shares of the performance fee')).toEqual([
    ['Level 1: Team Profit', '15%', '$0.0559'],
    ['Level 2: Team Profit', '10%', '$0.0373'],
    ['Level 3: Team Profit', '5%', '$0.0186'],
    ['Retained by the operator', '70%', '$0.2608'],
    ['Total', '100%', '$0.3726'],
  ]);
});

test('ranks, the weekly rule and the leg rule are shown', async () => {
  open();
  expect(await table('Ranks')).toEqual([
    ['Bronze', '$5,000.00', '$3,000.00', '$2.00', '$1.00'],
    ['Silver', '$25,000.00', '$15,000.00', '$10.00', '$5.00'],
    ['Gold', '$100,000.00', '$60,000.00', '$40.00', '$20.00'],
    ['Platinum', '$500,000.00', '$300,000.00', '$200.00', '$100.00'],
    ['Diamond', '$2,000,000.00', '$1,200,000.00', '$800.00', '$400.00'],
  ]);
  expect(screen.getByText(/at least 3 active directs qualify/)).toBeTruthy();
  expect(screen.getByText(/you are paid at most 10% of the week’s contributions to the pool/)).toBeTruthy();
  expect(
    screen.getByText(/One leg counts for at most 60% of the volume that a rank requires. No rank can/),
  ).toBeTruthy();
  expect(
    screen.getByText(
      /a volume of \$5,000\.00 puts in \$2\.00; with two ranked members above its traders, each contributes \$1\.00/,
    ),
  ).toBeTruthy();
  expect(screen.queryByRole('heading', { name: 'From the next session' })).toBeNull();
});

test('fees of the next opening are shown as changes; the page stays with those in force', async () => {
  open(theFees({ trade_fee_bps: 30, weekly_cap_bps: 2000 }));
  expect(await table('Changes from the next session')).toEqual([
    ['Trade fee', '0.40%', '0.30%'],
    ['Weekly pool cap per member', '10%', '20%'],
  ]);
  expect(screen.getByText('Reason: Cheaper trades.')).toBeTruthy();
  expect((await table('Fees'))[1]).toEqual(['Trade fee', '0.40% of the amount', 'when the trade opens']);
});

test('a next plan with the same figures says that nothing changes', async () => {
  open(theFees({}));
  expect(await screen.findByText('No figure on this page changes.')).toBeTruthy();
});

test('without an answer it says so, and can be retried', async () => {
  const answers = open({ status: 500, body: { status: 'failed', code: 'internal', message: 'Something went wrong.' } });
  const retry = await screen.findByRole('button', { name: 'Try again' });
  answers['GET /fees'] = theFees();
  fireEvent.click(retry);
  expect(await table('Fees')).toHaveLength(5);
});
