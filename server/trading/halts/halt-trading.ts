import { sql } from 'kysely';
import type { OperatorCode } from '#contract/fields.ts';
import { type Halt, tradingHalt } from '#contract/trading/halt.ts';
import { nameActors, operators } from '#server/accounts/index.ts';
import { actingAs, decide, type OperatorActor } from '#server/approvals/index.ts';
import { writeAudit } from '#server/audit/index.ts';
import type { Context } from '#server/context.ts';
import type { Db, Tx } from '#server/db/connect.ts';
import { execute, findRow, getRow, listRows } from '#server/db/rows.ts';
import { inTransaction } from '#server/db/tx.ts';
import { holdMarketTime } from '#server/market/index.ts';
import { Refused } from '#server/refused.ts';

/**
 * Halts trading from this market time on: no later tick opens a trade. The clock is held meanwhile, so nobody can have
 * seen a later tick without the halt. No second factor is required, because a stop must never wait for a phone. A
 * second call leaves the first halt unchanged.
 *
 * @throws Refused not_ready before there is a market
 */
export async function haltTrading(context: Context, actor: OperatorActor, reason: string): Promise<HaltRow> {
  return inTransaction(context.db, async (tx) => {
    const startsAt = await holdMarketTime(tx);
    const active = await findActiveHalt(tx);
    if (active !== undefined) return active;
    const halt = await insertHalt(tx, { reason, startsAt, haltedAt: context.now(), haltedBy: actor.operatorId });
    await writeAudit(tx, {
      ...actingAs(actor),
      subject: 'trading',
      action: 'trading.halt',
      after: { halt: halt.id, reason, startsAt },
    });
    return halt;
  });
}

type HaltLifting = { readonly version: number; readonly note: string; readonly otp: OperatorCode };

/**
 * Resumes trading with the next tick; plans decide again at the next quarter of an hour.
 *
 * @throws Refused halt_over when there is no halt or a different one, and what every decision does
 */
export async function liftHalt(context: Context, actor: OperatorActor, lifting: HaltLifting): Promise<HaltRow> {
  const { operatorId } = actor;
  const { version, note, otp } = lifting;
  return decide(context, actor, {
    operators,
    roles: tradingHalt.liftHalt.access,
    otp,
    precheck: async (db) => checkVersion(await findActiveHalt(db), version),
    lock: async (tx) => {
      const endsAt = await holdMarketTime(tx);
      return { ...checkVersion(await findActiveHalt(tx), version), endsAt };
    },
    execute: async (tx, { endsAt, id, reason }) => {
      const halt = await updateLifted(tx, id, { endsAt, liftedAt: context.now(), liftedBy: operatorId, note });
      await writeAudit(tx, {
        ...actingAs(actor),
        subject: 'trading',
        action: 'trading.lift_halt',
        before: { halt: id, reason },
        after: { note, endsAt },
      });
      return halt;
    },
  });
}

function checkVersion(active: HaltRow | undefined, version: number): HaltRow {
  if (active === undefined || active.id !== BigInt(version)) throw new Refused('halt_over');
  return active;
}

export async function showHalt(db: Db, row: HaltRow): Promise<Halt> {
  const [shown] = await showHalts(db, [row]);
  return shown as Halt;
}

/** Halts with the names of the operators who started and lifted them, in the given order. */
export async function showHalts(db: Db, rows: readonly HaltRow[]): Promise<Halt[]> {
  const ids = rows.flatMap(({ haltedBy, liftedBy }) => [haltedBy, liftedBy]);
  const person = await nameActors(db, ids);
  return rows.map((row) => ({
    version: Number(row.id),
    reason: row.reason,
    by: person(row.haltedBy),
    at: row.haltedAt.toISOString(),
    market_time: row.startsAt.toISOString(),
    lifted: showLifted(row, person),
  }));
}

function showLifted({ endsAt, liftedAt, liftedBy, note }: HaltRow, person: (id: bigint) => Halt['by']): Halt['lifted'] {
  if (endsAt === null || liftedAt === null || liftedBy === null || note === null) return null;
  return { by: person(liftedBy), at: liftedAt.toISOString(), market_time: endsAt.toISOString(), note };
}

type HaltRow = {
  readonly id: bigint;
  readonly reason: string;
  /** Market time; the end is null while the halt is in force. */
  readonly startsAt: Date;
  readonly endsAt: Date | null;
  readonly haltedAt: Date;
  readonly haltedBy: bigint;
  readonly liftedAt: Date | null;
  readonly liftedBy: bigint | null;
  readonly note: string | null;
};

const columns = sql`
  id, reason, starts_at as "startsAt", ends_at as "endsAt", halted_at as "haltedAt", halted_by as "haltedBy",
  lifted_at as "liftedAt", lifted_by as "liftedBy", note`;

/** The halt in force, if any. */
export const findActiveHalt = (db: Db | Tx) =>
  findRow(db)<HaltRow>`select ${columns} from trading.halt where ends_at is null`;

/** Halts that overlap this period of market time, oldest first. */
export const listHaltsBetween = (db: Db, from: Date, until: Date) =>
  listRows(db)<HaltRow>`
    select ${columns} from trading.halt
    where (ends_at is null or ends_at >= ${from}) and starts_at <= ${until} order by id`;

type Halting = Pick<HaltRow, 'reason' | 'startsAt' | 'haltedAt' | 'haltedBy'>;

const insertHalt = (tx: Tx, { reason, startsAt, haltedAt, haltedBy }: Halting) =>
  getRow(tx)<HaltRow>`
    insert into trading.halt (reason, starts_at, halted_at, halted_by)
    values (${reason}, ${startsAt}, ${haltedAt}, ${haltedBy}) returning ${columns}`;

type Lifting = { readonly endsAt: Date; readonly liftedAt: Date; readonly liftedBy: bigint; readonly note: string };

const updateLifted = (tx: Tx, id: bigint, { endsAt, liftedAt, liftedBy, note }: Lifting) =>
  getRow(tx)<HaltRow>`
    update trading.halt set ends_at = ${endsAt}, lifted_at = ${liftedAt}, lifted_by = ${liftedBy}, note = ${note}
    where id = ${id} returning ${columns}`;

/** Halts the asset until one of its orders succeeds. A row keeps its first reason and instant. */
export const haltAsset = (tx: Tx, symbol: string, halt: { reason: string; at: Date; retryAt: Date }) =>
  getRow(tx)<{ readonly rejections: number }>`
    update trading.holding set rejections = rejections + 1, halted_at = coalesce(halted_at, ${halt.at}::timestamptz),
      halt_reason = ${halt.reason}, retry_at = ${halt.retryAt}::timestamptz
    where symbol = ${symbol} returning rejections`;

/**
 * Lets no halted asset wait beyond one instant while trades in it are to be closed, which `isClosing` are all, and none
 * beyond the other: the clock may have been ahead when it was halted.
 */
export const shortenHalts = (db: Db, until: { toClose: Date; others: Date; isClosing: boolean }) =>
  execute(db)`
    update trading.holding h set retry_at = latest.at
    from (
      select symbol, case when ${until.isClosing}::boolean or exists (
          select from trading.trade t where t.state = 'open' and t.close_requested_at is not null and not t.carried and t.symbol = o.symbol)
        then ${until.toClose}::timestamptz else ${until.others}::timestamptz end as at
      from trading.holding o where retry_at > ${until.toClose}) as latest
    where h.symbol = latest.symbol and h.retry_at > latest.at`;

/** Ends an asset's halt after an order succeeded or the cause is gone. */
export const endHalt = (tx: Tx, symbol: string) =>
  execute(tx)`
    update trading.holding
    set rejections = 0, halted_at = null, halt_reason = null, retry_at = null, halt_notified_at = null
    where symbol = ${symbol} and rejections > 0`;

export type HaltedAsset = {
  readonly symbol: string;
  readonly reason: string;
  readonly since: Date;
  readonly rejections: number;
  readonly retryAt: Date | null;
};

/** Assets in which the exchange currently rejects orders. */
export const listHaltedAssets = (db: Db) =>
  listRows(db)<HaltedAsset>`
    select symbol, halt_reason as reason, halted_at as since, rejections, retry_at as "retryAt"
    from trading.holding where rejections > 0 order by symbol`;

/** Halted assets of which finance has not been notified, marked as notified in the caller's transaction. */
export const claimHaltNotices = (tx: Tx, at: Date) =>
  listRows(tx)<Pick<HaltedAsset, 'symbol' | 'reason'>>`
    with pending as materialized (
      select symbol from trading.holding where rejections > 0 and halt_notified_at is null order by symbol for update),
    notified as (
      update trading.holding h set halt_notified_at = ${at} from pending where h.symbol = pending.symbol
      returning h.symbol, h.halt_reason as reason)
    select * from notified order by symbol`;
