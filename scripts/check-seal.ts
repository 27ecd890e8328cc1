import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import {
  checkLeaf,
  type LeafText,
  leafAccounts,
  type SealFault,
  type SnapshotText,
} from '#contract/solvency/merkle-sum.ts';

/**
 * `node scripts/check-seal.ts <seal.json> <referral code> [<published.json>]`: checks a downloaded seal without the server that
 * made it (docs/solvency.md). The third file is what `GET /api/v1/solvency/snapshot` answers, asked for from anywhere; without
 * it the seal is checked against what it says of itself. Ends with 1 when it does not fit, or cannot be read.
 */
function main([file, code, publishedFile]: readonly string[]): void {
  if (file === undefined || code === undefined)
    throw new Misfit('usage: node scripts/check-seal.ts <seal.json> <referral code> [<published.json>]');
  const { snapshot, leaf } = readJson(file) as { snapshot?: SnapshotText; leaf?: LeafText | null };
  if (!snapshot) throw new Misfit(`${file} is not a seal.`);
  if (!leaf) throw new Misfit(`${file} has no leaf: this member joined after the seal was made.`);
  const published = publishedFile === undefined ? snapshot : (readJson(publishedFile) as { data?: SnapshotText }).data;
  if (!published) throw new Misfit(`${publishedFile} is not what the server answers.`);
  const { fault } = checkLeaf(published, { snapshot, leaf }, code, sha256);
  if (fault !== undefined) throw new Misfit(`DOES NOT FIT: ${words[fault]} (${fault})`);
  for (const name of leafAccounts) print(`${name.padEnd(16)} ${dollars(leaf.balances_micros[name])}`);
  print(`counted in snapshot ${published.no} of ${published.market_day}: ${dollars(published.sum_micros)} are owed to`);
  print(`${published.leaves} members, in ${leaf.path.length} steps from this leaf to the root`);
  print(`root ${published.root}`);
  print(`seal ${published.hash}`);
  if (publishedFile === undefined) print('Compare the seal with the published one: it was not given here.');
}

/** The seal, or what was to be checked, is not as it should be. */
class Misfit extends Error {}

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest();

const words: Readonly<Record<SealFault, string>> = {
  unreadable: 'it is not in the form of a seal',
  not_yours: 'the leaf is somebody else’s',
  other_snapshot: 'it is of another snapshot than the published one',
  negative: 'an amount below zero was counted',
  too_large: 'a sum does not fit eight bytes',
  wrong_path: 'a tree of so many leaves has no such path at this place',
  wrong_root: 'the path does not end at the root',
  wrong_sum: 'the sums on the path do not come to the root’s',
  hidden_member: 'the leaves come to another sum than the ledger owes',
  wrong_seal: 'the snapshot’s hash is not that of its fields',
};

function readJson(file: string): unknown {
  return JSON.parse(readFileSync(file, 'utf8'));
}

const dollars = (micros: string) => `$${micros.padStart(7, '0').replace(/(\d{6})$/, '.$1')}`;
const print = (line: string) => process.stdout.write(`${line}\n`);

try {
  main(process.argv.slice(2));
} catch (error) {
  const { message } = error as Error;
  process.stderr.write(error instanceof Misfit ? `${message}\n` : `It cannot be read: ${message}\n`);
  process.exitCode = 1;
}
