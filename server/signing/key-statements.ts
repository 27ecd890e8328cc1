import { type KeyStatement, type SealChain, sealChains, statementBytes } from '#contract/solvency/heads.ts';
import { isSignedBy, type PrivateKey } from './ed25519.ts';

/** The last seal of each chain; 0 before the first. */
export type LastSeals = Readonly<Record<SealChain, bigint>>;

/**
 * Announces a key.
 *
 * @param before the statements so far; the previous key also signs, unless it was lost
 */
export function makeStatement(
  key: PrivateKey,
  last: LastSeals,
  now: Date,
  before: readonly KeyStatement[] = [],
  previousKey?: PrivateKey,
): KeyStatement {
  // A restored database may have fewer seals than before.
  const after = (chain: SealChain) => {
    const begun = BigInt(before.at(-1)?.after[chain] ?? 0);
    return String(last[chain] > begun ? last[chain] : begun);
  };
  const fields = {
    no: String(before.length + 1),
    public_key: key.publicKey,
    announced_at: now.toISOString(),
    after: { ledger: after('ledger'), audit: after('audit'), liabilities: after('liabilities') },
  };
  const bytes = statementBytes(fields, before.at(-1)?.public_key);
  return { ...fields, signature: key.sign(bytes), previous_signature: previousKey?.sign(bytes) ?? null };
}

/** Faults in a list of statements, each of which must be signed and follow the previous one. */
export function statementFaults(statements: readonly KeyStatement[]): { no: string; message: string }[] {
  return statements.flatMap((statement, index) => {
    const previous = statements[index - 1];
    const bytes = statementBytes(statement, previous?.public_key);
    const { no, public_key: own, signature, previous_signature: handedOver, after } = statement;
    const isBefore = (chain: SealChain) =>
      previous !== undefined && BigInt(after[chain]) < BigInt(previous.after[chain]);
    return [
      no === String(index + 1) ? [] : 'is out of order: one before it is missing',
      isSignedBy(own, bytes, signature)
        ? []
        : 'is not signed by itself: it was modified, or the key before it is missing',
      handedOver === null || (previous !== undefined && isSignedBy(previous.public_key, bytes, handedOver))
        ? []
        : 'carries a hand-over that the key before it did not sign',
      sealChains.some(isBefore) ? 'begins before the key before it' : [],
    ]
      .flat()
      .map((message) => ({ no, message }));
  });
}

/** The key that must have signed a seal; undefined for seals before the first key. */
export const findSigner = (
  statements: readonly KeyStatement[],
  chain: SealChain,
  no: bigint,
): KeyStatement | undefined => statements.findLast(({ after }) => no > BigInt(after[chain]));
