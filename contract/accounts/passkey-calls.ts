import { z } from 'zod';
import { endpoint, line } from '../endpoint.ts';
import { memberFactorRefusals, one, secondFactor } from '../fields.ts';
import {
  passkey,
  passkeyAnswer,
  passkeyCreation,
  passkeyName,
  passkeyRegistration,
  passkeyRequest,
} from './passkeys.ts';
import { factorStart, firstRecoveryCodes } from './profile.ts';
import { existingPassword, signedIn } from './sign-in.ts';

/** Required to change sign-in credentials: neither an open browser nor a lost device is enough. */
const confirmation = { password: existingPassword, second_factor: secondFactor.optional() };

export const passkeys = {
  listPasskeys: endpoint({
    method: 'GET',
    path: '/auth/passkeys',
    access: 'member',
    summary: 'List your passkeys in the order they were added',
    data: z.array(passkey),
  }),
  startPasskey: endpoint({
    method: 'POST',
    path: '/auth/passkeys/start',
    access: 'member',
    confirmsIdentity: true,
    summary: 'Start adding a passkey: returns what the browser makes it with; at most 10',
    body: z.strictObject(factorStart),
    data: passkeyCreation,
    refusals: ['passkeys_unavailable', 'too_many_passkeys', 'wrong_password', 'wrong_otp', ...memberFactorRefusals],
  }),
  addPasskey: endpoint({
    method: 'POST',
    path: '/auth/passkeys',
    access: 'member',
    confirmsIdentity: true,
    summary:
      'Add the passkey the browser has made; signs out other sessions and, without two-factor authentication before, returns ten recovery codes',
    body: z.strictObject({ name: passkeyName, passkey: passkeyRegistration }),
    data: firstRecoveryCodes,
    refusals: ['passkey_refused', 'passkey_known', 'too_many_passkeys'],
  }),
  renamePasskey: endpoint({
    method: 'PUT',
    path: '/auth/passkeys/:id',
    access: 'member',
    confirmsIdentity: true,
    summary: 'Rename a passkey',
    params: one,
    body: z.strictObject({ name: passkeyName }),
    refusals: ['not_found'],
  }),
  removePasskey: endpoint({
    method: 'POST',
    path: '/auth/passkeys/:id/remove',
    access: 'member',
    confirmsIdentity: true,
    summary: 'Remove a passkey; signs out other sessions; without it and an app the recovery codes are gone',
    params: one,
    body: z.strictObject(confirmation),
    refusals: ['not_found', 'wrong_password', ...memberFactorRefusals],
  }),
  askPasskey: endpoint({
    method: 'POST',
    path: '/auth/passkeys/challenge',
    access: 'member',
    summary: 'Start confirming a step with a passkey: its answer goes into second_factor',
    data: passkeyRequest,
    refusals: ['not_found', 'passkeys_unavailable'],
  }),
};

export const passkeySignIn = {
  startPasskeySignIn: endpoint({
    method: 'POST',
    path: '/auth/passkey/start',
    access: 'public',
    summary: 'Start signing in with a passkey: returns what the browser asks it with',
    data: passkeyRequest,
    refusals: ['passkeys_unavailable'],
  }),
  finishPasskeySignIn: endpoint({
    method: 'POST',
    path: '/auth/passkey/finish',
    access: 'public',
    summary: 'Sign in with the answer of a passkey, without a password or code',
    body: z.strictObject({ passkey: passkeyAnswer, remember: z.boolean().optional() }),
    data: signedIn,
    refusals: ['passkey_refused'],
  }),
  askPasskeyAtSignIn: endpoint({
    method: 'POST',
    path: '/auth/passkey/second-factor',
    access: 'public',
    summary: 'Start using a passkey after the password of a sign-in, for otp-verify',
    body: z.strictObject({ challenge: line(200) }),
    data: passkeyRequest,
    refusals: ['sign_in_expired', 'not_found', 'passkeys_unavailable'],
  }),
};
