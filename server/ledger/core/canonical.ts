/** All fields of a transfer but its hash; instants in microseconds since 1970, which a Date cannot carry. */
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

/** PostgreSQL counts microseconds from 2000-01-01, and so do the canonical bytes. */
const POSTGRES_EPOCH_MICROS = 946_684_800_000_000n;

/**
 * The canonical bytes of a transfer: numbers as 8 bytes, instants as 8 bytes, text with its length before it, what
 * may be absent with a presence byte before it. No two transfers have the same bytes. `ledger.transfer_hash` builds
 * them in SQL; this is the second, independent builder that checks it.
 */
export function transferBytes(t: TransferFields): Buffer {
  return Buffer.concat([
    int8(t.id),
    int8(t.from_account),
    int8(t.to_account),
    int8(t.amount),
    optional(t.from_balance_after, int8),
    optional(t.to_balance_after, int8),
    optional(t.reverses, int8),
    int8(t.tx),
    instant(t.market_at_micros),
    instant(t.created_at_micros),
    text(t.reason),
    text(t.key),
    text(t.reference),
    optional(t.note, text),
  ]);
}

/** The first byte of each tells the kinds apart: a checkpoint's bytes can never be a seal's. */
export const checkpointBytes = (c: CheckpointFields): Buffer =>
  Buffer.concat([text('checkpoint'), int8(c.seal_no), int8(BigInt(c.class)), int8(c.balance)]);

export const sealBytes = (s: SealFields): Buffer =>
  Buffer.concat([
    text('seal'),
    int8(s.no),
    int8(s.horizon),
    int8(s.transfer_count),
    s.root,
    s.previous_hash,
    instant(s.sealed_at_micros),
  ]);

const PRESENT = Buffer.of(1);
const ABSENT = Buffer.of(0);

function int8(value: bigint): Buffer {
  const bytes = Buffer.allocUnsafe(8);
  bytes.writeBigInt64BE(value);
  return bytes;
}

const instant = (micros: bigint): Buffer => int8(micros - POSTGRES_EPOCH_MICROS);

function text(value: string): Buffer {
  const bytes = Buffer.from(value, 'utf8');
  const length = Buffer.allocUnsafe(4);
  length.writeInt32BE(bytes.length);
  return Buffer.concat([length, bytes]);
}

const optional = <T>(value: T | null, bytesOf: (value: T) => Buffer): Buffer =>
  value === null ? ABSENT : Buffer.concat([PRESENT, bytesOf(value)]);
