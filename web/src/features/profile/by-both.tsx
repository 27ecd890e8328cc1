import { useQuery } from '@tanstack/react-query';
import { t } from '../../api/texts.ts';
import { SecondFactorField, useSecondFactor } from '../../entities/member/second-factor-field.tsx';
import { securityQuery } from '../../entities/member/security-query.ts';
import type { CodeFormProps } from '../../ui/forms/code-form.tsx';

/**
 * What a form asks for that takes the password and two-factor authentication: neither an open browser nor a stolen phone
 * is enough. Who has passkeys chooses with what, for the app may be what was lost.
 */
export function useByBoth(isBusy: boolean) {
  const { data: security } = useQuery(securityQuery);
  const factor = useSecondFactor();
  const isOn = security?.second_factor === true;
  const hasPasskey = (security?.passkeys ?? 0) > 0;
  const takesCode = isOn && !hasPasskey;
  const form: Pick<CodeFormProps, 'layout' | 'asks' | 'codeLabel' | 'foot'> = {
    layout: 'dialog',
    asks: takesCode ? ['otp', 'password'] : ['password'],
    codeLabel: t`Authenticator code`,
    foot: hasPasskey && <SecondFactorField factor={factor} isBusy={isBusy} />,
  };
  return {
    form,
    isOn,
    check: () => !hasPasskey || factor.check(),
    bodyOf: ({ otp, password }: { otp: string; password: string }) =>
      takesCode ? { otp, password } : { password, ...(hasPasskey && factor.body()) },
    failing: (onError: (error: Error) => void) => (error: Error) => {
      onError(error);
      if (hasPasskey) factor.fail(error);
    },
  };
}
