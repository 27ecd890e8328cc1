import { useNavigate } from 'react-router';
import { CallError } from '../../api/call.ts';
import { signIn } from '../../api/sign-in-state.ts';
import { paths } from '../../ui/paths.ts';
import { useVerifyOtp } from './queries.ts';

/**
 * The second half of a sign-in. Being signed in, the member is led to the dashboard by the guard of the public routes. A
 * sign-in that is over, by time or by tries, can only be begun again: the login page takes this one's place, under the
 * server's words about it in a toast.
 */
export function useSecondFactor(challenge: string) {
  const navigate = useNavigate();
  const verify = useVerifyOtp();
  const send = (code: { otp: string } | { recovery_code: string }, onError: (error: Error) => void) =>
    verify.mutate(
      { purpose: 'login', challenge, ...code },
      {
        onSuccess: (data) => {
          if ('access_token' in data) signIn(data.access_token, data.user);
        },
        onError: (error) => {
          if (error instanceof CallError && error.code === 'sign_in_expired') navigate(paths.login, { replace: true });
          else onError(error);
        },
      },
    );
  return { send, isPending: verify.isPending };
}
