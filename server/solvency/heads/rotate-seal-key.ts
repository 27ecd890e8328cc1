import { rmSync } from 'node:fs';
import type { KeyStatement } from '#contract/solvency/heads.ts';
import { BadConfig } from '#server/config.ts';
import type { Db } from '#server/db/connect.ts';
import { inTransaction } from '#server/db/tx.ts';
import {
  insertStatement,
  listStatements,
  lockKeys,
  makeKeyFile,
  makeStatement,
  PrivateKey,
  readKeyFile,
  replaceKeyFile,
  type SealKey,
  statementFaults,
} from '#server/signing/index.ts';
import { lockSnapshots } from '../snapshot-sql.ts';
import { readLastSeals } from './read-heads.ts';

type Installation = { readonly db: Db; readonly now: () => Date };

/**
 * Replaces the key in the file: the old key signs the new one, which signs from the next seal on. Running processes
 * stop sealing until they are restarted. The new key is stored in a file beside the old one before it is announced, so
 * that an interrupted rotation is completed by running it again.
 *
 * @param isLost the old key file is gone: the new key is only self-signed, which is publicly visible
 * @throws BadConfig in one line
 */
export async function rotateSealKey(
  installation: Installation,
  file: string,
  isLost: boolean,
): Promise<readonly KeyStatement[]> {
  const { db } = installation;
  const known = await listStatements(db);
  if (known.length === 0) throw new BadConfig('This database has no seal key yet; the first start makes one.');
  const old = readOld(file, isLost);
  const draft = `${file}.next`;
  const key = (readKeyFile(draft) ?? (await makeDraft(installation, draft))).key;
  const newest = known.at(-1);
  const statements =
    newest?.public_key === key.publicKey ? complete(known, newest, old) : await announce(installation, key, old);
  replaceKeyFile(file, { key, statements });
  rmSync(draft);
  return statements;
}

function readOld(file: string, isLost: boolean): SealKey | undefined {
  const old = readKeyFile(file);
  if (old === undefined && !isLost)
    throw new BadConfig(
      `SEAL_KEY_FILE: ${file} is missing; restore it, or if it is gone run npm run seal:rotate -- --lost`,
    );
  if (old !== undefined && isLost)
    throw new BadConfig(`SEAL_KEY_FILE: ${file} is there, so the key is not lost; rotate it without --lost`);
  return old;
}

/** Of an interrupted rotation. The statements before the new key's are those of the old file, which alone is trusted. */
function complete(
  known: readonly KeyStatement[],
  newest: KeyStatement,
  old: SealKey | undefined,
): readonly KeyStatement[] {
  if (old === undefined) return checked(known);
  return old.key.publicKey === newest.public_key ? old.statements : checked([...old.statements, newest]);
}

function checked(statements: readonly KeyStatement[]): readonly KeyStatement[] {
  if (statementFaults(statements).length > 0)
    throw new BadConfig('The key statements in this database were modified; restore it from its backup');
  return statements;
}

async function makeDraft({ db, now }: Installation, draft: string): Promise<SealKey> {
  const key = PrivateKey.make();
  const made = { key, statements: [makeStatement(key, await readLastSeals(db), now())] };
  makeKeyFile(draft, made);
  return made;
}

function announce({ db, now }: Installation, key: PrivateKey, old: SealKey | undefined): Promise<KeyStatement[]> {
  return inTransaction(db, async (tx) => {
    await lockSnapshots(tx);
    await lockKeys(tx);
    const known = await listStatements(tx);
    const before = checked(old?.statements ?? known);
    if (known.at(-1)?.public_key !== before.at(-1)?.public_key)
      throw new BadConfig('SEAL_KEY_FILE: its key is not the one that this database is sealed with');
    const statement = makeStatement(key, await readLastSeals(tx), now(), before, old?.key);
    await insertStatement(tx, statement);
    return [...before, statement];
  });
}
