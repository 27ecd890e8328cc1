import { randomBytes } from 'node:crypto';
import {
  chownSync,
  existsSync,
  linkSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { z } from 'zod';
import { type KeyStatement, keyStatement } from '#contract/solvency/heads.ts';
import { BadConfig } from '#server/config.ts';
import { PrivateKey } from './ed25519.ts';
import { statementFaults } from './key-statements.ts';

/**
 * The key that signs seals, from `SEAL_KEY_FILE`, with the statements of every key so far. Only this file is trusted
 * for which key signed which seal, because the owner of the database cannot write it.
 */
export type SealKey = { readonly key: PrivateKey; readonly statements: readonly KeyStatement[] };

const content = z.strictObject({
  format: z.literal('tradewind/seal-key-file/1'),
  private_key: z.base64(),
  statements: z.array(keyStatement).min(1),
});

/**
 * @returns undefined if the file does not exist
 * @throws BadConfig, naming the file, if it is unreadable, no key file, or accessible to all users
 */
export function readKeyFile(file: string): SealKey | undefined {
  const text = readText(file);
  if (text === undefined) return undefined;
  try {
    const { private_key: privateKey, statements } = content.parse(JSON.parse(text));
    const key = PrivateKey.read(privateKey);
    if (statements.at(-1)?.public_key === key.publicKey && statementFaults(statements).length === 0)
      return { key, statements };
  } catch {
    // Parser errors quote the content.
  }
  throw new BadConfig(`SEAL_KEY_FILE: ${file} is no seal key file, or was damaged; restore it from its backup`);
}

function readText(file: string): string | undefined {
  try {
    const { mode } = statSync(file);
    if (process.platform !== 'win32' && (mode & 0o007) !== 0)
      throw new BadConfig(`SEAL_KEY_FILE: ${file} is open to every user of the machine; chmod 600 it`);
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    if (error instanceof BadConfig) throw error;
    throw new BadConfig(`SEAL_KEY_FILE: ${file} cannot be read (${codeOf(error)})`);
  }
}

/**
 * Creates the key file atomically, so that of two starting processes one wins.
 *
 * @returns false if it exists already
 */
export const makeKeyFile = (file: string, sealKey: SealKey): boolean =>
  placeDraft(file, sealKey, (draft) => linkIfFree(draft, file));

function linkIfFree(draft: string, file: string): boolean {
  try {
    linkSync(draft, file);
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    throw error;
  }
}

/** Creates or replaces the key file. Root keeps its owner, so that the worker can read it. */
export function replaceKeyFile(file: string, sealKey: SealKey): void {
  placeDraft(file, sealKey, (draft) => {
    if (process.getuid?.() === 0) {
      const { uid, gid } = statSync(existsSync(file) ? file : dirname(file));
      chownSync(draft, uid, gid);
    }
    renameSync(draft, file);
  });
}

/** Writes a draft beside the file, and leaves none. @throws BadConfig */
function placeDraft<T>(file: string, { key, statements }: SealKey, place: (draft: string) => T): T {
  const draft = `${file}.${randomBytes(8).toString('hex')}`;
  const fields = { format: 'tradewind/seal-key-file/1', private_key: key.write(), statements };
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    writeFileSync(draft, `${JSON.stringify(fields, null, 2)}\n`, { mode: 0o600, flag: 'wx', flush: true });
    return place(draft);
  } catch (error) {
    throw new BadConfig(`SEAL_KEY_FILE: ${file} cannot be written (${codeOf(error)})`);
  } finally {
    if (existsSync(draft)) rmSync(draft);
  }
}

const codeOf = (error: unknown): unknown => (error as { code?: unknown }).code;
