import { useMutation, useQuery } from '@tanstack/react-query';
import type { PasskeyAnswer } from '#contract/accounts/passkeys.ts';
import { operatorPasskeys } from '#contract/endpoints.ts';
import { call } from '../../../api/call.ts';
import { canUsePasskeys } from '../../../api/can-use-passkeys.ts';
import { operatorMeQuery } from '../shell/queries.ts';

export type PasskeyProof = {
  /** The operator has one, and this browser supports it. */
  isOffered: boolean;
  /** There is no authenticator app, so nothing is typed. */
  isOnly: boolean;
  isAsking: boolean;
  /** Why the last attempt failed. */
  error: Error | null;
  /** Asks for a passkey instead of a code; `onAnswer` is not called when that fails. */
  ask: (onAnswer: (answer: PasskeyAnswer) => void) => void;
};

/** How the operator can confirm a decision other than by a code of the authenticator app. */
export function usePasskeyProof(): PasskeyProof {
  const { data } = useQuery(operatorMeQuery);
  const ask = useMutation({
    mutationFn: async () => {
      const request = await call(operatorPasskeys.challengeOperatorPasskey);
      const { askPasskey } = await import('../../../api/ask-passkey.ts');
      return askPasskey(request);
    },
    gcTime: 0,
  });
  const isOffered = data !== undefined && data.passkeys > 0 && canUsePasskeys();
  return {
    isOffered,
    isOnly: isOffered && !data.app,
    isAsking: ask.isPending,
    error: ask.error,
    ask: (onAnswer) => ask.mutate(undefined, { onSuccess: onAnswer }),
  };
}
