import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import type { Overview } from '#contract/operator/overview.ts';
import { openMetrics, type Sources } from './open-metrics.ts';

const PROJECT = join(import.meta.dirname, '../..');

const overview = {
  at: '2026-03-04T14:05:00.000Z',
  market_time: '2026-03-04T14:05:00.000Z',
  assets: { booked: 2500, gateway: 2000, venue: 500, counted: 2400 },
  liabilities: 2000,
  surplus: 400,
  coverage: 1.2,
  payouts: { stopped: true, at: null, why: 'looked into', needs: null },
  integrity: { last: null, running: null, alarms: [{ cause: 'solvency', why: 'Anika Rao', raised_at: '' }] },
  backup: { at: '2026-03-04T02:31:00.000Z', overdue: true },
  queues: {
    withdrawals: [{ state: 'requested', count: 3, amount: 60, oldest_at: '2026-03-04T13:05:00.000Z' }],
    deposits_in_review: { count: 0, amount: 0, oldest_at: null },
    tickets: { count: 2, unassigned: 1, oldest_at: null },
    rewards: { count: 0, amount: 0, oldest_at: null },
    emails: { count: 0, failed: 1, capped: 4, oldest_at: null },
    statement: { count: 5, oldest_at: null },
    gateway_statement: { count: 6, oldest_at: null },
  },
  feed: { stale: false },
  venue: {
    kind: 'ccxt',
    state: 'up',
    since: null,
    reason: null,
    halted: [],
    funds: { free: 1200.5, free_at: '2026-03-04T14:04:50.000Z', queued: 3000, short: true },
    residuals: [
      { symbol: 'btc', quantity: '-0.001', value: 50 },
      { symbol: 'eos', quantity: '3', value: null },
    ],
    refused: [
      { symbol: 'btc', count: 3 },
      { symbol: 'eth', count: 0 },
    ],
  },
  jobs: [
    { name: 'market', last_success_at: '2026-03-04T14:04:59.000Z', failures: 0, overdue: false, took_ms: 40 },
    { name: 'ledger.seal', last_success_at: null, failures: 2, overdue: true, took_ms: null },
  ],
} as unknown as Overview;

const sources: Sources = {
  countSockets: () => 7,
  countConnections: () => ({ open: 4, idle: 3, waiting: 0 }),
  readOverview: async () => overview,
  findSeal: async () => ({ transfers: 12, at: new Date('2026-03-04T14:04:00.000Z') }),
  measureClockOffset: async () => -1.5,
  noteFault: (error) => expect.unreachable(String(error)),
};

test('metrics of money, queues, jobs, ledger and sockets are exported, and unknown ones are absent', async () => {
  const lines = (await openMetrics(sources).write()).split('\n');
  expect(lines).toEqual(
    expect.arrayContaining([
      'tradewind_assets_dollars{holder="gateway"} 2000',
      'tradewind_counted_assets_dollars 2400',
      'tradewind_liabilities_dollars 2000',
      'tradewind_coverage_ratio 1.2',
      'tradewind_payouts_stopped 1',
      'tradewind_alarm{cause="solvency"} 1',
      'tradewind_backup_timestamp_seconds 1772591460',
      'tradewind_backup_overdue 1',
      'tradewind_queue_length{queue="withdrawals_requested"} 3',
      'tradewind_queue_oldest_seconds{queue="withdrawals_requested"} 3600',
      'tradewind_queue_length{queue="tickets"} 2',
      'tradewind_queue_length{queue="statement"} 5',
      'tradewind_queue_length{queue="gateway_statement"} 6',
      'tradewind_failed_emails 1',
      'tradewind_emails_over_cap 4',
      'tradewind_feed_stale 0',
      '# TYPE tradewind_venue_rejections_total counter',
      'tradewind_venue_rejections_total{asset="btc"} 3',
      'tradewind_venue_rejections_total{asset="eth"} 0',
      'tradewind_venue_free_funds 1200.5',
      'tradewind_venue_funds_short 1',
      'tradewind_venue_residual{asset="btc"} 50',
      'tradewind_job_overdue{name="ledger.seal"} 1',
      'tradewind_job_seconds{name="market"} 0.04',
      'tradewind_ledger_seal_transfers 12',
      'tradewind_clock_offset_seconds -1.5',
      'tradewind_live_sockets 7',
      'tradewind_database_connections{state="idle"} 3',
      'tradewind_database_up 1',
    ]),
  );
  // Labels that Prometheus sets on each target: it would rename ours.
  expect(lines.filter((line) => /[{,](job|instance)=/.test(line))).toEqual([]);
  expect(lines.filter((line) => line.startsWith('tradewind_integrity_passed'))).toEqual([]);
  expect(lines.filter((line) => line.startsWith('tradewind_job_seconds{name="ledger.seal"}'))).toEqual([]);
  expect(lines.filter((line) => line.startsWith('tradewind_venue_residual{asset="eos"}'))).toEqual([]);
});

test('a counter reports what was read, however often it is scraped', async () => {
  const metrics = openMetrics(sources);
  await metrics.write();
  expect((await metrics.write()).split('\n')).toContain('tradewind_venue_rejections_total{asset="btc"} 3');
});

test('no text written by a person is a label', async () => {
  expect(await openMetrics(sources).write()).not.toContain('Anika');
});

test('without the database its metrics are absent, and those of the process remain', async () => {
  let isAway = false;
  const noteFault = vi.fn();
  const metrics = openMetrics({
    ...sources,
    noteFault,
    readOverview: async () => {
      if (isAway) throw new Error('away');
      return overview;
    },
  });
  await metrics.write();
  isAway = true;
  const text = await metrics.write();
  expect(text).toContain('tradewind_database_up 0');
  expect(noteFault).toHaveBeenCalledExactlyOnceWith(new Error('away'));
  expect(text).toContain('tradewind_metrics_faults_total 1');
  expect(text).toContain('tradewind_live_sockets 7');
  expect(text).not.toContain('tradewind_liabilities_dollars 2000');
  expect(text).not.toMatch(/^tradewind_(ledger_seal|clock_offset)/m);
});

test('a ledger without a seal is not reported as sealed in 1970', async () => {
  const text = await openMetrics({ ...sources, findSeal: async () => undefined }).write();
  expect(text).not.toMatch(/^tradewind_ledger_seal/m);
});

test('responses are counted by route pattern', async () => {
  const metrics = openMetrics(sources);
  metrics.noteAnswer({ method: 'GET', route: '/api/v1/ticket/:id', status: 404, seconds: 0.004 });
  const text = await metrics.write();
  expect(text).toContain(
    'tradewind_http_answer_seconds_bucket{le="0.005",method="GET",route="/api/v1/ticket/:id",status="404"} 1',
  );
});

const registered = () => openMetrics(sources).registry.getMetricsAsArray();
/** Metrics used in an expression, a histogram by its own name. */
const askedIn = (text: string) =>
  [...text.matchAll(/\b(?:tradewind|process|nodejs)_\w+/g)].map(([name]) => name.replace(/_(bucket|count|sum)$/, ''));

test('each has a description, and each alert uses an existing metric', () => {
  const own = registered().filter(({ name }) => name.startsWith('tradewind_'));
  for (const { name, help } of own) expect(`${name}: ${help}`).toMatch(/: \S+ \S+/);
  const names = own.map(({ name }) => name);
  const asked = new Set(askedIn(readFileSync(join(PROJECT, 'deploy/alerts.yml'), 'utf8')));
  expect([...asked].filter((name) => !names.includes(name))).toEqual([]);
  expect(asked.size).toBeGreaterThan(10);
});

type Panel = {
  readonly id: number;
  readonly title: string;
  readonly gridPos: { readonly x: number; readonly y: number; readonly w: number; readonly h: number };
  readonly targets: readonly { readonly expr: string }[];
};
type Dashboard = {
  readonly uid: string;
  readonly title: string;
  readonly schemaVersion: number;
  readonly panels: readonly Panel[];
};

describe('the dashboards', () => {
  const dashboards = globSync('deploy/grafana/*.json', { cwd: PROJECT }).map(
    (path): Dashboard => JSON.parse(readFileSync(join(PROJECT, path), 'utf8')),
  );
  const panels = dashboards.flatMap((dashboard) => dashboard.panels);

  test('use existing metrics, and show each of ours', () => {
    const asked = new Set(panels.flatMap(({ targets }) => targets.flatMap(({ expr }) => askedIn(expr))));
    const names = registered().map(({ name }) => name);
    expect([...asked].filter((name) => !names.includes(name))).toEqual([]);
    expect(names.filter((name) => name.startsWith('tradewind_') && !asked.has(name))).toEqual([]);
    expect(panels.filter(({ targets }) => targets.length === 0)).toEqual([]);
  });

  test('can be imported together', () => {
    expect(dashboards.length).toBe(3);
    for (const of of ['uid', 'title'] as const)
      expect(new Set(dashboards.map((dashboard) => dashboard[of])).size).toBe(dashboards.length);
    for (const { schemaVersion } of dashboards) expect(schemaVersion).toBeGreaterThan(30);
  });

  test.each(dashboards)('$title: no panel overlaps another or exceeds the page', ({ panels: own }) => {
    expect(new Set(own.map(({ id }) => id)).size).toBe(own.length);
    const taken = own.flatMap(({ gridPos: { x, y, w, h } }) =>
      Array.from({ length: w * h }, (_, cell) => `${x + (cell % w)}/${y + Math.floor(cell / w)}`),
    );
    expect(new Set(taken).size).toBe(taken.length);
    expect(own.filter(({ gridPos: { x, w } }) => x + w > 24)).toEqual([]);
  });
});
