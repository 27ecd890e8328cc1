import { sha256 } from '@noble/hashes/sha2.js';
import { keccak_256 } from '@noble/hashes/sha3.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import { base58check, bech32, bech32m } from '@scure/base';
import type { PayoutNetwork } from '#contract/funds/withdrawals.ts';

/** Which of Bitcoin's networks addresses are of: staging may pay test coins. */
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
const MOST_LETTERS = 120;

/**
 * An address in the form in which it is stored and paid, or undefined when it is none of the network: wrong length,
 * letters, checksum or prefix, or an address of another network. Blanks are not forgiven: what is pasted is paid.
 *
 * - TRC20: base58check with the prefix of TRON.
 * - BEP20, ERC20: the capital letters of EIP-55 are required, for without them there is no checksum.
 * - BTC: base58check of a key or script hash, bech32 for witness version 0, bech32m for version 1 (Taproot). Later
 *   witness versions are not accepted though they can be written: today anybody could take what is paid to them.
 *
 * The address of nobody, all zero, is refused on every network. `BC1Q…` in capitals, as QR codes carry it, becomes
 * `bc1q…`.
 */
export function readPayoutAddress(
  network: PayoutNetwork,
  text: string,
  bitcoinNetwork: BitcoinNetwork,
): string | undefined {
  if (text.length > MOST_LETTERS) return undefined;
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
  return versions.includes(decoded[0] as number) && isSomebody(decoded.subarray(1));
}

/** EIP-55: a letter is a capital where the hash of the small letters has a digit of 8 or more at its place. */
function isChecksummedHex(text: string): boolean {
  if (!/^0x[0-9a-fA-F]{40}$/.test(text)) return false;
  const digits = text.slice(2).toLowerCase();
  const hash = bytesToHex(keccak_256(utf8ToBytes(digits)));
  const written = [...digits].map((digit, place) =>
    Number.parseInt(hash[place] as string, 16) >= 8 ? digit.toUpperCase() : digit,
  );
  return text === `0x${written.join('')}` && /[1-9a-f]/.test(digits);
}

/** BIP-173 and BIP-350. */
function isWitness(text: string, prefix: string): boolean {
  const early = bech32.decodeUnsafe(text);
  if (early !== undefined) {
    const program = programOf(early, prefix, 0);
    return program !== undefined && (program.length === HASH_BYTES || program.length === 32) && isSomebody(program);
  }
  const late = bech32m.decodeUnsafe(text);
  const program = late === undefined ? undefined : programOf(late, prefix, 1);
  return program !== undefined && program.length === TAPROOT_BYTES && isSomebody(program);
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

const isSomebody = (hash: Uint8Array): boolean => hash.some((byte) => byte !== 0);

/** The library says by an error that letters or checksum are wrong, which here is an answer. */
function orUndefined<T>(decode: () => T): T | undefined {
  try {
    return decode();
  } catch {
    return undefined;
  }
}
