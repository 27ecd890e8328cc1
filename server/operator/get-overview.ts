import { dollarsOrNull, toDollars, toTotal } from '#contract/money.ts';
import { type Overview, waitingWithdrawalStates } from '#contract/operator/overview.ts';
import { countEmailRequests } from '#server/accounts/index.ts';
import { countProposals } from '#server/approvals/index.ts';
import type { Context } from '#server/context.ts';
import { findRow } from '#server/db/rows.ts';
import { inSnapshot } from '#server/db/tx.ts';
import {
  countTwoPerson,
  getPayoutStop,
  getPayoutSwitch,
  type QueueSum,
  sumGatewayFindings,
  sumReviewedDeposits,
  sumWaitingWithdrawals,
} from '#server/funds/index.ts';
import { sumWaitingRewards } from '#server/income/index.ts';
import { listFlows } from '#server/ledger/index.ts';
import { sumEmails } from '#server/notify/index.ts';
import { readCover, showResidual } from '#server/solvency/index.ts';
import { sumOpenTickets } from '#server/tickets/index.ts';
import {
  findVenueFunds,
  findVenueState,
  getSession,
  listHaltedAssets,
  listRefusals,
  listResiduals,
  sumOpenFindings,
  type VenueFunds,
} from '#server/trading/index.ts';
import { coverageOf, dayFlowsOf } from './core/overview-figures.ts';
import { getIntegrity } from './integrity/get-integrity.ts';
import { listJobs } from './job-monitor/jobs.ts';

/**
 * The console's first page (docs/product.md, section 10). Its cost does not grow with the ledger: balances are
 * checkpoints plus later entries, flows are daily rollups, and queues read only what is pending. All is read in one
 * snapshot: figures of the same moment, and a single connection.
 *
 * @param withPeople false for metrics: reads no personal data; `two_person` is 0, and `email_changes` counts only those
 * with a proposal
 */
export function getOverview(context: Context, { withPeople = true } = {}): Promise<Overview> {
  return inSnapshot(context.db, (tx) => showOverview({ ...context, db: tx }, withPeople));
}

async function showOverview(context: Context, withPeople: boolean): Promise<Overview> {
  const { db, config } = context;
  const session = await getSession(context);
  const { sheet, counted } = await readCover(context);
  const payouts = await (withPeople ? getPayoutSwitch(context) : getPayoutStop(context));
  return {
    simulated: config.mode === 'paper',
    at: context.now().toISOString(),
    market_time: session.market_time,
    assets: {
      booked: toDollars(sheet.assets.booked),
      gateway: toDollars(sheet.assets.gateway),
      venue: toDollars(sheet.assets.venue),
      counted: toDollars(counted),
    },
    liabilities: toDollars(sheet.liabilities),
    surplus: toDollars(sheet.surplus),
    coverage: coverageOf(counted, sheet.liabilities),
    today: await showDay(context, session.market_time.slice(0, 10)),
    queues: await showQueues(context, withPeople),
    feed: session.feed,
    session,
    venue: await showVenue(context),
    payouts: { stopped: payouts.stopped, at: payouts.at, why: payouts.why, needs: payouts.needs },
    jobs: await listJobs(context),
    integrity: await getIntegrity(db),
    backup: await getBackup(context),
  };
}

async function showDay({ db }: Context, day: string): Promise<Overview['today']> {
  const flows = dayFlowsOf(await listFlows(db, { fromDay: day, toDay: day }));
  return {
    day,
    deposits: toTotal(flows.deposits),
    withdrawals: toTotal(flows.withdrawals),
    trade_fees: toTotal(flows.tradeFees),
    performance_fees: toTotal(flows.performanceFees),
    withdrawal_fees: toTotal(flows.withdrawalFees),
    incomes: toTotal(flows.incomes),
  };
}

async function showQueues(context: Context, withPeople: boolean): Promise<Overview['queues']> {
  const { db } = context;
  const withdrawals = await sumWaitingWithdrawals(db);
  const twoPerson = withPeople ? await countTwoPerson(db) : { count: 0, firstApproved: 0 };
  const deposits = await sumReviewedDeposits(db);
  const tickets = await sumOpenTickets(db, withPeople);
  const rewards = await sumWaitingRewards(db);
  const emails = await sumEmails(context);
  const proposals = await countProposals(db);
  const emailRequests = withPeople ? await countEmailRequests(db) : 0;
  const statement = await sumOpenFindings(db);
  const atGateways = await sumGatewayFindings(db);
  return {
    withdrawals: waitingWithdrawalStates.map((state) => ({
      state,
      ...showQueue(withdrawals.find((sum) => sum.state === state) ?? nothing),
    })),
    two_person: { count: twoPerson.count, first_approved: twoPerson.firstApproved },
    deposits_in_review: showQueue(deposits),
    tickets: {
      count: Number(tickets.open),
      unassigned: Number(tickets.unassigned),
      oldest_at: tickets.oldestAt?.toISOString() ?? null,
    },
    rewards: showQueue(rewards),
    emails: {
      count: Number(emails.waiting),
      failed: Number(emails.failed),
      capped: Number(emails.capped),
      oldest_at: emails.oldestAt?.toISOString() ?? null,
    },
    proposals: {
      adjustments: proposals.adjustment,
      treasury_moves: proposals.treasury,
      fee_plans: proposals.fee_plan,
      loosenings: proposals.loosening,
      email_changes: proposals.email_change + emailRequests,
      announcements: proposals.announcement,
      reserves: proposals.reserve,
      venue_fills: proposals.venue_fill,
      asset_limits: proposals.asset_limits,
      statement_lines: proposals.statement_line,
    },
    statement: { count: Number(statement.count), oldest_at: statement.oldestAt?.toISOString() ?? null },
    gateway_statement: { count: Number(atGateways.count), oldest_at: atGateways.oldestAt?.toISOString() ?? null },
  };
}

const nothing: QueueSum = { count: 0n, micros: 0n, oldestAt: null };

const showQueue = ({ count, micros, oldestAt }: QueueSum) => ({
  count: Number(count),
  amount: toDollars(micros),
  oldest_at: oldestAt?.toISOString() ?? null,
});

async function showVenue(context: Context): Promise<Overview['venue']> {
  const nothingAtExchange = { funds: null, halted: [], residuals: [], refused: [] };
  if (context.config.venue !== 'ccxt')
    return { kind: 'paper', state: 'up', since: null, reason: null, ...nothingAtExchange };
  const { db } = context;
  const { state, since, reason } = await findVenueState(db);
  const funds = await findVenueFunds(context);
  const halted = await listHaltedAssets(db);
  const residuals = await listResiduals(context);
  const refused = await listRefusals(db);
  return {
    kind: 'ccxt',
    state,
    since: since.toISOString(),
    reason,
    funds: funds === undefined ? null : showFunds(funds),
    halted: halted.map((one) => ({ symbol: one.symbol, reason: one.reason, since: one.since.toISOString() })),
    residuals: residuals.map(showResidual),
    refused: refused.map(({ symbol, count }) => ({ symbol, count: Number(count) })),
  };
}

const showFunds = ({ freeMicros, freeAt, queuedMicros, isShort }: VenueFunds): Overview['venue']['funds'] => ({
  free: dollarsOrNull(freeMicros),
  free_at: freeAt?.toISOString() ?? null,
  queued: toDollars(queuedMicros),
  short: isShort,
});

/** One day, plus an hour for the next nightly backup to finish. */
const OVERDUE_MS = 25 * 3_600_000;

/**
 * When the last base backup finished, as `deploy/backup` recorded it in the database. A backup that never ran is
 * overdue in live mode only: paper mode has nothing to lose.
 */
export async function getBackup({ db, config, now }: Context): Promise<Overview['backup']> {
  const last = await findRow(db)<{ at: Date }>`
    select finished_at as at from public.backup order by finished_at desc limit 1`;
  if (last === undefined) return { at: null, overdue: config.mode === 'live' };
  return { at: last.at.toISOString(), overdue: now().getTime() - last.at.getTime() > OVERDUE_MS };
}
