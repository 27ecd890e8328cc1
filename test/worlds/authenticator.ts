import assert from 'node:assert';
import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';
import type {
  PasskeyAnswer,
  PasskeyCreation,
  PasskeyRegistration,
  PasskeyRequest,
} from '#contract/accounts/passkeys.ts';

type Credential = { readonly id: string; readonly rpId: string; readonly userHandle: string; readonly key: KeyObject };

/** Deviations from an honest device in an honest browser. */
export type Fault = {
  readonly origin?: string;
  /** The user did not verify with a finger, a face or a PIN. */
  readonly unverified?: true;
  /** The value of the signature counter. */
  readonly counter?: number;
  readonly challenge?: string;
};

/**
 * A passkey device as used by a browser on `origin` (Web Authentication, "Operations"): P-256 keys, no attestation. It
 * counts its signatures unless it is `synced`.
 */
export function makeAuthenticator(origin = 'http://localhost', { isSynced = false } = {}) {
  const credentials: Credential[] = [];
  let counter = 0;

  const clientData = (type: string, challenge: string, fault: Fault) =>
    Buffer.from(
      JSON.stringify({
        type,
        challenge: fault.challenge ?? challenge,
        origin: fault.origin ?? origin,
        crossOrigin: false,
      }),
    );
  const authenticatorData = (rpId: string, fault: Fault, attested = Buffer.alloc(0)) => {
    if (!isSynced) counter += 1;
    const count = Buffer.alloc(4);
    count.writeUInt32BE(fault.counter ?? counter);
    const flags = 0x01 | (fault.unverified ? 0 : 0x04) | (isSynced ? 0x18 : 0) | (attested.length > 0 ? 0x40 : 0);
    return Buffer.concat([sha256(rpId), Buffer.from([flags]), count, attested]);
  };

  return {
    create(options: PasskeyCreation, fault: Fault = {}): PasskeyRegistration {
      const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
      const id = randomBytes(16);
      credentials.push({
        id: id.toString('base64url'),
        rpId: options.rp.id,
        userHandle: options.user.id,
        key: privateKey,
      });
      const { x, y } = publicKey.export({ format: 'jwk' });
      assert(x !== undefined && y !== undefined);
      const cose = cbor(
        new Map<number, Cbor>([
          [1, 2],
          [3, -7],
          [-1, 1],
          [-2, Buffer.from(x, 'base64url')],
          [-3, Buffer.from(y, 'base64url')],
        ]),
      );
      const attested = Buffer.concat([Buffer.alloc(16), Buffer.from([0, id.length]), id, cose]);
      const attestation = new Map<string, Cbor>([
        ['fmt', 'none'],
        ['attStmt', new Map()],
        ['authData', authenticatorData(options.rp.id, fault, attested)],
      ]);
      return {
        id: id.toString('base64url'),
        rawId: id.toString('base64url'),
        type: 'public-key',
        clientExtensionResults: {},
        response: {
          clientDataJSON: clientData('webauthn.create', options.challenge, fault).toString('base64url'),
          attestationObject: cbor(attestation).toString('base64url'),
          transports: ['internal'],
        },
      };
    },

    /** Signs with the newest of the requested passkeys that it holds. */
    get(options: PasskeyRequest, fault: Fault = {}): PasskeyAnswer {
      const allowed = options.allowCredentials.map(({ id }) => id);
      const credential = credentials.findLast(
        ({ id, rpId }) => rpId === options.rpId && (allowed.length === 0 || allowed.includes(id)),
      );
      assert(credential !== undefined, 'no passkey for this site');
      return this.answer(credential, options, fault);
    },

    /** Signs with its newest passkey, whichever is requested. */
    force(options: PasskeyRequest, fault: Fault = {}): PasskeyAnswer {
      const credential = credentials.at(-1);
      assert(credential !== undefined);
      return this.answer(credential, options, fault);
    },

    answer({ id, rpId, userHandle, key }: Credential, options: PasskeyRequest, fault: Fault): PasskeyAnswer {
      const data = authenticatorData(rpId, fault);
      const client = clientData('webauthn.get', options.challenge, fault);
      return {
        id,
        rawId: id,
        type: 'public-key',
        clientExtensionResults: {},
        response: {
          clientDataJSON: client.toString('base64url'),
          authenticatorData: data.toString('base64url'),
          signature: sign('sha256', Buffer.concat([data, sha256(client)]), key).toString('base64url'),
          userHandle,
        },
      };
    },
  };
}

const sha256 = (data: string | Buffer): Buffer => createHash('sha256').update(data).digest();

type Cbor = number | string | Buffer | Map<number | string, Cbor>;

/** The part of CBOR (RFC 8949) that passkeys need. */
function cbor(value: Cbor): Buffer {
  if (typeof value === 'number') return value < 0 ? head(1, -1 - value) : head(0, value);
  if (typeof value === 'string') return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)]);
  if (Buffer.isBuffer(value)) return Buffer.concat([head(2, value.length), value]);
  return Buffer.concat([head(5, value.size), ...[...value].flatMap((pair) => pair.map((part) => cbor(part)))]);
}

function head(major: number, count: number): Buffer {
  if (count < 24) return Buffer.from([(major << 5) | count]);
  if (count < 256) return Buffer.from([(major << 5) | 24, count]);
  return Buffer.from([(major << 5) | 25, count >> 8, count & 0xff]);
}
