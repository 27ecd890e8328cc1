import type { Endpoint } from '#contract/endpoint.ts';
import { readStored, writeStored } from './storage.ts';

/**
 * What makes this browser known to the accounts that signed in from it, by Registered Id or operator id (docs/product.md,
 * section 8). It stays when somebody signs out: that is what it is for. The server says that one is worth nothing by giving
 * another one for the same account, which takes its place.
 */
const HEADER = 'x-device-token';
/** As many as the server reads. The account that signed in last stands last. */
const MOST = 4;

const memberPaths = [
  '/auth/login',
  '/auth/otp-verify',
  '/auth/passkey/finish',
  '/auth/forgot-password',
  '/auth/reset-password',
];
const operatorPaths = ['/operator/login', '/operator/otp-verify', '/operator/totp/confirm'];

const keyOf = ({ path }: Endpoint) =>
  memberPaths.includes(path) ? 'deviceTokens' : operatorPaths.includes(path) ? 'operatorDeviceTokens' : undefined;

/** Sends the tokens with calls that check a password or code of a sign-in, and with no others. */
export function addDeviceTokens(row: Endpoint, headers: Headers): void {
  const key = keyOf(row);
  const tokens = Object.values((key && readStored(key)) ?? {});
  if (tokens.length > 0) headers.set(HEADER, tokens.join(','));
}

/** Keeps the token that a reply brought, in place of the one before of the same account. */
export function keepDeviceToken(row: Endpoint, data: unknown): void {
  const key = keyOf(row);
  const given = (data ?? {}) as Given;
  const account =
    given.user?.referral_code ?? given.referral_code ?? given.operator?.id ?? (key && readStored('operator')?.id);
  if (key === undefined || given.device_token === undefined || account === undefined) return;
  const { [account]: _before, ...others } = readStored(key) ?? {};
  const kept = Object.entries(others).slice(1 - MOST);
  writeStored(key, Object.fromEntries([...kept, [account, given.device_token]]));
}

type Given = {
  readonly device_token?: string;
  readonly user?: { readonly referral_code?: string };
  readonly referral_code?: string;
  readonly operator?: { readonly id?: string };
};
