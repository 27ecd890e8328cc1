import { useMutation } from '@tanstack/react-query';
import type { Passkey } from '#contract/accounts/passkeys.ts';
import { operatorPasskeys } from '#contract/endpoints.ts';
import type { OperatorCode } from '#contract/fields.ts';
import { call } from '../../../api/call.ts';

type NewPasskey = { name: string; password: string; otp?: OperatorCode | undefined };

/** Calls the server, the device, and the server again: nothing is stored if the device creates none. */
export async function addPasskey({ name, password, otp }: NewPasskey): Promise<Passkey> {
  const creation = await call(operatorPasskeys.startOperatorPasskey, { body: { password, otp } });
  const { createPasskey } = await import('../../../api/ask-passkey.ts');
  return call(operatorPasskeys.finishOperatorPasskey, {
    body: { name, passkey: await createPasskey(creation) },
  });
}

export const useAddPasskey = () => useMutation({ mutationFn: addPasskey, gcTime: 0 });
