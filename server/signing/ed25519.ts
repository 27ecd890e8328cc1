import assert from 'node:assert';
import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  sign,
  verify,
} from 'node:crypto';

/** A private key that cannot leak through logging or serialization. */
export class PrivateKey {
  readonly #key: KeyObject;
  /** 32 bytes in hexadecimal. */
  readonly publicKey: string;

  constructor(key: KeyObject) {
    this.#key = key;
    this.publicKey = rawPublicKey(createPublicKey(key));
  }

  static make(): PrivateKey {
    return new PrivateKey(generateKeyPairSync('ed25519').privateKey);
  }

  /** @throws for anything but an Ed25519 key in the form of `write` */
  static read(text: string): PrivateKey {
    const key = createPrivateKey({ key: Buffer.from(text, 'base64'), format: 'der', type: 'pkcs8' });
    assert.equal(key.asymmetricKeyType, 'ed25519');
    return new PrivateKey(key);
  }

  /** Only for the key file. */
  write(): string {
    return this.#key.export({ format: 'der', type: 'pkcs8' }).toString('base64');
  }

  /** @returns 64 bytes in hexadecimal */
  sign(bytes: Uint8Array): string {
    return sign(null, bytes, this.#key).toString('hex');
  }
}

/** `publicKey` and `signature` in hexadecimal. */
export const isSignedBy = (publicKey: string, bytes: Uint8Array, signature: string): boolean =>
  verify(null, bytes, importPublicKey(publicKey), Buffer.from(signature, 'hex'));

/** SHA-256 of the public key in hexadecimal, for people to compare. */
export const fingerprintOf = (publicKey: string): string =>
  createHash('sha256').update(Buffer.from(publicKey, 'hex')).digest('hex');

const importPublicKey = (publicKey: string): KeyObject =>
  createPublicKey({
    key: { kty: 'OKP', crv: 'Ed25519', x: Buffer.from(publicKey, 'hex').toString('base64url') },
    format: 'jwk',
  });

function rawPublicKey(key: KeyObject): string {
  const { x } = key.export({ format: 'jwk' });
  assert(x !== undefined);
  return Buffer.from(x, 'base64url').toString('hex');
}
