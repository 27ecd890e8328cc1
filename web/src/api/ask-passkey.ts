import { startAuthentication, startRegistration } from '@simplewebauthn/browser';
import type {
  PasskeyAnswer,
  PasskeyCreation,
  PasskeyRegistration,
  PasskeyRequest,
} from '#contract/accounts/passkeys.ts';
import { toast } from '../ui/frame/toast.ts';
import { ToldError } from './call.ts';
import { t } from './texts.ts';

/** Asks for a passkey of this device or of one nearby. */
export async function askPasskey(request: PasskeyRequest): Promise<PasskeyAnswer> {
  const answer = await withErrorToast(startAuthentication({ optionsJSON: request }), {
    NotAllowedError: t`No passkey was used. You cancelled, or this device has none for this site.`,
  });
  // No extension was requested.
  return { ...answer, clientExtensionResults: {} };
}

/** Creates a passkey on this device or on one nearby. */
export async function createPasskey(creation: PasskeyCreation): Promise<PasskeyRegistration> {
  const noScreenLock = t`This device cannot keep a passkey. Set up a screen lock, or use another device.`;
  const created = await withErrorToast(startRegistration({ optionsJSON: creation }), {
    NotAllowedError: t`No passkey was added. You cancelled, or it took too long.`,
    InvalidStateError: t`This device already has a passkey for your account.`,
    ConstraintError: noScreenLock,
    NotSupportedError: noScreenLock,
  });
  return { ...created, clientExtensionResults: {} };
}

/** Browsers' own messages are for programmers and differ, so they are replaced. */
async function withErrorToast<T>(request: Promise<T>, texts: Readonly<Record<string, string>>): Promise<T> {
  try {
    return await request;
  } catch (error) {
    const { name, cause } = error as Error;
    const kind = cause instanceof Error ? cause.name : name;
    const text =
      texts[kind] ??
      (kind === 'SecurityError'
        ? t`Passkeys do not work at this address. Open the site at its own domain.`
        : t`The passkey did not work. Try again.`);
    toast.error(text);
    throw new ToldError(text, { cause: error });
  }
}
