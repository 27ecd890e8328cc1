import { chmodSync, globSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { beforeEach, describe, expect, test } from 'vitest';
import type { KeyStatement } from '#contract/solvency/heads.ts';
import {
  findSigner,
  fingerprintOf,
  isSignedBy,
  makeKeyFile,
  makeStatement,
  PrivateKey,
  readKeyFile,
  replaceKeyFile,
  statementFaults,
} from './index.ts';

const NOW = new Date('2026-03-04T12:00:00Z');
const NOTHING = { ledger: 0n, audit: 0n, liabilities: 0n };
const aKey = (last = NOTHING) => {
  const key = PrivateKey.make();
  return { key, statements: [makeStatement(key, last, NOW)] };
};

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tradewind-key-'));
  file = join(folder, 'keys', 'seal.key');
  return () => rmSync(folder, { recursive: true });
});

describe('the key file', () => {
  test('is created once, readable by its owner alone, and read back as the same key', () => {
    expect(readKeyFile(file)).toBeUndefined();
    const first = aKey();
    expect(makeKeyFile(file, first)).toBe(true);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(makeKeyFile(file, aKey())).toBe(false);
    const read = readKeyFile(file);
    expect(read?.statements).toEqual(first.statements);
    expect(isSignedBy(first.key.publicKey, Buffer.from('a'), read?.key.sign(Buffer.from('a')) ?? '')).toBe(true);
    expect(readdirSync(join(folder, 'keys'))).toEqual(['seal.key']);
  });

  test('that is damaged, of another key or readable by others is refused in one line that quotes none of it', () => {
    const { key, statements } = aKey();
    makeKeyFile(file, { key, statements });
    const text = readFileSync(file, 'utf8');
    const damaged = [
      text.slice(1),
      text.replace('"no": "1"', '"no": "2"'),
      text.replace('"ledger": "0"', '"ledger": "9"'),
      text.replace(key.write(), PrivateKey.make().write()),
    ];
    for (const content of damaged) {
      writeFileSync(file, content);
      expect(() => readKeyFile(file)).toThrow(
        `SEAL_KEY_FILE: ${file} is no seal key file, or was damaged; restore it from its backup`,
      );
    }
    chmodSync(file, 0o604);
    expect(() => readKeyFile(file)).toThrow('open to every user of the machine; chmod 600 it');
  });

  test('that cannot be written is refused in one line', () => {
    writeFileSync(join(folder, 'keys'), '');
    expect(() => readKeyFile(file)).toThrow(/^SEAL_KEY_FILE: .*seal\.key cannot be read \(ENOTDIR\)$/);
    expect(() => makeKeyFile(file, aKey())).toThrow(/^SEAL_KEY_FILE: .*seal\.key cannot be written \(E\w+\)$/);
    expect(() => replaceKeyFile(folder, aKey())).toThrow(`SEAL_KEY_FILE: ${folder} cannot be written (EISDIR)`);
    expect(globSync(`${folder}.*`)).toEqual([]);
  });

  test('alone contains the private part: a logged or serialized key does not', () => {
    const { key } = aKey();
    const shown = `${inspect(key, { depth: 9, showHidden: true })}${JSON.stringify({ key })}${String(key)}`;
    expect(shown).not.toContain(key.write());
    expect(shown).toContain(key.publicKey);
  });
});

test('a fingerprint is the SHA-256 of the public key, and a signature follows RFC 8032', () => {
  // Section 7.1, test 2.
  const publicKey = '3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c';
  const signature =
    '92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00';
  expect(isSignedBy(publicKey, Buffer.of(0x72), signature)).toBe(true);
  expect(isSignedBy(publicKey, Buffer.of(0x73), signature)).toBe(false);
  const seed = '4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb';
  const key = PrivateKey.read(Buffer.from(`302e020100300506032b657004220420${seed}`, 'hex').toString('base64'));
  expect([key.publicKey, key.sign(Buffer.of(0x72))]).toEqual([publicKey, signature]);
  expect(fingerprintOf(publicKey)).toBe('39f713d0a644253f04529421b9f51b9b08979d08295959c4f3990ee617f5139f');
});

describe('a list of keys', () => {
  const [first, second, forger] = [PrivateKey.make(), PrivateKey.make(), PrivateKey.make()];
  const begin = makeStatement(first, { ledger: 10n, audit: 0n, liabilities: 3n }, NOW);
  const later = { ledger: 20n, audit: 8n, liabilities: 4n };
  const handedOver = makeStatement(second, later, NOW, [begin], first);
  const faults = (...statements: KeyStatement[]) => statementFaults(statements).map(({ message }) => message);

  test('is valid when each key is signed by itself and by the previous one, unless that one was lost', () => {
    expect(faults(begin, handedOver)).toEqual([]);
    expect(faults(begin, makeStatement(second, later, NOW, [begin]))).toEqual([]);
  });

  test('is invalid when anything in it was changed, inserted or omitted', () => {
    const NOT_ITSELF = 'is not signed by itself: it was modified, or the key before it is missing';
    expect(faults({ ...begin, after: { ...begin.after, ledger: '11' } })).toEqual([NOT_ITSELF]);
    expect(faults(handedOver)).toContain('is out of order: one before it is missing');
    expect(faults(makeStatement(forger, NOTHING, NOW), handedOver)).toContain(NOT_ITSELF);
    expect(faults(begin, makeStatement(second, later, NOW, [begin], forger))).toEqual([
      'carries a hand-over that the key before it did not sign',
    ]);
    const turnedBack = { ...handedOver, after: { ...handedOver.after, ledger: '9' } };
    expect(faults(begin, turnedBack)).toContain('begins before the key before it');
  });

  test('determines which key must have signed a seal', () => {
    const signerOf = (no: bigint) => findSigner([begin, handedOver], 'ledger', no)?.no;
    expect([10n, 11n, 20n, 21n].map(signerOf)).toEqual([undefined, '1', '1', '2']);
  });
});
