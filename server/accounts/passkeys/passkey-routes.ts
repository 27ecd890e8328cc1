import { passkeySignIn, passkeys } from '#contract/accounts/passkey-calls.ts';
import { english } from '#contract/texts.ts';
import type { Context } from '#server/context.ts';
import { mount, withMessage } from '#server/http/mount.ts';
import type { Http } from '#server/http/server.ts';
import { showSignedIn } from '../members/get-profile.ts';
import { readDevices } from '../sign-in/device-tokens.ts';
import { beginPasskeySecondHalf, beginPasskeySignIn, signInByPasskey } from '../sign-in/sign-in-by-passkey.ts';
import { challengePasskey, getRelyingParty } from './ceremonies.ts';
import { addPasskey, removePasskey, startPasskey } from './member-passkeys.ts';
import { listPasskeys, renamePasskey } from './passkeys.ts';

/** Passkeys of members: managing them and signing in with one. */
export function mountPasskeys(http: Http, context: Context): void {
  const rpOf = ({ host }: { readonly host?: unknown }) => getRelyingParty(context.config, host);
  mount(http, passkeys, {
    listPasskeys: ({ caller }) => listPasskeys(context.db, caller),
    startPasskey: ({ caller, body, headers, address }) => {
      const { second_factor: secondFactor, ...rest } = body;
      return startPasskey(context, caller, rpOf(headers), { ...rest, secondFactor, address });
    },
    addPasskey: async ({ caller, body, address }) => {
      const { name, passkey: answer } = body;
      const codes = await addPasskey(context, caller, { name, answer, address });
      return withMessage(english.t`Your passkey was added. All other devices were signed out.`, {
        recovery_codes: codes,
      });
    },
    renamePasskey: async ({ caller, params, body, address }) => {
      await renamePasskey(context, caller, { id: params.id, name: body.name, address });
      return withMessage(english.t`Your passkey was renamed.`, null);
    },
    removePasskey: async ({ caller, params, body, address }) => {
      const { password, second_factor: secondFactor } = body;
      await removePasskey(context, caller, params.id, { password, secondFactor, address });
      return withMessage(english.t`Your passkey was removed. All other devices were signed out.`, null);
    },
    askPasskey: ({ caller, headers }) => challengePasskey(context, rpOf(headers), { memberId: caller.memberId }),
  });
  mount(http, passkeySignIn, {
    startPasskeySignIn: ({ headers }) => beginPasskeySignIn(context, rpOf(headers)),
    finishPasskeySignIn: async ({ body, address, userAgent, headers }) => {
      const { passkey: answer, remember } = body;
      const devices = readDevices(headers);
      return showSignedIn(await signInByPasskey(context, { answer, remember, address, userAgent, devices }));
    },
    askPasskeyAtSignIn: ({ body, headers }) => beginPasskeySecondHalf(context, rpOf(headers), 'member', body.challenge),
  });
}
