import { z } from 'zod';
import { id, instant, line } from '../endpoint.ts';
import { passkeyRules } from '../rules.ts';
import { english } from '../texts.ts';

const { t } = english;

const notRead = t`This passkey was not read.`;
const base64url = (maxLength: number) =>
  z
    .string(notRead)
    .max(maxLength, notRead)
    .regex(/^[A-Za-z0-9_-]+$/, notRead);

const credentialId = base64url(1400);
const word = z.string().max(100);
const transports = z.array(word).max(10);

/** What a device returns both for a new passkey and for a challenge. */
const credential = {
  id: credentialId,
  rawId: credentialId,
  type: z.literal('public-key'),
  authenticatorAttachment: word.nullish(),
  clientExtensionResults: z.record(word, z.unknown()),
};

/** Chosen by the owner. */
export const passkeyName = line(passkeyRules.nameLength, t`Enter a name.`);

export const passkey = z.strictObject({
  id,
  name: z.string(),
  /** Synced to other devices by the credential provider, so it survives the loss of the device. */
  synced: z.boolean(),
  created_at: instant,
  /** Null: never used since it was added. */
  last_used_at: instant.nullable(),
});
export type Passkey = z.output<typeof passkey>;

/** A new passkey, as `navigator.credentials.create` returns it (Web Authentication, RegistrationResponseJSON). */
export const passkeyRegistration = z.strictObject({
  ...credential,
  response: z.strictObject({
    clientDataJSON: base64url(4000),
    attestationObject: base64url(20_000),
    authenticatorData: base64url(8000).optional(),
    transports: transports.optional(),
    publicKeyAlgorithm: z.number().int().optional(),
    publicKey: base64url(8000).optional(),
  }),
});
export type PasskeyRegistration = z.output<typeof passkeyRegistration>;

/** A passkey's response to a challenge (Web Authentication, AuthenticationResponseJSON). */
export const passkeyAnswer = z.strictObject({
  ...credential,
  response: z.strictObject({
    clientDataJSON: base64url(4000),
    authenticatorData: base64url(4000),
    signature: base64url(8000),
    userHandle: base64url(200).nullish(),
  }),
});
export type PasskeyAnswer = z.output<typeof passkeyAnswer>;

const described = z.strictObject({ id: z.string(), type: z.literal('public-key'), transports: transports.optional() });

/** For `navigator.credentials.create` (PublicKeyCredentialCreationOptionsJSON). */
export const passkeyCreation = z.strictObject({
  challenge: z.string(),
  rp: z.strictObject({ id: z.string(), name: z.string() }),
  user: z.strictObject({ id: z.string(), name: z.string(), displayName: z.string() }),
  pubKeyCredParams: z.array(z.strictObject({ type: z.literal('public-key'), alg: z.number().int() })),
  timeout: z.number().int(),
  attestation: z.literal('none'),
  excludeCredentials: z.array(described),
  authenticatorSelection: z.strictObject({
    residentKey: z.literal('required'),
    requireResidentKey: z.literal(true),
    userVerification: z.literal('required'),
  }),
});
export type PasskeyCreation = z.output<typeof passkeyCreation>;

/** For `navigator.credentials.get` (PublicKeyCredentialRequestOptionsJSON). */
export const passkeyRequest = z.strictObject({
  challenge: z.string(),
  rpId: z.string(),
  timeout: z.number().int(),
  userVerification: z.literal('required'),
  /** Empty at sign-in: the device offers the passkeys it holds for this site. */
  allowCredentials: z.array(described),
});
export type PasskeyRequest = z.output<typeof passkeyRequest>;
