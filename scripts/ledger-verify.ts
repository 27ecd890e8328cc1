import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import type { KeyStatement, PublishedHeads } from '#contract/solvency/heads.ts';
import { verifyAudit } from '#server/audit/index.ts';
import type { Config } from '#server/config.ts';
import { checkFunds } from '#server/funds/index.ts';
import { verifyLedger } from '#server/ledger/index.ts';
import { fingerprintOf, listStatements, readKeyFile } from '#server/signing/index.ts';
import { parseSavedHeads, verifySavedHeads, verifySignatures } from '#server/solvency/index.ts';
import { counted, print, readDatabase, runWithConfig } from './run-command.ts';

/** The file of saved heads cannot be used. */
class BadFile extends Error {}

/**
 * `npm run ledger:verify`: recomputes the ledger and the hash chain of the audit log, verifies the signatures of all
 * seals, reconciles deposits and withdrawals with the ledger, and names everything that was changed outside the
 * application. `--heads FILE` also compares published heads saved elsewhere (docs/ledger.md, "Signatures"). Exit code
 * 1: discrepancies, or the check could not run.
 */
async function verify(config: Config): Promise<0 | 1> {
  const kept = readKept(parseArgs({ options: { heads: { type: 'string' } } }).values.heads);
  const trusted = readKeyFile(config.sealKeyFile)?.statements;
  return readDatabase(config, async ({ db }) => {
    const statements = trusted ?? (await listStatements(db));
    const found = [
      ...(await verifyLedger(db)),
      ...(await checkFunds(db)),
      ...(await verifyAudit(db)),
      ...(await verifySignatures(db, trusted)),
      ...(await verifySavedHeads(db, statements, kept)),
    ];
    for (const { subject, message } of found) print(`${subject}: ${message}`);
    print(...describeKeys(statements, trusted !== undefined), ...describeKept(kept));
    print(
      found.length === 0
        ? 'Ledger verified: no discrepancies.'
        : `${counted(found.length, 'discrepancy', 'discrepancies')}.`,
    );
    return found.length === 0 ? 0 : 1;
  });
}

function readKept(file: string | undefined): PublishedHeads[] {
  if (file === undefined) return [];
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch {
    throw new BadFile(`${file} cannot be read.`);
  }
  const kept = parseSavedHeads(text);
  if (kept === undefined) throw new BadFile(`${file} has published heads that are incomplete or were modified.`);
  if (kept.length === 0) throw new BadFile(`${file} has no published heads.`);
  return kept;
}

/** The signing key from each seal on, with its fingerprint to compare with the known one. */
function describeKeys(statements: readonly KeyStatement[], isFromFile: boolean): string[] {
  if (statements.length === 0) return ['Seals are not signed: this installation has no key yet.'];
  const lines = statements.map(({ no, public_key: key, after, previous_signature: handedOver }) => {
    const from = `ledger seal ${next(after.ledger)}, audit seal ${next(after.audit)}, snapshot ${next(after.liabilities)}`;
    const how = no === '1' ? '' : handedOver === null ? ', without a signature of the key before it' : ', handed over';
    return `Seal key ${no}: ${fingerprintOf(key)}, from ${from}${how}.`;
  });
  return isFromFile
    ? lines
    : [...lines, 'The keys are read from the database, whose owner can replace them: compare the fingerprint.'];
}

const next = (number: string): string => String(BigInt(number) + 1n);

function describeKept(kept: readonly PublishedHeads[]): string[] {
  const newest = kept
    .map(({ published_at: at }) => at)
    .sort()
    .at(-1);
  return newest === undefined
    ? ['Without --heads, removal of the newest seals and all that they cover is not found.']
    : [
        `Compared with ${counted(kept.length, 'publication', 'publications')}; nothing is said about what came after ${newest}.`,
      ];
}

await runWithConfig(verify, BadFile);
