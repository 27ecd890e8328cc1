import { z } from 'zod';
import { endpoint, operatorRoles } from '../endpoint.ts';
import { one, operatorCode, secondFactorRefusals } from '../fields.ts';
import { passkey, passkeyCreation, passkeyName, passkeyRegistration, passkeyRequest } from './passkeys.ts';
import { existingPassword } from './sign-in.ts';

/** An operator's own passkeys (docs/product.md, section 10). */
export const operatorPasskeys = {
  listOperatorPasskeys: endpoint({
    method: 'GET',
    path: '/operator/passkeys',
    access: operatorRoles,
    summary: 'List your passkeys in the order they were added',
    data: z.array(passkey),
  }),
  challengeOperatorPasskey: endpoint({
    method: 'POST',
    path: '/operator/passkeys/challenge',
    access: operatorRoles,
    beforeSecondFactor: true,
    summary: 'Get what one of your passkeys signs in place of a fresh code; once, within five minutes',
    data: passkeyRequest,
    refusals: ['not_found', 'passkeys_unavailable'],
  }),
  startOperatorPasskey: endpoint({
    method: 'POST',
    path: '/operator/passkeys/start',
    access: operatorRoles,
    beforeSecondFactor: true,
    summary:
      'Start adding a passkey: takes your password and a fresh code, or one of your passkeys once you have any; neither at the first setup',
    body: z.strictObject({ password: existingPassword, otp: operatorCode.optional() }),
    data: passkeyCreation,
    refusals: [
      'wrong_password',
      'second_factor_required',
      'passkey_required',
      'too_many_passkeys',
      'passkeys_unavailable',
      ...secondFactorRefusals,
    ],
  }),
  finishOperatorPasskey: endpoint({
    method: 'POST',
    path: '/operator/passkeys',
    access: operatorRoles,
    beforeSecondFactor: true,
    summary:
      'Add the passkey that your device made; ends your other sessions and emails all operators, for support only you',
    body: z.strictObject({ name: passkeyName, passkey: passkeyRegistration }),
    data: passkey,
    refusals: ['passkey_refused', 'passkey_known', 'too_many_passkeys'],
  }),
  renameOperatorPasskey: endpoint({
    method: 'PUT',
    path: '/operator/passkeys/:id',
    access: operatorRoles,
    summary: 'Rename one of your passkeys',
    params: one,
    body: z.strictObject({ name: passkeyName }),
    refusals: ['not_found'],
  }),
  removeOperatorPasskey: endpoint({
    method: 'POST',
    path: '/operator/passkeys/:id/remove',
    access: operatorRoles,
    summary: 'Remove one of your passkeys; ends your other sessions and emails all operators, for support only you',
    params: one,
    body: z.strictObject({ password: existingPassword, otp: operatorCode }),
    refusals: ['not_found', 'wrong_password', 'last_second_factor', ...secondFactorRefusals],
  }),
};
