import { z } from 'zod';
import { endpoint, financeRoles, instant, operatorRoles, page, paging } from '../endpoint.ts';
import { waterfallSums } from '../fee-plan.ts';
import { money, signedMoney } from '../fields.ts';
import { halt } from '../trading/halt.ts';

export const sessionStates = ['scheduled', 'open', 'settling', 'settled'] as const;
export const bonusRunStates = ['collecting', 'paying', 'checking', 'done'] as const;

const day = z.iso.date();
/** SHA-256 in hexadecimal. */
const hash = z.string();

const session = z.strictObject({
  day,
  state: z.enum(sessionStates),
  /** All in market time. */
  opens_at: instant,
  closes_at: instant,
  opened_at: instant.nullable(),
  closed_at: instant.nullable(),
  settled_at: instant.nullable(),
  /** Totals of its trades; null until it is settled. */
  figures: z
    .strictObject({
      trades: z.number().int(),
      members: z.number().int(),
      staked: money,
      trade_fees: money,
      performance_fees: money,
      /** Gains and losses of positions, before fees. */
      gross: signedMoney,
    })
    .nullable(),
  /** Run digest over the session's inputs and results; null until it is settled. */
  manifest_hash: hash.nullable(),
  /** Progress of distributing its fees; null until that begins. */
  bonus_run: z.enum(bonusRunStates).nullable(),
});
export type ConsoleSession = z.output<typeof session>;

const fillPrice = z.strictObject({
  mark: z.string(),
  spread_bps: z.number().int(),
  /** The price at which trades were bought or sold. */
  price: z.string(),
  /** Market time. */
  at: instant,
});

const sessionAsset = z.strictObject({
  symbol: z.string(),
  /**
   * The first price at which trades opened. `derived`: its tick is purged, so the mark is calculated back from the
   * price; `filled`: a fill at an exchange, not computed from mark and spread.
   */
  opening: fillPrice.extend({ source: z.enum(['stored', 'derived', 'filled']) }),
  /** The closing price; null until it is fixed. `late`: from the first minute of fresh prices after the session. */
  closing: fillPrice.extend({ late: z.boolean() }).nullable(),
  trades: z.number().int(),
  staked: money,
  trade_fees: money,
  /** Not sold yet. */
  open: z.strictObject({ trades: z.number().int(), staked: money }),
  /** Sold positions: before fees, and net effect on wallets. */
  gross: signedMoney,
  performance_fees: money,
  result: signedMoney,
});
export type SessionAsset = z.output<typeof sessionAsset>;

const bonusRun = z.strictObject({
  state: z.enum(bonusRunStates),
  fee_plan: z.number().int(),
  /** Batches of 4096 members already paid. */
  blocks: z.number().int(),
  /** Market time. */
  ran_at: instant.nullable(),
  /** When it was done and the reconciliation had passed. */
  finished_at: instant.nullable(),
  /** The session's execution cost, and the part not covered by fees; null until fees are collected, 0 on paper. */
  execution: z.strictObject({ cost: money, uncovered: money }).nullable(),
  /** Set once it has paid. */
  shares: waterfallSums
    .omit({ trade_fees: true, performance_fees: true, execution_cost: true, beneficiaries: true })
    .nullable(),
  inputs_hash: hash.nullable(),
  outputs_hash: hash.nullable(),
});

const periodRun = z.strictObject({
  kind: z.enum(['weekly', 'monthly']),
  /** First day of the period, and of the next one. */
  starts_on: day,
  ends_on: day,
  /** `paying`: computed, and being paid unless an alarm holds it. */
  state: z.enum(['computing', 'paying', 'checking', 'done']),
  pool: money,
  /** Sum of its lines; null until all are computed. */
  paid: money.nullable(),
  /** Undistributed part of the pool, retained by the house once all is paid; null where it carries over. */
  released: money.nullable(),
  inputs_hash: hash.nullable(),
  outputs_hash: hash.nullable(),
});

const sessionDetail = session.extend({
  /** The plan in force at its opening; null before. */
  fee_plan: z
    .strictObject({ id: z.number().int(), trade_fee_bps: z.number().int(), performance_fee_bps: z.number().int() })
    .nullable(),
  /** Assets with opened trades, by symbol. */
  assets: z.array(sessionAsset),
  /** Queued trades; only while it is the current session. */
  queued: z.strictObject({ trades: z.number().int(), staked: money }).nullable(),
  /** Batches of 4096 members whose results are booked. */
  blocks: z.number().int(),
  /** Halts within its hours, oldest first. */
  halts: z.array(halt),
  bonus: bonusRun.nullable(),
  /** Its week and month, once they are being paid. */
  periods: z.array(periodRun),
  /** Discrepancies that the last reconciliation found in it. */
  findings: z.array(z.string()),
});
export type SessionDetail = z.output<typeof sessionDetail>;

const rerunPart = z.strictObject({
  part: z.enum(['results', 'bonus_inputs', 'bonus_outputs']),
  same: z.boolean(),
  /** As stored by the session, and as recomputed now. */
  stored: hash,
  replayed: hash,
});

const rerun = z.strictObject({
  day,
  at: instant,
  took_ms: z.number().int(),
  /** Results first; the bonus run's parts once it has ended. */
  parts: z.array(rerunPart),
});
export type SessionRerun = z.output<typeof rerun>;

const one = z.strictObject({ day: day.refine((text) => text >= '1970-01-01', 'Not a market day.') });

export const consoleSessions = {
  listSessions: endpoint({
    method: 'GET',
    path: '/operator/sessions',
    access: operatorRoles,
    summary: 'List sessions with totals and distribution state, newest first',
    query: z.strictObject(paging),
    data: page(session),
  }),
  getSessionDetail: endpoint({
    method: 'GET',
    path: '/operator/sessions/:day',
    access: operatorRoles,
    summary: 'Get a session: prices, positions by asset, hashes, bonus run, halts and discrepancies',
    params: one,
    data: sessionDetail,
    refusals: ['not_found'],
  }),
  rerunSession: endpoint({
    method: 'POST',
    path: '/operator/sessions/:day/rerun',
    access: financeRoles,
    summary: 'Recalculate a settled session from its trades and the team tree and compare hashes; posts nothing',
    params: one,
    data: rerun,
    refusals: ['not_found', 'session_not_settled', 'rerun_under_way', 'rerun_too_large'],
  }),
};
