import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, test } from 'vitest';
import { aJob, anOverview, aroundThePage, paperVenue, signInAs } from '../../../../test/console.ts';
import { renderAt, showPage } from '../../../../test/render.tsx';
import { type Answer, stubServer, success } from '../../../../test/server.ts';
import { aSeal } from '../../../../test/solvency-seal.ts';
import { consolePages } from '../pages.ts';
import { alarmsOf, jobChecks } from './health.tsx';
import { OverviewPage } from './overview-page.tsx';

beforeEach(() => signInAs());

function open(overview = anOverview()) {
  stubServer(aroundThePage(overview));
  renderAt('/operator/overview', <OverviewPage />);
}

test('shows solvency, today’s movements, and the queues', async () => {
  open();
  expect(await screen.findByText('102.55%')).toBeDefined();
  expect(screen.getByText('gateway $1,702,884.12, venue $348,115.88')).toBeDefined();
  expect(screen.getByText('$51,000.00')).toBeDefined();
  const waits = within(screen.getByRole('region', { name: 'Queues' })).getAllByRole('listitem');
  expect(waits[0]?.textContent).toContain('Withdrawals to approve2 need two operators$21,190.50 net');
  expect(within(screen.getByRole('region', { name: 'Today' })).getByText('$1,200.00')).toBeDefined();
  expect(screen.queryByRole('alert')).toBeNull();
});

test('lists every queue that has its own page, with its count', async () => {
  signInAs({ role: 'admin' });
  const { queues } = anOverview();
  open(anOverview({ queues: { ...queues, proposals: { ...queues.proposals, reserves: 3, asset_limits: 4 } } }));
  const shown = within(await screen.findByRole('region', { name: 'Queues' }));
  const waits = shown.getAllByRole('listitem').map(({ textContent }) => textContent);
  expect(waits).toContain('Statements of reserves to approve3');
  expect(waits).toContain('Position limits to approve4');
  const linked = shown.getAllByRole('link').map((link) => link.getAttribute('href')?.replace(/\?.*/, ''));
  const queued = consolePages.filter(({ queue }) => queue !== undefined).map(({ path }) => `/operator/${path}`);
  expect(queued.filter((path) => !linked.includes(path))).toEqual([]);
});

test('links each queue to its list', async () => {
  open();
  const link = await screen.findByRole('link', { name: 'Withdrawals to pay' });
  expect(link.getAttribute('href')).toBe('/operator/withdrawals?state=approved');
});

test('raises an alarm when liabilities exceed assets', async () => {
  const { assets } = anOverview();
  open(anOverview({ coverage: 0.9987, surplus: -2_600, assets: { ...assets, booked: 1_997_400, counted: 1_997_400 } }));
  const alarm = await screen.findByRole('alert');
  expect(alarm.textContent).toContain(
    'Liabilities exceed assets$2,600.00 is missing. Weekly and monthly income is on hold until assets cover liabilities again. Payouts stay stopped until an operator resumes them.',
  );
});

test('at an exchange shows free funds, halted assets and the value of residuals', async () => {
  const funds = { free: 1_200.5, free_at: '2026-03-04T14:05:00.000Z', queued: 3_000, short: true };
  const halted = [{ symbol: 'btc', reason: 'insufficient balance', since: '2026-03-04T14:00:00.000Z' }];
  const residuals = [
    { symbol: 'btc', quantity: '-0.001', value: 50 },
    { symbol: 'eth', quantity: '0.01', value: 20 },
  ];
  open(anOverview({ venue: { ...paperVenue, kind: 'ccxt', funds, halted, residuals } }));
  const alarms = (await screen.findAllByRole('alert')).map(({ textContent }) => textContent);
  expect(alarms[0]).toContain('$1,200.50 free, as of 4 Mar 2026, 14:05 UTC. Queued trades need $3,000.00.');
  expect(alarms[1]).toContain('Since 4 Mar 2026, 14:00 UTC: insufficient balance');
  const health = within(screen.getByRole('region', { name: 'Health' }));
  expect(health.getByText('Halted assets: BTC')).toBeDefined();
  expect(health.getByText('Residuals: $70.00 in 2 assets')).toBeDefined();
});

test('residuals have no total while one of them has no price', async () => {
  const residuals = [
    { symbol: 'btc', quantity: '0.001', value: null },
    { symbol: 'eth', quantity: '0.01', value: 20 },
  ];
  open(anOverview({ venue: { ...paperVenue, kind: 'ccxt', residuals } }));
  expect(await screen.findByText('Residuals: 2 assets, value unknown')).toBeDefined();
});

test('reports that it could not be loaded', async () => {
  showPage('/operator/overview', <OverviewPage />, {
    'GET /operator/overview': {
      status: 500,
      body: { status: 'error', code: 'internal' },
      headers: { 'x-request-id': 'req-58c1e0' },
    },
  });
  expect(await screen.findByText('The overview could not be loaded')).toBeDefined();
  expect(screen.getByText('req-58c1e0')).toBeDefined();
});

describe('the ledger', () => {
  const passed = {
    id: '3',
    scope: 'whole',
    state: 'passed',
    started_at: '2026-03-04T14:00:00.000Z',
    finished_at: '2026-03-04T14:00:02.000Z',
    checks: [
      { check: 'seals', duration_ms: 1_200, findings: 0 },
      { check: 'sums', duration_ms: 340, findings: 0 },
    ],
    findings: [],
  };
  const seal = {
    ...aSeal('TW7K3QMX9D').snapshot,
    no: '12',
    taken_at: '2026-03-04T14:05:00.000Z',
    leaves: 2_048,
    sum_micros: '2000000125000',
  };
  const openWith = (answers: Parameters<typeof stubServer>[0]) => {
    return showPage('/operator/overview', <OverviewPage />, { ...aroundThePage(), ...answers }).calls;
  };
  const panel = async () => within(await screen.findByRole('region', { name: 'Ledger' }));

  test('is reconciled at an admin’s request, and the outcome is shown', async () => {
    signInAs({ role: 'admin' });
    let last: object | null = null;
    const calls = openWith({
      'GET /operator/integrity': () => success({ last, running: null, alarms: [] }),
      'POST /operator/integrity/run': () => {
        last = passed;
        return success({ started: true });
      },
    });
    await waitFor(async () => expect((await panel()).getAllByText('none yet')).toHaveLength(2));
    fireEvent.click((await panel()).getByRole('button', { name: 'Run reconciliation' }));
    expect(await (await panel()).findByText('no discrepancies')).toBeDefined();
    expect((await panel()).getByText('whole ledger, 2 checks in 1.5 s')).toBeDefined();
    expect(calls.filter(({ name }) => name === 'POST /operator/integrity/run')).toHaveLength(1);
  });

  test('with discrepancies shows where they are', async () => {
    const findings = [{ check: 'sums', subject: 'account 17', message: 'The sum is off by 1 micro.' }];
    openWith({
      'GET /operator/integrity': success({
        last: { ...passed, state: 'failed', findings },
        running: null,
        alarms: [],
      }),
    });
    expect(await (await panel()).findByText('1 discrepancy')).toBeDefined();
    expect((await panel()).getByText('sums, account 17')).toBeDefined();
  });

  test('shows a reconciliation that was requested before the last one had loaded', async () => {
    signInAs({ role: 'admin' });
    const loaded = Promise.withResolvers<Answer>();
    let running: object | null = null;
    openWith({
      'GET /operator/integrity': () =>
        running === null ? loaded.promise : success({ last: null, running, alarms: [] }),
      'POST /operator/integrity/run': () => {
        running = { ...passed, state: 'running' };
        return success({ started: true });
      },
    });
    fireEvent.click(await (await panel()).findByRole('button', { name: 'Run reconciliation' }));
    await waitFor(() => expect(running).not.toBeNull());
    loaded.resolve(success({ last: null, running: null, alarms: [] }));
    await (await panel()).findAllByText('none yet');
    expect(await (await panel()).findByRole('button', { name: 'Running' })).toBeDefined();
  });

  test('is proven at an admin’s request, and the proof is shown', async () => {
    signInAs({ role: 'admin' });
    const loaded = Promise.withResolvers<Answer>();
    let published: typeof seal | null = null;
    openWith({
      'GET /solvency/snapshot': () => (published === null ? loaded.promise : success(published)),
      'POST /operator/solvency/snapshot': () => {
        published = seal;
        return success(seal);
      },
    });
    fireEvent.click(await (await panel()).findByRole('button', { name: 'Publish proof' }));
    expect(await screen.findByText('Proof no. 12 published')).toBeDefined();
    // What was read before it does not replace it.
    loaded.resolve(success(null));
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(await (await panel()).findByText('No. 12, 4 Mar 2026, 14:05 UTC')).toBeDefined();
    expect((await panel()).getByText('$2,000,000.13 in 2,048 leaves')).toBeDefined();
    expect(screen.getByText('All member balances are in its 2,048 leaves.')).toBeDefined();
  });

  test('is read-only for others', async () => {
    openWith({});
    expect((await panel()).queryByRole('button')).toBeNull();
  });
});

test('shows the amount missing from holders’ reports, even while the ledger has a surplus', () => {
  const { assets } = anOverview();
  const [alarm] = alarmsOf(anOverview({ coverage: 0.9995, assets: { ...assets, counted: 1_999_000 } }));
  expect(alarm?.text).toContain('$1,000.00 is missing.');
});

describe('an alarm is raised', () => {
  const titles = (given: Parameters<typeof anOverview>[0]) => alarmsOf(anOverview(given)).map(({ title }) => title);
  const { feed, queues, session } = anOverview();

  test('neither while all is well, nor while there are no liabilities', () => {
    expect(titles({})).toEqual([]);
    expect(titles({ coverage: null })).toEqual([]);
    expect(titles({ coverage: 1 })).toEqual([]);
  });

  test.each<[string, Parameters<typeof anOverview>[0]]>([
    [
      'Payouts are stopped',
      { payouts: { stopped: true, at: '2026-03-04T13:00:00.000Z', why: 'Odd payouts.', needs: null } },
    ],
    [
      'Trading is halted',
      { session: { ...session, halt: { reason: 'An exchange is down.', at: '2026-03-04T13:00:00.000Z' } } },
    ],
    ['Prices are stale', { feed: { ...feed, stale: true } }],
    ['The venue does not respond', { venue: { ...paperVenue, kind: 'ccxt', state: 'down' } }],
    [
      'The exchange has too little free money',
      {
        venue: {
          ...paperVenue,
          kind: 'ccxt',
          funds: { free: 5, free_at: '2026-03-04T14:05:00.000Z', queued: 9, short: true },
        },
      },
    ],
    [
      'BTC is halted at the exchange',
      {
        venue: {
          ...paperVenue,
          kind: 'ccxt',
          halted: [{ symbol: 'btc', reason: 'Market is closed.', since: '2026-03-04T14:00:00.000Z' }],
        },
      },
    ],
    [
      '1 payout with unknown outcome',
      {
        queues: {
          ...queues,
          withdrawals: [{ state: 'uncertain', count: 1, amount: 5, oldest_at: '2026-03-04T13:00:00.000Z' }],
        },
      },
    ],
    ['The backup is overdue', { backup: { at: null, overdue: true } }],
    [
      'Reconciliation failed',
      {
        integrity: {
          last: null,
          running: null,
          alarms: [{ cause: 'integrity', why: 'Seal 17.', raised_at: '2026-03-04T13:00:00.000Z' }],
        },
      },
    ],
  ])('%s', (title, given) => {
    expect(titles(given)).toEqual([title]);
  });
});

test('failing jobs are named, all others counted', () => {
  const now = Date.parse('2026-03-04T12:07:00.000Z');
  const jobs = [
    aJob(),
    aJob({ name: 'mail.send', kind: 'loop', cron: null }),
    aJob({ name: 'payout.run', state: 'failing', last_fault: '23505' }),
  ];
  expect(jobChecks(jobs, now).map(({ state, words }) => [state, words])).toEqual([
    ['warning', 'payout.run: last success 7 min ago, 23505'],
    ['done', '2 jobs run normally'],
  ]);
  expect(jobChecks([], now).map(({ words }) => words)).toEqual(['No jobs yet']);
});
