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
} from '#server/signing/index.ts';
import { lockSnapshots } from '../snapshot-sql.ts';
import { readLastSeals } from './read-heads.ts';

type Place = { readonly db: Db; readonly now: () => Date };

/**
 * Puts a new key in the place of the one in the file: the old one signs the new one, which signs from the next seal on.
 * Processes that run seal no more until they are started again. The new key lies in a file beside it before it is
 * announced, so that a rotation that was interrupted is finished by asking again.
 *
 * @param isLost the file of the old key is gone: nobody signs the new one but itself, which everybody sees
 * @throws BadConfig in one line
 */
export async function rotateSealKey(place: Place, file: string, isLost: boolean): Promise<readonly KeyStatement[]> {
  const { db } = place;
  const old = readOld(file, isLost);
  const draft = `${file}.next`;
  const key = (readKeyFile(draft) ?? (await makeDraft(place, draft))).key;
  const known = await listStatements(db);
  if (known.length === 0) throw new BadConfig('This database has no seal key yet; the first start makes one.');
  const statements = known.at(-1)?.public_key === key.publicKey ? known : await announce(place, key, old);
  replaceKeyFile(file, { key, statements });
  rmSync(draft);
  return statements;
}

function readOld(file: string, isLost: boolean): SealKey | undefined {
  const old = readKeyFile(file);
  if (old === undefined && !isLost)
    throw new BadConfig(`SEAL_KEY_FILE: ${file} is missing; restore it, or say --lost if it is gone`);
  if (old !== undefined && isLost)
    throw new BadConfig(`SEAL_KEY_FILE: ${file} is there, so the key is not lost; rotate it without --lost`);
  return old;
}

async function makeDraft({ db, now }: Place, draft: string): Promise<SealKey> {
  const key = PrivateKey.make();
  const made = { key, statements: [makeStatement(key, await readLastSeals(db), now())] };
  makeKeyFile(draft, made);
  return made;
}

function announce({ db, now }: Place, key: PrivateKey, old: SealKey | undefined): Promise<KeyStatement[]> {
  return inTransaction(db, async (tx) => {
    await lockSnapshots(tx);
    await lockKeys(tx);
    const known = await listStatements(tx);
    const before = old?.statements ?? known;
    if (known.at(-1)?.public_key !== before.at(-1)?.public_key)
      throw new BadConfig('SEAL_KEY_FILE: its key is not the one that this database is sealed with');
    const statement = makeStatement(key, await readLastSeals(tx), now(), before, old?.key);
    await insertStatement(tx, statement);
    return [...before, statement];
  });
}
