import type { SecondFactor } from '#contract/fields.ts';
import { t } from '../../api/texts.ts';
import { SecondFactorField, useSecondFactor } from '../../entities/member/second-factor-field.tsx';
import { CodeForm, type CodeFormProps } from '../../ui/forms/code-form.tsx';
import { Dialog } from '../../ui/forms/dialog.tsx';

type PasswordAndFactor = { password: string; second_factor?: SecondFactor };

type PasswordAndFactorFormProps = Pick<CodeFormProps, 'confirm' | 'danger' | 'busyLabel' | 'isBusy' | 'children'> & {
  /** By default, *Cancel*. */
  back?: string;
  onBack: () => void;
  /** Where only the password is required, the cancel button takes the focus. */
  backHasFocus?: boolean;
  onConfirm: (body: PasswordAndFactor, onError: (error: Error) => void) => void;
};

/**
 * A form that requires the password and two-factor authentication: neither an open browser nor a stolen phone is
 * enough. The member chooses the method, since the app may be what was lost.
 */
export function PasswordAndFactorForm({
  back = t`Cancel`,
  onBack,
  backHasFocus = false,
  onConfirm,
  ...form
}: PasswordAndFactorFormProps) {
  const factor = useSecondFactor();
  return (
    <CodeForm
      {...form}
      layout="dialog"
      asks={['password']}
      foot={<SecondFactorField factor={factor} isBusy={form.isBusy} />}
      back={{ label: back, onClick: onBack, hasFocus: backHasFocus && !factor.isRequired }}
      onConfirm={({ password }, onError) => {
        if (!factor.check()) return;
        onConfirm({ password, ...factor.body() }, (error) => {
          onError(error);
          factor.fail(error);
        });
      }}
    />
  );
}

type DialogFormProps = PasswordAndFactorFormProps & { opened: boolean; title: string };

/** The form in a dialog that stays while it is sent. */
export const PasswordAndFactorDialog = ({ opened, title, ...form }: DialogFormProps) => (
  <Dialog isSheet opened={opened} onClose={form.onBack} title={title} isHeld={form.isBusy}>
    <PasswordAndFactorForm {...form} />
  </Dialog>
);
