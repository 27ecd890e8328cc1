import { type KeyStatement, sealChains } from '#contract/solvency/heads.ts';
import { BadConfig } from '#server/config.ts';
import type { Db } from '#server/db/connect.ts';
import { inTransaction } from '#server/db/tx.ts';
import { fingerprintOf, PrivateKey } from './ed25519.ts';
import { makeKeyFile, readKeyFile, type SealKey } from './key-file.ts';
import { type LastSeals, makeStatement } from './key-statements.ts';
import { insertStatement, listStatements } from './signing-sql.ts';

/**
 * Opens the key of a sealing process: reads it from its file, creates it on the first start, and announces it in the
 * database. If the database was sealed with another key, or the file is missing, it refuses instead of silently using a
 * new key.
 *
 * @param readLast reads the last seals before the first key, which stay unsigned
 * @throws BadConfig in one line
 */
export async function openSealKey(
  { db, now }: { readonly db: Db; readonly now: () => Date },
  file: string,
  readLast: () => Promise<LastSeals>,
): Promise<SealKey> {
  const last = await readLast();
  const sealKey = readKeyFile(file) ?? (await makeFirstKey(db, file, last, now()));
  const own = sealKey.statements;
  const announced = await inTransaction(db, async (tx) => {
    const known = await listStatements(tx);
    if (isContinuation(known, own)) {
      const missing = own.slice(known.length);
      refuseGap(file, missing.at(-1), last);
      for (const statement of missing) await insertStatement(tx, statement);
    }
    return listStatements(tx);
  });
  const current = announced.at(-1)?.public_key;
  if (current !== sealKey.key.publicKey)
    throw new BadConfig(
      `SEAL_KEY_FILE: ${file} has key ${shortOf(sealKey.key.publicKey)}, but this database is sealed with key ${shortOf(current)}; use the file of that key`,
    );
  return sealKey;
}

/**
 * A database restored to before a rotation may end before the seals from which the new key signs. Seals in between would
 * count as forged for ever: only the replaced key may sign them.
 */
function refuseGap(file: string, missing: KeyStatement | undefined, last: LastSeals): void {
  if (missing !== undefined && sealChains.some((chain) => BigInt(missing.after[chain]) > last[chain]))
    throw new BadConfig(
      `SEAL_KEY_FILE: ${file} has key ${shortOf(missing.public_key)}, which signs only later seals than those of this database, restored to before it was rotated; use the file of the key before it, or move it away and announce a new key with npm run seal:rotate -- --lost`,
    );
}

async function makeFirstKey(db: Db, file: string, last: LastSeals, now: Date): Promise<SealKey> {
  const current = (await listStatements(db)).at(-1)?.public_key;
  if (current !== undefined)
    throw new BadConfig(
      `SEAL_KEY_FILE: ${file} is missing, but this database is sealed with key ${shortOf(current)}; restore the file from its backup, or announce a new key with npm run seal:rotate -- --lost`,
    );
  const key = PrivateKey.make();
  makeKeyFile(file, { key, statements: [makeStatement(key, last, now)] });
  // Another process may have created it first.
  const made = readKeyFile(file);
  if (made === undefined) throw new BadConfig(`SEAL_KEY_FILE: ${file} cannot be written`);
  return made;
}

/**
 * Reads the key file again, because a key may have been rotated since this process started. If the file is unreadable
 * or belongs to another database, returns the statements from the start.
 */
export function readStatements(sealKey: SealKey, file: string): readonly KeyStatement[] {
  try {
    const now = readKeyFile(file)?.statements ?? [];
    return isContinuation(sealKey.statements, now) ? now : sealKey.statements;
  } catch {
    return sealKey.statements;
  }
}

/** Whether the database's keys are a prefix of the file's: a restored database may lack the newest. */
const isContinuation = (known: readonly KeyStatement[], own: readonly KeyStatement[]): boolean =>
  known.length <= own.length && known.every(({ public_key }, index) => own[index]?.public_key === public_key);

/** A short fingerprint: `ab12cd34…` */
export const shortOf = (publicKey: string | undefined): string =>
  publicKey === undefined ? 'none' : `${fingerprintOf(publicKey).slice(0, 16)}…`;
