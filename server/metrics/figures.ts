import type { Overview } from '#contract/operator/overview.ts';

/** One metric read from the database: a value, or one per label. Unknown is absent, never 0. */
export type Figure = {
  readonly name: string;
  readonly help: string;
  /** Never `job` or `instance`: Prometheus sets these on each target and renames what collides. */
  readonly label?: 'holder' | 'queue' | 'name' | 'cause' | 'asset';
  /** Only for one that never decreases. */
  readonly isCounter?: true;
  readonly read: (overview: Overview) => readonly FigureValue[];
};
export type FigureValue = { readonly of?: string; readonly value: number };

const one = (value: number | boolean | null): FigureValue[] => (value === null ? [] : [{ value: Number(value) }]);
const secondsOf = (instant: string | null): number | null => (instant === null ? null : Date.parse(instant) / 1000);

/** Queues by name; withdrawals by state. */
function listQueues({ queues }: Overview) {
  return [
    ...queues.withdrawals.map(({ state, ...queue }) => ({ name: `withdrawals_${state}`, ...queue })),
    { name: 'deposits_in_review', ...queues.deposits_in_review },
    { name: 'tickets', ...queues.tickets },
    { name: 'rewards', ...queues.rewards },
    { name: 'emails', ...queues.emails },
    { name: 'statement', ...queues.statement },
    { name: 'gateway_statement', ...queues.gateway_statement },
  ];
}

const ofQueues = (read: (queue: ReturnType<typeof listQueues>[number], at: number) => number) => (overview: Overview) =>
  listQueues(overview).map((queue) => ({ of: queue.name, value: read(queue, Date.parse(overview.at)) }));

const ofJobs = (read: (job: Overview['jobs'][number]) => number | null) => (overview: Overview) =>
  overview.jobs.flatMap((job) => {
    const value = read(job);
    return value === null ? [] : [{ of: job.name, value }];
  });

/**
 * All metrics of money, queues and jobs, from the overview (`GET /operator/overview`), so that alerts and the console
 * always agree. No label contains personal data.
 */
export const figures: readonly Figure[] = [
  {
    name: 'tradewind_assets_dollars',
    help: 'Booked assets by holder',
    label: 'holder',
    read: ({ assets }) => [
      { of: 'gateway', value: assets.gateway },
      { of: 'venue', value: assets.venue },
    ],
  },
  {
    name: 'tradewind_counted_assets_dollars',
    help: 'Lower of booked and reported assets; the alarm compares it with liabilities',
    read: ({ assets }) => one(assets.counted),
  },
  {
    name: 'tradewind_liabilities_dollars',
    help: 'Liabilities: member balances, uncredited payments, undistributed fees and pools',
    read: ({ liabilities }) => one(liabilities),
  },
  {
    name: 'tradewind_surplus_dollars',
    help: 'Revenue, withdrawal fees, venue results and corrections',
    read: ({ surplus }) => one(surplus),
  },
  {
    name: 'tradewind_coverage_ratio',
    help: 'Counted assets divided by liabilities; absent without liabilities',
    read: ({ coverage }) => one(coverage),
  },
  {
    name: 'tradewind_payouts_stopped',
    help: '1 while payouts are stopped',
    read: ({ payouts }) => one(payouts.stopped),
  },
  {
    name: 'tradewind_alarm',
    help: '1 for each active alarm; payouts cannot resume while there is one',
    label: 'cause',
    read: ({ integrity }) => integrity.alarms.map(({ cause }) => ({ of: cause, value: 1 })),
  },
  {
    name: 'tradewind_integrity_passed',
    help: '1 when the last reconciliation found no discrepancies, else 0; absent before the first',
    read: ({ integrity: { last } }) => one(last && last.state === 'passed'),
  },
  {
    name: 'tradewind_integrity_checked_timestamp_seconds',
    help: 'When the last reconciliation finished; absent before the first',
    read: ({ integrity: { last } }) => one(secondsOf(last?.finished_at ?? null)),
  },
  {
    name: 'tradewind_backup_timestamp_seconds',
    help: 'When the last base backup finished; absent before the first',
    read: ({ backup }) => one(secondsOf(backup.at)),
  },
  {
    name: 'tradewind_backup_overdue',
    help: '1 when the last base backup is older than 25 hours, in live mode also before the first',
    read: ({ backup }) => one(backup.overdue),
  },
  {
    name: 'tradewind_queue_length',
    help: 'Items in the queue',
    label: 'queue',
    read: ofQueues(({ count }) => count),
  },
  {
    name: 'tradewind_queue_oldest_seconds',
    help: 'Age of the oldest item; 0 when the queue is empty',
    label: 'queue',
    read: ofQueues(({ oldest_at }, at) => (oldest_at === null ? 0 : (at - Date.parse(oldest_at)) / 1000)),
  },
  {
    name: 'tradewind_failed_emails',
    help: 'Emails that failed permanently in the last three days',
    read: ({ queues }) => one(queues.emails.failed),
  },
  {
    name: 'tradewind_emails_over_cap',
    help: 'Emails not sent because the address reached its daily limit',
    read: ({ queues }) => one(queues.emails.capped),
  },
  {
    name: 'tradewind_feed_stale',
    help: '1 while prices are too old to trade at',
    read: ({ feed }) => one(feed.stale),
  },
  {
    name: 'tradewind_market_timestamp_seconds',
    help: 'Market time',
    read: ({ market_time }) => one(secondsOf(market_time)),
  },
  {
    name: 'tradewind_venue_up',
    help: '1 while the exchange answers; always 1 on paper',
    read: ({ venue }) => one(venue.state === 'up'),
  },
  {
    name: 'tradewind_venue_rejections_total',
    help: 'Orders that the exchange refused; absent on paper',
    label: 'asset',
    isCounter: true,
    read: ({ venue }) => venue.refused.map(({ symbol, count }) => ({ of: symbol, value: count })),
  },
  {
    name: 'tradewind_venue_free_funds',
    help: 'Dollars at the exchange that orders can use; absent on paper and before it told them',
    read: ({ venue }) => one(venue.funds?.free ?? null),
  },
  {
    name: 'tradewind_venue_funds_short',
    help: '1 when free funds do not cover queued trades; absent from the close until an hour before the next opening',
    read: ({ venue }) => one(venue.funds?.short ?? null),
  },
  {
    name: 'tradewind_venue_residual',
    help: 'Dollars at the mark of coins that the exchange holds beyond those of members, or lacks',
    label: 'asset',
    read: ({ venue }) =>
      venue.residuals.flatMap(({ symbol, value }) => (value === null ? [] : [{ of: symbol, value }])),
  },
  {
    name: 'tradewind_job_last_success_timestamp_seconds',
    help: 'When the loop or queue last succeeded; absent before the first success',
    label: 'name',
    read: ofJobs(({ last_success_at }) => secondsOf(last_success_at)),
  },
  {
    name: 'tradewind_job_failures',
    help: 'Failures since the last success',
    label: 'name',
    read: ofJobs(({ failures }) => failures),
  },
  {
    name: 'tradewind_job_overdue',
    help: '1 when the loop or queue is overdue: it hangs, or no worker runs',
    label: 'name',
    read: ofJobs(({ overdue }) => Number(overdue)),
  },
  {
    name: 'tradewind_job_seconds',
    help: 'Duration of the last run',
    label: 'name',
    read: ofJobs(({ took_ms }) => (took_ms === null ? null : took_ms / 1000)),
  },
];
