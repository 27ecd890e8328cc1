/** All fields of a transfer except its hash. Instants are microseconds since 1970, which a Date cannot represent. */
export type TransferFields = {
  readonly id: bigint;
  readonly from_account: bigint;
  readonly to_account: bigint;
  readonly amount: bigint;
  readonly from_balance_after: bigint | null;
  readonly to_balance_after: bigint | null;
  readonly reverses: bigint | null;
  readonly tx: bigint;
  readonly market_at_micros: bigint;
  readonly created_at_micros: bigint;
  readonly reason: string;
  readonly key: string;
  readonly reference: string;
  readonly note: string | null;
};

export type CheckpointFields = { readonly seal_no: bigint; readonly class: number; readonly balance: bigint };

export type SealFields = {
  readonly no: bigint;
  readonly horizon: bigint;
  readonly transfer_count: bigint;
  readonly root: Buffer;
  readonly previous_hash: Buffer;
  readonly sealed_at_micros: bigint;
};

/** PostgreSQL counts microseconds from 2000-01-01. */
const POSTGRES_EPOCH_MICROS = 946_684_800_000_000n;

/** Type OIDs of PostgreSQL, which never change. */
const INT8 = 20;
const BYTEA = 17;
const TIMESTAMPTZ = 1184;

type Column = readonly [type: number, bytes: Buffer | null];

/**
 * The canonical bytes of a transfer: those of PostgreSQL's `record_send` for the same row, so `ledger.transfer_hash` is
 * cheap to compute. This second, independent implementation verifies it. The format is the number of columns, then for
 * each its type, its length (−1 for null) and its bytes.
 */
export function transferBytes(t: TransferFields): Buffer {
  return rowBytes([
    int8(t.id),
    int8(t.from_account),
    int8(t.to_account),
    int8(t.amount),
    int8(t.from_balance_after),
    int8(t.to_balance_after),
    int8(t.reverses),
    int8(t.tx),
    instant(t.market_at_micros),
    instant(t.created_at_micros),
    text(t.reason),
    text(t.key),
    text(t.reference),
    text(t.note),
  ]);
}

/** Prefixed with its type, so it cannot equal the bytes of any other kind. */
export const checkpointBytes = (c: CheckpointFields): Buffer =>
  rowBytes([text('checkpoint'), int8(c.seal_no), int8(BigInt(c.class)), int8(c.balance)]);

/** Prefixed with its type, as above. */
export const sealBytes = (s: SealFields): Buffer =>
  rowBytes([
    text('seal'),
    int8(s.no),
    int8(s.horizon),
    int8(s.transfer_count),
    [BYTEA, s.root],
    [BYTEA, s.previous_hash],
    instant(s.sealed_at_micros),
  ]);

function rowBytes(columns: readonly Column[]): Buffer {
  const length = columns.reduce((sum, [, bytes]) => sum + 8 + (bytes?.length ?? 0), 4);
  const row = Buffer.allocUnsafe(length);
  let at = row.writeInt32BE(columns.length, 0);
  for (const [type, bytes] of columns) {
    at = row.writeInt32BE(type, at);
    at = row.writeInt32BE(bytes?.length ?? -1, at);
    if (bytes !== null) at += bytes.copy(row, at);
  }
  return row;
}

function int8(value: bigint | null): Column {
  return [INT8, value === null ? null : eightBytes(value)];
}

const instant = (micros: bigint): Column => [TIMESTAMPTZ, eightBytes(micros - POSTGRES_EPOCH_MICROS)];

const text = (value: string | null): Column => [BYTEA, value === null ? null : Buffer.from(value, 'utf8')];

function eightBytes(value: bigint): Buffer {
  const bytes = Buffer.allocUnsafe(8);
  bytes.writeBigInt64BE(value);
  return bytes;
}
