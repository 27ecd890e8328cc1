import { sql } from 'kysely';
import type { Context } from '#server/context.ts';
import type { Db, Tx } from '#server/db/connect.ts';
import { execute, findRow, getRow, hasRow, listRows } from '#server/db/rows.ts';
import { addUnits, bookedRate, type Coins, microsBookedFor, unitsBookedFor } from '../core/coins.ts';

export type HoldingRow = Coins & {
  readonly gateway: string;
  readonly asset: string;
  /** Dollars per coin at the last valuation. */
  readonly rate: string | null;
  readonly valuedAt: Date | null;
  /** Rate rejected as an outlier at the last valuation. */
  readonly outlier: { readonly rate: string; readonly at: Date } | null;
};

export type MovementKind = 'opening' | 'payment' | 'refund' | 'payout' | 'network_fee' | 'revaluation' | 'sale';

export type CoinMove = {
  readonly kind: MovementKind;
  readonly reference: string;
  /** Hash of the gateway's transaction when its network fee is still to be fetched. */
  readonly transaction?: string | null;
  /** Signed change of the holding. Null derives the units from the micros at the booked rate. */
  readonly units: string | null;
  readonly micros: bigint;
};

type Row = Omit<HoldingRow, 'outlier'> & { readonly doubtedRate: string | null; readonly doubtedAt: Date | null };

const columns = sql`gateway, asset, units::text as units, booked_micros as "bookedMicros", rate::text as rate,
  valued_at as "valuedAt", doubted_rate::text as "doubtedRate", doubted_at as "doubtedAt"`;

const holdingOf = ({ doubtedRate, doubtedAt, ...row }: Row): HoldingRow => ({
  ...row,
  outlier: doubtedRate === null || doubtedAt === null ? null : { rate: doubtedRate, at: doubtedAt },
});

/** Undefined until the holding is opened (`value-coins.ts`); its opening balance covers everything earlier. */
export async function findCoins(db: Db, gateway: string): Promise<HoldingRow | undefined> {
  const row = await findRow(db)<Row>`select ${columns} from funds.gateway_holding where gateway = ${gateway}`;
  return row && holdingOf(row);
}

/** Dollars per coin at the last valuation, else as booked; null while unknown. */
export const lastRateOf = (holding: HoldingRow): string | null => holding.rate ?? bookedRate(holding);

/** The same by gateway name; null also without a holding. */
export async function findLastRate(db: Db, gateway: string): Promise<string | null> {
  const holding = await findCoins(db, gateway);
  return holding === undefined ? null : lastRateOf(holding);
}

/** Holdings of the configured gateways. */
export const listCoins = ({ db, config }: Pick<Context, 'db' | 'config'>) =>
  listRows(db)<Pick<HoldingRow, 'asset' | 'units' | 'bookedMicros' | 'valuedAt'>>`
    select asset, trim_scale(units)::text as units, booked_micros as "bookedMicros", valued_at as "valuedAt"
    from funds.gateway_holding where gateway = any(${config.payments}::text[]) order by asset`;

/** Dollars booked for the coins at all gateways, whose holdings are locked. Lock order as for `lockCoins`. */
export async function lockCoinMicros(tx: Tx): Promise<bigint> {
  await lockOpenings(tx);
  const rows = await listRows(tx)<{ micros: bigint }>`
    select booked_micros as micros from funds.gateway_holding order by gateway for update`;
  return rows.reduce((sum, { micros }) => sum + micros, 0n);
}

/** A holding may be opening concurrently; `openHolding` takes the same advisory lock exclusively. */
const lockOpenings = (tx: Tx) =>
  execute(tx)`select pg_advisory_xact_lock_shared(hashtextextended('funds.gateway_holding', 0))`;

/** A locked holding. Lock order: after deposit, withdrawal and member, before any ledger account. */
export async function lockCoins(tx: Tx, gateway: string): Promise<HoldingRow | undefined> {
  const lock = () =>
    findRow(tx)<Row>`select ${columns} from funds.gateway_holding where gateway = ${gateway} for update`;
  let row = await lock();
  if (row === undefined) {
    await lockOpenings(tx);
    row = await lock();
  }
  return row && holdingOf(row);
}

/**
 * Records a movement of a gateway's coins, in the transaction of its transfers and before them. Does nothing at a
 * gateway that holds dollars.
 */
export async function moveCoins(tx: Tx, gateway: string, move: CoinMove, now: Date): Promise<void> {
  const holding = await lockCoins(tx, gateway);
  if (holding !== undefined) await writeMove(tx, holding, move, now);
}

/** The same for a holding that the caller has locked. */
export async function writeMove(tx: Tx, holding: HoldingRow, move: CoinMove, now: Date): Promise<void> {
  const { kind, reference, transaction = null, micros } = move;
  const units = move.units ?? unitsBookedFor(holding, micros);
  const after = await getRow(tx)<Coins>`
    update funds.gateway_holding
    set units = ${addUnits(holding.units, units)}::numeric, booked_micros = booked_micros + ${micros}::bigint
    where gateway = ${holding.gateway} and asset = ${holding.asset}
    returning units::text as units, booked_micros as "bookedMicros"`;
  await execute(tx)`
    insert into funds.gateway_movement
      (gateway, asset, kind, units, micros, units_after, micros_after, reference, transaction, at)
    values (${holding.gateway}, ${holding.asset}, ${kind}, ${units}::numeric, ${micros}, ${after.units}::numeric,
            ${after.bookedMicros}, ${reference}, ${transaction}, ${now})`;
}

/** What a deposit's payments have moved so far. */
const sumOfPayments = (tx: Tx, gateway: string, reference: string) =>
  getRow(tx)<{ units: string; micros: bigint }>`
    select coalesce(sum(units), 0)::text as units, coalesce(sum(micros), 0)::bigint as micros
    from funds.gateway_movement where gateway = ${gateway} and reference = ${reference} and kind = 'payment'`;

/**
 * Adds the coins of a deposit's newly booked payments. For a deposit partly booked before the holding was opened, the
 * coins are prorated.
 *
 * @param coins of all its confirmed payments, with their value
 * @param micros booked now, in addition to earlier ones
 */
export async function addPayment(
  tx: Tx,
  deposit: { readonly gateway: string; readonly reference: string; readonly booked_micros: bigint },
  coins: { readonly units: string; readonly micros: bigint },
  micros: bigint,
  now: Date,
): Promise<void> {
  const holding = await lockCoins(tx, deposit.gateway);
  if (holding === undefined || micros === 0n) return;
  const before = await sumOfPayments(tx, deposit.gateway, deposit.reference);
  const move = { kind: 'payment', reference: deposit.reference } as const;
  const isKnown = before.micros === deposit.booked_micros;
  const units = isKnown
    ? addUnits(coins.units, `-${before.units}`)
    : unitsBookedFor({ units: coins.units, bookedMicros: coins.micros }, micros);
  await writeMove(tx, holding, { ...move, units, micros: isKnown ? coins.micros - before.micros : micros }, now);
}

export const insertCoins = (tx: Tx, gateway: string, asset: string) =>
  hasRow(tx)`
    insert into funds.gateway_holding (gateway, asset, units, booked_micros) values (${gateway}, ${asset}, 0, 0)
    on conflict do nothing returning 1`;

export const updateValued = (tx: Tx, { gateway, asset }: HoldingRow, rate: string, now: Date) =>
  execute(tx)`
    update funds.gateway_holding
    set rate = ${rate}::numeric, valued_at = ${now}, doubted_rate = null, doubted_at = null
    where gateway = ${gateway} and asset = ${asset}`;

export const updateOutlier = (tx: Tx, { gateway, asset }: HoldingRow, rate: string, now: Date) =>
  execute(tx)`
    update funds.gateway_holding set doubted_rate = ${rate}::numeric, doubted_at = ${now}
    where gateway = ${gateway} and asset = ${asset}`;

export type MissingFee = { readonly transaction: string; readonly paidMicros: bigint; readonly paidAt: Date };

/** Payout transactions since `after` without a booked network fee, with the micros they paid and when. */
export const listMissingFees = (db: Db, gateway: string, after: Date) =>
  listRows(db)<MissingFee>`
    select m.transaction, -sum(m.micros)::bigint as "paidMicros", min(m.at) as "paidAt" from funds.gateway_movement m
    where m.gateway = ${gateway} and m.kind = 'payout' and m.transaction is not null and m.at > ${after}
      and not exists (
        select from funds.gateway_movement f
        where f.gateway = m.gateway and f.transaction = m.transaction and f.kind = 'network_fee')
    group by m.transaction order by min(m.id)`;

export const isFeeBooked = (tx: Tx, gateway: string, transaction: string) =>
  hasRow(tx)`
    select 1 from funds.gateway_movement
    where gateway = ${gateway} and transaction = ${transaction} and kind = 'network_fee'`;

/** Removes sold coins from a holding; `reference` is that of the sale. @returns the micros they were booked at */
export async function removeSoldCoins(
  tx: Tx,
  { gateway, reference, sold }: { readonly gateway: string; readonly reference: string; readonly sold: string },
  now: Date,
): Promise<bigint> {
  const holding = await lockCoins(tx, gateway);
  if (holding === undefined) return 0n;
  const booked = microsBookedFor(holding, sold);
  await writeMove(tx, holding, { kind: 'sale', reference, units: `-${sold}`, micros: -booked }, now);
  return booked;
}
