import { z } from 'zod';
import { instant } from '../endpoint.ts';

/** The chains of seals: over transfers, audit entries and proofs of liabilities. */
export const sealChains = ['ledger', 'audit', 'liabilities'] as const;
export type SealChain = (typeof sealChains)[number];

const hash = z.string().regex(/^[0-9a-f]{64}$/);
const signature = z.string().regex(/^[0-9a-f]{128}$/);
const number = z.string().regex(/^(0|[1-9]\d{0,17})$/);

/** The head of a chain: its newest seal, whose hash commits to every earlier one. */
const sealHead = z.strictObject({ chain: z.enum(sealChains), no: number, hash, sealed_at: instant });
export type SealHead = z.output<typeof sealHead>;

export const HEADS_FORMAT = 'tradewind/heads/1';

/** Published hourly. Ed25519 signs `publishedBytes`; key, fingerprint (its SHA-256) and signature are hexadecimal. */
export const publishedHeads = z.strictObject({
  format: z.literal(HEADS_FORMAT),
  published_at: instant,
  heads: z.array(sealHead).min(1).max(sealChains.length),
  public_key: hash,
  fingerprint: hash,
  signature,
});
export type PublishedHeads = z.output<typeof publishedHeads>;

/**
 * The announcement of a key that signs from certain seals on. It is signed by the key itself and by the previous key,
 * unless that was lost, so that access to the database alone is not enough to substitute another key.
 */
export const keyStatement = z.strictObject({
  /** 1 for the first key. */
  no: number,
  public_key: hash,
  announced_at: instant,
  /** The last seals not signed with it: signed with the previous key, or unsigned before the first key. */
  after: z.strictObject({ ledger: number, audit: number, liabilities: number }),
  signature,
  /** By the previous key; null for the first key, and when the previous one was lost. */
  previous_signature: signature.nullable(),
});
export type KeyStatement = z.output<typeof keyStatement>;

/** The bytes signed for each seal. */
export const headBytes = ({ chain, no, hash: of, sealed_at }: SealHead): Uint8Array =>
  fields('tradewind/head/1', chain, no, of, sealed_at);

/** The bytes signed for everything published together. */
export const publishedBytes = ({ published_at, heads }: Pick<PublishedHeads, 'published_at' | 'heads'>): Uint8Array =>
  fields(
    HEADS_FORMAT,
    published_at,
    ...heads.flatMap(({ chain, no, hash: of, sealed_at }) => [chain, no, of, sealed_at]),
  );

/** The bytes signed by a new key and the previous one. `previous`: public key of the previous one, if any. */
export const statementBytes = (
  { no, public_key, announced_at, after }: Omit<KeyStatement, 'signature' | 'previous_signature'>,
  previous: string | undefined,
): Uint8Array =>
  fields(
    'tradewind/seal-key/1',
    no,
    public_key,
    previous ?? '',
    announced_at,
    ...sealChains.map((chain) => after[chain]),
  );

/** Each text is prefixed with its length in four bytes, so that no two lists of texts have the same bytes. */
function fields(...texts: readonly string[]): Uint8Array {
  const parts = texts.map((text) => new TextEncoder().encode(text));
  const bytes = new Uint8Array(parts.reduce((length, part) => length + 4 + part.length, 0));
  const view = new DataView(bytes.buffer);
  let at = 0;
  for (const part of parts) {
    view.setUint32(at, part.length);
    bytes.set(part, at + 4);
    at += 4 + part.length;
  }
  return bytes;
}
