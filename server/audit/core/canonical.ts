/** All fields of an entry. Instants are microseconds since 1970, details the database's text of jsonb. */
export type EntryFields = {
  readonly id: bigint;
  readonly tx: bigint;
  readonly actor_kind: string;
  readonly actor_id: bigint | null;
  readonly action: string;
  readonly subject: string;
  readonly before: string | null;
  readonly after: string | null;
  readonly address: string | null;
  readonly created_at_micros: bigint;
};

export type SealFields = {
  readonly no: bigint;
  readonly horizon: bigint;
  readonly entry_count: bigint;
  readonly root: Buffer;
  readonly previous_hash: Buffer;
  readonly sealed_at_micros: bigint;
};

/**
 * The canonical bytes of an entry: its kind, then each field with its length, so no two entries have the same bytes.
 * The field `ab` is `00000002 6162`, an empty one `00000000`, a missing one `ffffffff`.
 */
export const entryBytes = (entry: EntryFields): Buffer =>
  fieldBytes([
    'audit entry',
    entry.id,
    entry.tx,
    entry.actor_kind,
    entry.actor_id,
    entry.action,
    entry.subject,
    entry.before,
    entry.after,
    entry.address,
    entry.created_at_micros,
  ]);

/** The same of a seal. */
export const sealBytes = (seal: SealFields): Buffer =>
  fieldBytes([
    'audit seal',
    seal.no,
    seal.horizon,
    seal.entry_count,
    seal.root,
    seal.previous_hash,
    seal.sealed_at_micros,
  ]);

const MISSING = 0xffffffff;

function fieldBytes(fields: readonly (string | bigint | Buffer | null)[]): Buffer {
  return Buffer.concat(
    fields.flatMap((field) => {
      if (field === null) return [lengthBytes(MISSING)];
      const bytes = Buffer.isBuffer(field) ? field : Buffer.from(String(field), 'utf8');
      return [lengthBytes(bytes.length), bytes];
    }),
  );
}

function lengthBytes(length: number): Buffer {
  const bytes = Buffer.allocUnsafe(4);
  bytes.writeUInt32BE(length);
  return bytes;
}
