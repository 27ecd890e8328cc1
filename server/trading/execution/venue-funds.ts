import { sql } from 'kysely';
import { toDollars } from '#contract/money.ts';
import type { Context } from '#server/context.ts';
import type { Db, Tx } from '#server/db/connect.ts';
import { findRow, getValue, hasRow } from '#server/db/rows.ts';
import { inTransaction } from '#server/db/tx.ts';
import { getMarketTime } from '#server/market/index.ts';
import { Exact, floorMicros } from '../core/price.ts';
import { openingIds, tradeFeeOf } from '../session/opening-sql.ts';
import { notifyFinanceOfFunds } from './notify-finance.ts';
import { findFreeDollars } from './venue-state.ts';

/** Free funds are compared with queued trades from this long before an opening until the close. */
const BEFORE_OPENING_MS = 60 * 60_000;

export type VenueFunds = {
  /** The session that is open, settling or next: `2026-03-04`. */
  readonly day: string;
  /** Free funds in micros, as last reported; null before the first report. */
  readonly freeMicros: bigint | null;
  readonly freeAt: Date | null;
  /** Micros that queued trades will buy for: amounts less fees. Trades in a batch are already ordered. */
  readonly queuedMicros: bigint;
  /** Whether free funds fall short of queued trades; null when no session is near or free funds are unknown. */
  readonly isShort: boolean | null;
};

/** Compares free funds with queued trades (docs/product.md, section 3, "Execution venue"). */
export async function findVenueFunds({ db }: Pick<Context, 'db'>): Promise<VenueFunds | undefined> {
  const session = await findSession(db);
  if (session === undefined) return undefined;
  const { day, state, opensAt, tradeBps } = session;
  const [marketAt, { dollars, at: freeAt }, queuedMicros] = [
    await getMarketTime(db),
    await findFreeDollars(db),
    await sumQueuedNet(db, tradeBps),
  ];
  const freeMicros = dollars === null ? null : floorMicros(new Exact(dollars));
  const isNear =
    state === 'open' || (state === 'scheduled' && marketAt.getTime() >= opensAt.getTime() - BEFORE_OPENING_MS);
  return {
    day,
    freeMicros,
    freeAt,
    queuedMicros,
    isShort: isNear && freeMicros !== null ? freeMicros < queuedMicros : null,
  };
}

/** Emails finance when free funds do not cover queued trades, once per session day. */
export async function watchFunds(context: Context): Promise<void> {
  const funds = await findVenueFunds(context);
  if (!funds?.isShort) return;
  const { day, freeMicros, freeAt, queuedMicros } = funds;
  await inTransaction(context.db, async (tx) => {
    if (!(await updateShortNotified(tx, day))) return;
    await notifyFinanceOfFunds(context, tx, {
      free: toDollars(freeMicros ?? 0n),
      queued: toDollars(queuedMicros),
      freeAt,
    });
  });
}

type Session = { readonly day: string; readonly state: string; readonly opensAt: Date; readonly tradeBps: number };

/** The current session with its trade fee; before the opening, that of the newest fee plan. */
const findSession = (db: Db): Promise<Session | undefined> =>
  findRow(db)<Session>`
    select s.day::text as day, s.state, s.opens_at as "opensAt", coalesce(s.trade_fee_bps,
      (select p.trade_fee_bps from trading.fee_plan p order by p.id desc limit 1)) as "tradeBps"
    from trading.session s where s.state <> 'settled'`;

const sumQueuedNet = (db: Db, tradeBps: number): Promise<bigint> =>
  getValue(db)<bigint>`
      select coalesce(sum(t.amount - ${tradeFeeOf(sql`t.amount`, tradeBps)}), 0)::bigint as net
      from trading.trade t where t.state = 'queued' and t.id not in ${openingIds}`;

/** @returns whether this call is the first of the session day */
const updateShortNotified = (tx: Tx, day: string) =>
  hasRow(tx)`
    update trading.venue set short_told_on = ${day}::date where short_told_on is distinct from ${day}::date returning 1`;
