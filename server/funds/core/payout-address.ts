import { sha256 } from '@noble/hashes/sha2.js';
import { keccak_256 } from '@noble/hashes/sha3.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import { base58check, bech32, bech32m } from '@scure/base';
import type { PayoutNetwork } from '#contract/funds/withdrawals.ts';

/** The Bitcoin network of payout addresses: staging may pay test coins. */
export type BitcoinNetwork = 'mainnet' | 'testnet';

/** First byte of a base58 address (public key hash, script hash), and the human-readable part of a bech32 one. */
const bitcoinForms: Readonly<
  Record<BitcoinNetwork, { readonly versions: readonly number[]; readonly prefix: string }>
> = {
  mainnet: { versions: [0x00, 0x05], prefix: 'bc' },
  testnet: { versions: [0x6f, 0xc4], prefix: 'tb' },
};
const TRON_VERSION = 0x41;
const HASH_BYTES = 20;
const TAPROOT_BYTES = 32;
const MAX_LENGTH = 120;

/**
 * Validates an address and returns it in canonical form, or undefined for a wrong length, alphabet, checksum or prefix,
 * or another network. Whitespace is rejected, not trimmed.
 *
 * - TRC20: base58check with the prefix of TRON.
 * - BEP20, ERC20: mixed case as in EIP-55 is required, as it is the only checksum.
 * - BTC: base58check of a key or script hash, bech32 for witness version 0, bech32m for version 1 (Taproot). Later
 *   witness versions are valid but not accepted: today anyone can spend what is sent to them.
 *
 * The all-zero address is refused on every network. Upper-case `BC1Q…`, as in QR codes, becomes `bc1q…`.
 */
export function readPayoutAddress(
  network: PayoutNetwork,
  text: string,
  bitcoinNetwork: BitcoinNetwork,
): string | undefined {
  if (text.length > MAX_LENGTH) return undefined;
  switch (network) {
    case 'TRC20':
      return isBase58(text, [TRON_VERSION]) ? text : undefined;
    case 'BEP20':
    case 'ERC20':
      return isChecksummedHex(text) ? text : undefined;
    case 'BTC': {
      const { versions, prefix } = bitcoinForms[bitcoinNetwork];
      if (isBase58(text, versions)) return text;
      return isWitness(text, prefix) ? text.toLowerCase() : undefined;
    }
  }
}

const checked58 = base58check(sha256);

function isBase58(text: string, versions: readonly number[]): boolean {
  const decoded = orUndefined(() => checked58.decode(text));
  if (decoded === undefined || decoded.length !== 1 + HASH_BYTES) return false;
  return versions.includes(decoded[0] as number) && isNonZero(decoded.subarray(1));
}

/** EIP-55: a letter is upper case where the hash of the lower-case address has a digit of 8 or more. */
function isChecksummedHex(text: string): boolean {
  if (!/^0x[0-9a-fA-F]{40}$/.test(text)) return false;
  const digits = text.slice(2).toLowerCase();
  const hash = bytesToHex(keccak_256(utf8ToBytes(digits)));
  const checksummed = [...digits].map((digit, index) =>
    Number.parseInt(hash[index] as string, 16) >= 8 ? digit.toUpperCase() : digit,
  );
  return text === `0x${checksummed.join('')}` && /[1-9a-f]/.test(digits);
}

/** BIP-173 and BIP-350. */
function isWitness(text: string, prefix: string): boolean {
  const early = bech32.decodeUnsafe(text);
  if (early !== undefined) {
    const program = programOf(early, prefix, 0);
    return program !== undefined && (program.length === HASH_BYTES || program.length === 32) && isNonZero(program);
  }
  const late = bech32m.decodeUnsafe(text);
  const program = late === undefined ? undefined : programOf(late, prefix, 1);
  return program !== undefined && program.length === TAPROOT_BYTES && isNonZero(program);
}

function programOf(
  decoded: { readonly prefix: string; readonly words: readonly number[] },
  prefix: string,
  version: number,
): Uint8Array | undefined {
  const [first, ...words] = decoded.words;
  if (decoded.prefix !== prefix || first !== version) return undefined;
  return bech32.fromWordsUnsafe(words) ?? undefined;
}

const isNonZero = (hash: Uint8Array): boolean => hash.some((byte) => byte !== 0);

/** The library throws for an invalid alphabet or checksum, which is an expected result here. */
function orUndefined<T>(decode: () => T): T | undefined {
  try {
    return decode();
  } catch {
    return undefined;
  }
}
