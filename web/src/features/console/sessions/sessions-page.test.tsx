import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, test } from 'vitest';
import type { ConsoleSession, SessionDetail } from '#contract/operator/sessions.ts';
import type { Halt } from '#contract/trading/halt.ts';
import { anOverview, confirmWith, paperVenue, showConsolePage, signInAs } from '../../../../test/console.ts';
import { type Answers, refused, success } from '../../../../test/server.ts';
import { SessionsPage } from './sessions-page.tsx';

const stored = 'a'.repeat(64);
const other = 'b'.repeat(64);
const settled: ConsoleSession = {
  day: '2026-03-04',
  state: 'settled',
  opens_at: '2026-03-04T12:30:00.000Z',
  closes_at: '2026-03-04T17:30:00.000Z',
  opened_at: '2026-03-04T12:30:00.000Z',
  closed_at: '2026-03-04T17:30:00.000Z',
  settled_at: '2026-03-04T17:30:15.000Z',
  figures: { trades: 1_204, members: 310, staked: 90_000, trade_fees: 360, performance_fees: 12.5, gross: -140.25 },
  manifest_hash: stored,
  bonus_run: 'done',
};
const next: ConsoleSession = {
  ...settled,
  day: '2026-03-05',
  state: 'scheduled',
  opens_at: '2026-03-05T12:30:00.000Z',
  closes_at: '2026-03-05T17:30:00.000Z',
  opened_at: null,
  closed_at: null,
  settled_at: null,
  figures: null,
  manifest_hash: null,
  bonus_run: null,
};
const price = { mark: '100', spread_bps: 10, at: '2026-03-04T12:30:00.000Z' };
const aDetail = (given: Partial<SessionDetail> = {}): SessionDetail => ({
  ...settled,
  fee_plan: { id: 2, trade_fee_bps: 40, performance_fee_bps: 1000 },
  assets: [
    {
      symbol: 'btc',
      opening: { ...price, price: '100.05', source: 'stored' },
      closing: { ...price, mark: '98', price: '97.951', at: '2026-03-04T17:30:00.000Z', late: false },
      trades: 1_204,
      staked: 90_000,
      trade_fees: 360,
      open: { trades: 0, staked: 0 },
      gross: -140.25,
      performance_fees: 12.5,
      result: -512.75,
    },
  ],
  queued: null,
  blocks: 1,
  halts: [],
  bonus: {
    state: 'done',
    fee_plan: 2,
    blocks: 1,
    ran_at: '2026-03-04T17:30:15.000Z',
    finished_at: '2026-03-04T17:31:00.000Z',
    execution: { cost: 2.5, uncovered: 0 },
    shares: {
      referral_bonus: 72,
      level_bonus: 36,
      team_profit: 3,
      pool_weekly: 36,
      pool_monthly: 36,
      pool_rewards: 18,
      revenue: 171.5,
    },
    inputs_hash: stored,
    outputs_hash: stored,
  },
  periods: [],
  findings: [],
  ...given,
});
const aHalt = (version = 1): Halt => ({
  version,
  reason: 'An exchange is down.',
  by: { id: '2', name: 'Ines Duarte' },
  at: '2026-03-04T14:00:00.000Z',
  market_time: '2026-03-04T14:00:00.000Z',
  lifted: null,
});

function open(answers: Answers = {}, at = '/operator/sessions') {
  return showConsolePage(SessionsPage, at, {
    'GET /operator/sessions': success({ items: [next, settled], next_cursor: null }),
    'GET /operator/sessions/2026-03-04': success(aDetail()),
    'GET /operator/halt': success({ halt: null }),
    ...answers,
  }).bodiesOf;
}
const rowOf = async (text: string) => (await screen.findByText(text)).closest('tr')?.textContent;
const panel = async () => within(await screen.findByRole('complementary', { name: 'Session 4 Mar 2026' }));
const DETAIL = '/operator/sessions/2026-03-04';

beforeEach(() => signInAs());

test('a price at an exchange is its fill, not a mark and a spread', async () => {
  const [btc] = aDetail().assets;
  const opening = { ...price, price: '100.15', source: 'filled' as const };
  const assets = btc ? [{ ...btc, opening, closing: null }] : [];
  open({ 'GET /operator/sessions/2026-03-04': success(aDetail({ assets })) }, DETAIL);
  const said = (await (await panel()).findByText('100.15')).parentElement?.textContent;
  expect(said).toMatch(/^Opened \d\d:\d\d:\d\d at 100.15, filled by the exchange$/);
});

test('each session shows the totals of its trades; a future one shows dashes', async () => {
  open();
  expect(await rowOf('4 Mar 2026')).toBe(
    '4 Mar 202612:30 to 17:30Settled$90,000.001,204 trades, 310 members$360.00performance $12.50−$140.25aaaaaaaa…aaaaaaaaDone',
  );
  expect(await rowOf('5 Mar 2026')).toBe('5 Mar 202612:30 to 17:30Next–––––');
});

test('a week shows what is retained of its pool; one that carries it over does not', async () => {
  const ended = { kind: 'weekly', starts_on: '2026-03-02', ends_on: '2026-03-09', state: 'done', pool: 40 } as const;
  const hashes = { inputs_hash: stored, outputs_hash: stored };
  const openWeek = (released: number | null) =>
    open(
      {
        'GET /operator/sessions/2026-03-04': success(
          aDetail({ periods: [{ ...ended, ...hashes, paid: 12, released }] }),
        ),
      },
      DETAIL,
    );
  openWeek(28);
  expect((await (await panel()).findByText('Retained of the pool')).nextSibling?.textContent).toBe('$28.0000');
  // Monday to Sunday.
  expect((await panel()).getByText(/^Weekly income/).textContent).toBe('Weekly income, 2 – 8 Mar');
  cleanup();
  openWeek(null);
  await (await panel()).findByText('$12.0000');
  expect((await panel()).queryByText('Retained of the pool')).toBeNull();
});

test('an open session row shows prices, positions, hashes and its bonus run', async () => {
  open({}, DETAIL);
  const shown = await panel();
  expect(await shown.findByText('No. 2: 0.40%, 10% of gains')).toBeDefined();
  expect(shown.getByText(/^Opened 12:30:00 at/).textContent).toBe('Opened 12:30:00 at 100.05: mark 100, spread 0.10%');
  expect(shown.getByText(/^Closed 17:30:00 at/).textContent).toBe('Closed 17:30:00 at 97.951: mark 98, spread 0.10%');
  expect(shown.getByText('Bonus run: done')).toBeDefined();
  expect(shown.getByText('Execution cost').nextSibling?.textContent).toBe('$2.5000');
  expect(shown.queryByText('Not covered by fees')).toBeNull();
  expect(shown.queryByRole('button', { name: 'Retry settlement' })).toBeNull();
});

test('a recalculation says of each part whether it matches', async () => {
  const sent = open(
    {
      'POST /operator/sessions/2026-03-04/rerun': success({
        day: '2026-03-04',
        at: '2026-03-04T18:00:00.000Z',
        took_ms: 1_204,
        parts: [
          { part: 'results', same: true, stored, replayed: stored },
          { part: 'bonus_inputs', same: false, stored, replayed: other },
        ],
      }),
    },
    DETAIL,
  );
  fireEvent.click(await (await panel()).findByRole('button', { name: 'Recalculate' }));
  const shown = await panel();
  expect(await shown.findByText('Recalculated in 1,204 ms')).toBeDefined();
  expect(shown.getByText('Results: match, aaaaaaaa…aaaaaaaa')).toBeDefined();
  expect(shown.getByText('Bonus run inputs: stored aaaaaaaa…aaaaaaaa, recalculated bbbbbbbb…bbbbbbbb')).toBeDefined();
  expect(shown.getByRole('img', { name: 'Needs attention' })).toBeDefined();
  expect(sent('POST /operator/sessions/2026-03-04/rerun')).toHaveLength(1);
});

test('a session that is not settled cannot be recalculated', async () => {
  open({ [`GET ${DETAIL}`]: success(aDetail({ state: 'settling', settled_at: null })) }, DETAIL);
  const shown = await panel();
  await shown.findByText('Bonus run: done');
  expect(shown.queryByRole('button', { name: 'Recalculate' })).toBeNull();
});

test('a stalled run is retried by an admin', async () => {
  signInAs({ role: 'admin' });
  const waiting = aDetail();
  const sent = open(
    {
      [`GET ${DETAIL}`]: success({ ...waiting, bonus: waiting.bonus && { ...waiting.bonus, state: 'checking' } }),
      'POST /operator/jobs/income.follow/run': success(null),
    },
    DETAIL,
  );
  fireEvent.click(await (await panel()).findByRole('button', { name: 'Retry settlement' }));
  await waitFor(() => expect(sent('POST /operator/jobs/income.follow/run')).toHaveLength(1));
});

test('support can only read: neither halt nor recalculate', async () => {
  signInAs({ role: 'support' });
  open({ 'GET /operator/halt': success({ halt: aHalt() }) }, DETAIL);
  await (await panel()).findByText('Bonus run: done');
  for (const name of ['Recalculate', 'Retry settlement', 'Halt trading', 'Resume trading']) {
    expect(screen.queryByRole('button', { name })).toBeNull();
  }
});

test('a halt of another day than the session has its day', async () => {
  const at = (market_time: string) => ({ ...aHalt(), market_time });
  const end = '2026-03-07T13:05:00.000Z';
  const lifted = { by: aHalt().by, at: end, market_time: end, note: 'It is back.' };
  const halts = [
    { ...at('2025-12-30T15:00:00.000Z'), lifted },
    { ...at('2026-03-04T14:00:00.000Z'), version: 2 },
  ];
  open({ [`GET ${DETAIL}`]: success(aDetail({ halts })) }, DETAIL);
  const said = (await (await panel()).findAllByText(/An exchange is down/)).map((line) => line.textContent);
  expect(said).toEqual([
    '30 Dec 2025, 15:00 to 7 Mar, 13:05 UTC, by Ines Duarte: An exchange is down.',
    '14:00 to now UTC, by Ines Duarte: An exchange is down.',
  ]);
});

describe('a halt', () => {
  test.each([
    ['is known', success({ halt: null })],
    ['cannot be read', refused(503, 'not_ready', 'The server is starting.')],
  ])('takes a reason and no code, when the trading state %s', async (_, answer) => {
    const sent = open({ 'GET /operator/halt': answer, 'POST /operator/halt': success(aHalt()) });
    fireEvent.click(await screen.findByRole('button', { name: 'Halt trading' }));
    const dialog = await confirmWith('Halt trading', { reason: 'An exchange is down.' });
    expect(within(dialog).queryByRole('textbox', { name: /^Digit/ })).toBeNull();
    await waitFor(() => expect(sent('POST /operator/halt')).toEqual([{ reason: 'An exchange is down.' }]));
  });

  test('that could not be read is not shown as none, and can be retried', async () => {
    let isBroken = true;
    const halted = success({ halt: aHalt() });
    open({ 'GET /operator/halt': () => (isBroken ? refused(500, 'internal', 'Broken.') : halted) });
    expect(await screen.findByText('Unknown whether trading is halted')).toBeDefined();
    isBroken = false;
    fireEvent.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await screen.findByRole('button', { name: 'Resume trading' })).toBeDefined();
    expect(screen.queryByText('Unknown whether trading is halted')).toBeNull();
  });

  test('is lifted with a code, in the version that was shown', async () => {
    const sent = open({
      'GET /operator/halt': success({ halt: aHalt(4) }),
      'POST /operator/halt/lift': success(aHalt(4)),
    });
    expect((await screen.findByText(/^Ines Duarte, 4 Mar 2026, 14:00 UTC/)).textContent).toContain(
      'An exchange is down.',
    );
    expect(screen.queryByRole('button', { name: 'Halt trading' })).toBeNull();
    fireEvent.click(screen.getByRole('button', { name: 'Resume trading' }));
    await confirmWith('Resume trading', { reason: 'It is back.', otp: '123456' });
    await waitFor(() =>
      expect(sent('POST /operator/halt/lift')).toEqual([{ version: 4, note: 'It is back.', otp: '123456' }]),
    );
  });
});

test('trades of an asset whose orders the exchange refuses wait, and its reason is shown', async () => {
  const halted = [{ symbol: 'btc', reason: 'Market is closed.', since: '2026-03-04T14:00:00.000Z' }];
  open({ 'GET /operator/overview': success(anOverview({ venue: { ...paperVenue, kind: 'ccxt', halted } })) });
  expect(await screen.findByText('Trades of BTC wait')).toBeDefined();
  expect(screen.getByText('Since 4 Mar 2026, 14:00 UTC: Market is closed.')).toBeDefined();
});
