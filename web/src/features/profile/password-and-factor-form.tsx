import { useQuery } from '@tanstack/react-query';
import type { SecondFactor } from '#contract/fields.ts';
import { t } from '../../api/texts.ts';
import { SecondFactorField, useSecondFactor } from '../../entities/member/second-factor-field.tsx';
import { securityQuery } from '../../entities/member/security-query.ts';
import { CodeForm, type CodeFormProps } from '../../ui/forms/code-form.tsx';

type PasswordAndFactor = { password: string; otp?: string; second_factor?: SecondFactor };

type PasswordAndFactorFormProps = Pick<CodeFormProps, 'confirm' | 'busyLabel' | 'isBusy' | 'children'> & {
  back: string;
  onBack: () => void;
  /** Where only the password is required, the cancel button takes the focus. */
  backHasFocus?: boolean;
  onConfirm: (body: PasswordAndFactor, onError: (error: Error) => void) => void;
};

/**
 * A form that requires the password and two-factor authentication: neither an open browser nor a stolen phone is
 * enough. A member with passkeys chooses the method, since the app may be what was lost.
 */
export function PasswordAndFactorForm({
  back,
  onBack,
  backHasFocus = false,
  onConfirm,
  ...form
}: PasswordAndFactorFormProps) {
  const { data: security } = useQuery(securityQuery);
  const factor = useSecondFactor();
  const isOn = security?.second_factor === true;
  const hasPasskey = (security?.passkeys ?? 0) > 0;
  const requiresCode = isOn && !hasPasskey;
  return (
    <CodeForm
      {...form}
      layout="dialog"
      asks={requiresCode ? ['otp', 'password'] : ['password']}
      codeLabel={t`Authenticator code`}
      foot={hasPasskey && <SecondFactorField factor={factor} isBusy={form.isBusy} />}
      back={{ label: back, onClick: onBack, hasFocus: backHasFocus && !isOn }}
      onConfirm={({ otp, password }, onError) => {
        if (hasPasskey && !factor.check()) return;
        onConfirm(requiresCode ? { otp, password } : { password, ...(hasPasskey && factor.body()) }, (error) => {
          onError(error);
          if (hasPasskey) factor.fail(error);
        });
      }}
    />
  );
}
