import { schnorr, secp256k1 } from '@noble/curves/secp256k1.js';
import { ripemd160 } from '@noble/hashes/legacy.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { keccak_256 } from '@noble/hashes/sha3.js';
import { base64, bech32, bech32m, hex } from '@scure/base';
import type { ReserveNetwork } from './reserves.ts';

/**
 * Verifies that a message was signed with the key of an address (docs/solvency.md, "Statements of reserves"). The
 * server checks before it accepts a statement, and the member's browser checks again. Loaded on demand.
 */

/** `address`: wrong network, or an unsupported kind. `signature`: does not match this message and address. */
export type ReserveFault = 'address' | 'signature';

type Signed = {
  readonly network: ReserveNetwork;
  readonly address: string;
  readonly message: string;
  readonly signature: string;
};

/** Undefined for a valid signature. */
export function reserveFault(statement: Signed): ReserveFault | undefined {
  return statement.network === 'ethereum' ? ethereumFault(statement) : bitcoinFault(statement);
}

/** EIP-191, `personal_sign`: 65 bytes in hex. The address must be that of the key recovered from the signature. */
function ethereumFault({ address, message, signature }: Signed): ReserveFault | undefined {
  if (!isEthereumAddress(address)) return 'address';
  const [, digits] = /^0x([0-9a-fA-F]{130})$/.exec(signature) ?? [];
  if (digits === undefined) return 'signature';
  const bytes = hex.decode(digits.toLowerCase());
  const recovery = (bytes[64] as number) % 27;
  if (recovery > 1) return 'signature';
  const text = utf8(message);
  const hash = keccak_256(concat(utf8(`\u0019Ethereum Signed Message:\n${text.length}`), text));
  const key = orUndefined(() =>
    secp256k1.recoverPublicKey(concat(Uint8Array.of(recovery), bytes.subarray(0, 64)), hash, { prehash: false }),
  );
  if (key === undefined) return 'signature';
  const point = secp256k1.Point.fromBytes(key).toBytes(false);
  const own = hex.encode(keccak_256(point.subarray(1)).subarray(12));
  return own === address.slice(2).toLowerCase() ? undefined : 'signature';
}

/** EIP-55: an address in mixed case carries a checksum. */
function isEthereumAddress(address: string): boolean {
  const [, digits] = /^0x([0-9a-fA-F]{40})$/.exec(address) ?? [];
  if (digits === undefined) return false;
  if (digits === digits.toLowerCase() || digits === digits.toUpperCase()) return true;
  const hash = hex.encode(keccak_256(utf8(digits.toLowerCase())));
  return [...digits].every((digit, at) =>
    Number.parseInt(hash[at] as string, 16) >= 8 ? digit === digit.toUpperCase() : digit === digit.toLowerCase(),
  );
}

/**
 * BIP-322 in its simple form: the witness of a transaction that spends nothing, in base64. Supports single-key
 * addresses: version 0 with a 20-byte hash, and version 1 (taproot) by key path.
 */
function bitcoinFault({ network, address, message, signature }: Signed): ReserveFault | undefined {
  const program = readProgram(address, network === 'bitcoin' ? 'bc' : 'tb');
  if (program === undefined) return 'address';
  const witness = readWitness(signature);
  if (witness === undefined) return 'signature';
  const script = concat(Uint8Array.of(program.version === 0 ? 0 : 0x51, program.bytes.length), program.bytes);
  const spent = toSpend(script, message);
  const isRight = orUndefined(() =>
    program.version === 0
      ? isKeyHashRight(program.bytes, witness, spent)
      : isTaprootRight(program.bytes, script, witness, spent),
  );
  return isRight ? undefined : 'signature';
}

function readProgram(address: string, prefix: string) {
  for (const coder of [bech32, bech32m]) {
    const read = orUndefined(() => coder.decode(address as `${string}1${string}`, 90));
    const [version, ...words] = read?.words ?? [];
    if (read === undefined || version === undefined) continue;
    const bytes = orUndefined(() => coder.fromWords(words));
    const isKnown = coder === bech32 ? version === 0 && bytes?.length === 20 : version === 1 && bytes?.length === 32;
    return bytes !== undefined && read.prefix === prefix && isKnown ? { version, bytes } : undefined;
  }
  return undefined;
}

const MAX_ITEMS = 2;
/** Witness items, each prefixed with its length; a single key's are short, so one byte is enough. */
function readWitness(signature: string): Uint8Array[] | undefined {
  const bytes = orUndefined(() => base64.decode(signature));
  const count = bytes?.[0] ?? 0;
  if (bytes === undefined || count === 0 || count > MAX_ITEMS) return undefined;
  const items: Uint8Array[] = [];
  let at = 1;
  for (let no = 0; no < count; no += 1) {
    const length = bytes[at] ?? 0;
    items.push(bytes.subarray(at + 1, at + 1 + length));
    at += 1 + length;
  }
  return at === bytes.length && items.every(({ length }) => length > 0 && length < 0xfd) ? items : undefined;
}

/** Id of the virtual transaction whose only output the signature spends: commits to the message and the address. */
function toSpend(script: Uint8Array, message: string): Uint8Array {
  const hash = tagged('BIP0322-signed-message', utf8(message));
  return twice(
    concat(
      int4(0),
      Uint8Array.of(1),
      new Uint8Array(32),
      int4(0xffffffff),
      Uint8Array.of(34, 0, 32),
      hash,
      int4(0),
      Uint8Array.of(1),
      new Uint8Array(8),
      Uint8Array.of(script.length),
      script,
      int4(0),
    ),
  );
}

/** A single output of zero to `OP_RETURN`. */
const OUTPUTS = concat(new Uint8Array(8), Uint8Array.of(1, 0x6a));
const ALL = 1;

/** Signature hash of BIP-143, version 0. */
function isKeyHashRight(program: Uint8Array, [given, key, ...more]: readonly Uint8Array[], spent: Uint8Array): boolean {
  if (given === undefined || key === undefined || more.length > 0 || given.at(-1) !== ALL || key.length !== 33)
    return false;
  if (!isSame(ripemd160(sha256(key)), program)) return false;
  const outpoint = concat(spent, int4(0));
  const signed = concat(
    int4(0),
    twice(outpoint),
    twice(int4(0)),
    outpoint,
    Uint8Array.of(25, 0x76, 0xa9, 20),
    program,
    Uint8Array.of(0x88, 0xac),
    new Uint8Array(8),
    int4(0),
    twice(OUTPUTS),
    int4(0),
    int4(ALL),
  );
  return secp256k1.verify(given.subarray(0, -1), twice(signed), key, { prehash: false, format: 'der' });
}

/** Signature hash of BIP-341, taproot key path. */
function isTaprootRight(
  key: Uint8Array,
  script: Uint8Array,
  [given, ...more]: readonly Uint8Array[],
  spent: Uint8Array,
): boolean {
  if (given === undefined || more.length > 0) return false;
  const kind = given.length === 65 ? given[64] : 0;
  if ((given.length !== 64 && given.length !== 65) || (given.length === 65 && kind !== ALL)) return false;
  const signed = concat(
    Uint8Array.of(0, kind ?? 0),
    int4(0),
    int4(0),
    sha256(concat(spent, int4(0))),
    sha256(new Uint8Array(8)),
    sha256(concat(Uint8Array.of(script.length), script)),
    sha256(int4(0)),
    sha256(OUTPUTS),
    Uint8Array.of(0),
    int4(0),
  );
  return schnorr.verify(given.subarray(0, 64), tagged('TapSighash', signed), key);
}

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);
const twice = (bytes: Uint8Array): Uint8Array => sha256(sha256(bytes));
const isSame = (one: Uint8Array, other: Uint8Array): boolean => hex.encode(one) === hex.encode(other);

function tagged(tag: string, message: Uint8Array): Uint8Array {
  const hash = sha256(utf8(tag));
  return sha256(concat(hash, hash, message));
}

function int4(value: number): Uint8Array {
  const bytes = new Uint8Array(4);
  new DataView(bytes.buffer).setUint32(0, value, true);
  return bytes;
}

function concat(...parts: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}

/** The libraries throw on malformed input from outside, which counts as a failed check. */
function orUndefined<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
