import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { checkLeaf, type KeptSnapshot, type SealFault } from '#contract/solvency/check-leaf.ts';
import { leafAccounts } from '#contract/solvency/merkle-sum.ts';
import type { SolvencyLeaf } from '#contract/solvency/proof.ts';

const USAGE = 'Usage: node scripts/check-proof.ts <proof.json> <Registered Id> [<published.json>]';

/**
 * Verifies a downloaded proof of liabilities without the server that made it (docs/solvency.md). The third file is the
 * response of `GET /api/v1/solvency/snapshot`, fetched from anywhere; without it the proof is only checked for
 * consistency with itself. Exit code 1: the proof is invalid or unreadable.
 */
function main(words: readonly string[]): void {
  if (words.includes('--help')) {
    print(USAGE);
    return;
  }
  const [file, code, publishedFile, ...more] = words;
  if (file === undefined || code === undefined || more.length > 0) throw new Invalid(USAGE);
  const { snapshot, leaf } = readJson(file) as { snapshot?: KeptSnapshot; leaf?: SolvencyLeaf | null };
  if (!snapshot) throw new Invalid(`${file} is not a proof of liabilities.`);
  if (!leaf) throw new Invalid(`${file} contains no balances: this member joined after the snapshot.`);
  const published = publishedFile === undefined ? snapshot : (readJson(publishedFile) as { data?: KeptSnapshot }).data;
  if (!published) throw new Invalid(`${publishedFile} is not a published snapshot.`);
  const { fault, paths } = checkLeaf(published, { snapshot, leaf }, code.toUpperCase(), sha256);
  if (fault !== undefined) throw new Invalid(`INVALID: ${faultWords[fault]} (${fault})`);
  for (const name of leafAccounts) print(`${name.padEnd(16)} ${dollars(leaf.balances_micros[name])}`);
  print(`Proof valid: included in snapshot ${published.no} of ${published.market_day}.`);
  print(
    `Liabilities: ${dollars(published.sum_micros)}, ${published.leaves} leaves, yours: ${paths.length}, each ${(paths[0] ?? []).length - 1} hashes below the root`,
  );
  print(`Root: ${published.root}`);
  print(`Hash: ${published.hash}`);
  if (publishedFile === undefined) print('Compare the hash with the published snapshot: none was given.');
}

/** The proof or the arguments are invalid. */
class Invalid extends Error {}

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest();

const faultWords: Readonly<Record<SealFault, string>> = {
  unreadable: 'the format is unknown',
  not_yours: 'the balances belong to another member',
  other_snapshot: 'the proof is for another snapshot than the published one',
  negative: 'a negative amount is included',
  too_large: 'an amount is too large',
  wrong_split: 'the parts do not sum to the balances',
  wrong_path: 'no tree with this number of leaves has such a path',
  wrong_root: 'the path does not lead to the root',
  wrong_sum: 'the amounts on the path do not sum to the total of the root',
  hidden_member: 'the total of all members differs from the liabilities in the ledger',
  wrong_seal: 'the hash of the snapshot does not match its fields',
};

function readJson(file: string): unknown {
  return JSON.parse(readFileSync(file, 'utf8'));
}

const dollars = (micros: string) => `$${micros.padStart(7, '0').replace(/(\d{6})$/, '.$1')}`;
const print = (line: string): void => void process.stdout.write(`${line}\n`);

try {
  main(process.argv.slice(2));
} catch (error) {
  const { message } = error as Error;
  process.stderr.write(error instanceof Invalid ? `${message}\n` : `Cannot read the file: ${message}\n`);
  process.exitCode = 1;
}
