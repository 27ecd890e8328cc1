import { createHmac } from 'node:crypto';
import { sha256 } from './show-snapshot.ts';

/** The padded keys of HMAC-SHA256, prepended to the inner and the outer hash. */
export type HmacPads = { readonly inner: Buffer; readonly outer: Buffer };

const BLOCK = 64;

/** Pads of a key of 32 bytes: `sha256(outer || sha256(inner || message))` is its HMAC. */
export function padsOf(key: Buffer): HmacPads {
  const block = Buffer.concat([key, Buffer.alloc(BLOCK - key.length)]);
  return { inner: block.map((byte) => byte ^ 0x36) as Buffer, outer: block.map((byte) => byte ^ 0x5c) as Buffer };
}

/**
 * Keys of one snapshot, derived from the server key. Nonces, and with them parts and their order, are reproduced when a
 * snapshot restarts after a crash, differ between snapshots, and need not be stored.
 */
export const snapshotKeys = (serverKey: Buffer, no: bigint) => ({
  nonce: createHmac('sha256', serverKey).update(`solvency/nonce/${no}`).digest(),
  padding: createHmac('sha256', serverKey).update(`solvency/padding/${no}`).digest(),
});

/** A member's nonce in a snapshot. */
export const nonceOf = (serverKey: Buffer, no: bigint, memberId: bigint): Buffer =>
  createHmac('sha256', snapshotKeys(serverKey, no).nonce).update(messageOf(memberId)).digest();

/**
 * The same for many members of one snapshot, and for its padding, numbered from 1: `hmacWith(padsOf(keys.nonce),
 * memberId)`.
 */
export const hmacWith = ({ inner, outer }: HmacPads, no: bigint): Uint8Array =>
  sha256(Buffer.concat([outer, sha256(Buffer.concat([inner, messageOf(no)]))]));

function messageOf(no: bigint): Buffer {
  const message = Buffer.alloc(8);
  message.writeBigInt64BE(no);
  return message;
}
