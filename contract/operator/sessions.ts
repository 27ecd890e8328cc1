import { z } from 'zod';
import { endpoint, financeRoles, instant, operatorRoles, page, paging } from '../endpoint.ts';
import { waterfallSums } from '../fee-plan.ts';
import { money, signedMoney } from '../fields.ts';
import { halt } from '../trading/halt.ts';

export const sessionStates = ['scheduled', 'open', 'settling', 'settled'] as const;
export const bonusRunStates = ['collecting', 'paying', 'checking', 'done'] as const;

const day = z.iso.date();
/** sha256 in hexadecimal. */
const hash = z.string();

const session = z.strictObject({
  day,
  state: z.enum(sessionStates),
  /** Market time, all of them. */
  opens_at: instant,
  closes_at: instant,
  opened_at: instant.nullable(),
  closed_at: instant.nullable(),
  settled_at: instant.nullable(),
  /** What its trades came to; null until it is settled. */
  figures: z
    .strictObject({
      trades: z.number().int(),
      members: z.number().int(),
      staked: money,
      trade_fees: money,
      performance_fees: money,
      /** What positions gained or lost, before fees. */
      gross: signedMoney,
    })
    .nullable(),
  /** Of what it rested on and came to; null until it is settled. */
  manifest_hash: hash.nullable(),
  /** How far its fees are shared out; null until that begins. */
  bonus_run: z.enum(bonusRunStates).nullable(),
});
export type ConsoleSession = z.output<typeof session>;

const fillPrice = z.strictObject({
  mark: z.string(),
  spread_bps: z.number().int(),
  /** What trades were bought or sold at. */
  price: z.string(),
  /** Market time. */
  at: instant,
});

const sessionAsset = z.strictObject({
  symbol: z.string(),
  /**
   * The first at which trades opened; `derived` when its tick is forgotten, and the mark worked back from the price; `filled` at an
   * exchange, where it is not made of mark and spread.
   */
  opening: fillPrice.extend({ source: z.enum(['stored', 'derived', 'filled']) }),
  /** What is sold at the end of the session; null until it is fixed. `late`: the first fresh minute after it. */
  closing: fillPrice.extend({ late: z.boolean() }).nullable(),
  trades: z.number().int(),
  staked: money,
  trade_fees: money,
  /** Not sold yet. */
  open: z.strictObject({ trades: z.number().int(), staked: money }),
  /** Of what was sold; before fees, and what it changed in wallets. */
  gross: signedMoney,
  performance_fees: money,
  result: signedMoney,
});
export type SessionAsset = z.output<typeof sessionAsset>;

const bonusRun = z.strictObject({
  state: z.enum(bonusRunStates),
  fee_plan: z.number().int(),
  /** Blocks of 4096 members that are paid. */
  blocks: z.number().int(),
  /** Market time. */
  ran_at: instant.nullable(),
  /** When it was over and the books were found right. */
  finished_at: instant.nullable(),
  /** What the session's execution cost, and what of it no fee covered; null until fees are collected. 0 with the paper venue. */
  execution: z.strictObject({ cost: money, uncovered: money }).nullable(),
  /** Known once it has paid. */
  shares: waterfallSums
    .omit({ trade_fees: true, performance_fees: true, execution_cost: true, beneficiaries: true })
    .nullable(),
  inputs_hash: hash.nullable(),
  outputs_hash: hash.nullable(),
});

const periodRun = z.strictObject({
  kind: z.enum(['weekly', 'monthly']),
  /** First day, and that of the next one. */
  starts_on: day,
  ends_on: day,
  /** `paying`: computed, and paid unless an alarm holds it. */
  state: z.enum(['computing', 'paying', 'checking', 'done']),
  pool: money,
  /** What its lines come to; null until they are all there. */
  paid: money.nullable(),
  /** What of the pool nobody gets, kept once all is paid; null where it stays for the next period. */
  released: money.nullable(),
  inputs_hash: hash.nullable(),
  outputs_hash: hash.nullable(),
});

const sessionDetail = session.extend({
  /** In force since its opening; null before. */
  fee_plan: z
    .strictObject({ id: z.number().int(), trade_fee_bps: z.number().int(), performance_fee_bps: z.number().int() })
    .nullable(),
  /** Assets of which trades opened, by symbol. */
  assets: z.array(sessionAsset),
  /** Trades that wait; only while it is the current session. */
  queued: z.strictObject({ trades: z.number().int(), staked: money }).nullable(),
  /** Blocks of 4096 members whose results are booked. */
  blocks: z.number().int(),
  /** Those of its hours, the oldest first. */
  halts: z.array(halt),
  bonus: bonusRun.nullable(),
  /** The week and the month it counts for, once they are being paid. */
  periods: z.array(periodRun),
  /** What the last check of the books found about it. */
  findings: z.array(z.string()),
});
export type SessionDetail = z.output<typeof sessionDetail>;

const rerunPart = z.strictObject({
  part: z.enum(['results', 'bonus_inputs', 'bonus_outputs']),
  same: z.boolean(),
  /** As the session left it, and as it comes out now. */
  stored: hash,
  replayed: hash,
});

const rerun = z.strictObject({
  day,
  at: instant,
  took_ms: z.number().int(),
  /** Results first; those of the bonus run once it has ended. */
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
