import { Refused } from '#server/refused.ts';

/** Loaded at first use: it reads certificates of all kinds of devices and takes a third of a second of every start. */
export async function loadVerifier() {
  const [library, helpers] = await Promise.all([
    import('@simplewebauthn/server'),
    import('@simplewebauthn/server/helpers'),
  ]);
  const { verifyAuthenticationResponse, verifyRegistrationResponse } = library;
  return { verifyAuthenticationResponse, verifyRegistrationResponse, ...helpers };
}

/**
 * What a check of an answer says when it passes. The library throws for whatever an answer can be wrong in: its bytes,
 * origin, domain, counter or signature. None of that is told to who sent it. Refusal: `passkey_refused`.
 */
export async function verified<T extends { verified: boolean }>(check: () => Promise<T>): Promise<T> {
  const result = await check().catch(() => undefined);
  if (result?.verified !== true) throw new Refused('passkey_refused');
  return result;
}
