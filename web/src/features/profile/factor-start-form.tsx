import { Button } from '@mantine/core';
import { type FormEvent, type ReactNode, useState } from 'react';
import type { SecondFactor } from '#contract/fields.ts';
import { t } from '../../api/texts.ts';
import { useMailedCode } from '../../entities/member/mailed-code.ts';
import { SecondFactorField, useSecondFactor } from '../../entities/member/second-factor-field.tsx';
import { BusyButton } from '../../ui/forms/busy-button.tsx';
import { CodeForm } from '../../ui/forms/code-form.tsx';
import form from '../../ui/forms/dialog-form.module.css';
import { Refusal } from '../../ui/plain/refusal.tsx';
import { CodeSent, CodeTimes } from '../../ui/text/code-times.tsx';
import { Paragraph } from '../../ui/text/paragraph.tsx';
import { useSendFactorCode } from './queries.ts';

type Adds = 'app' | 'passkey';

/** The emailed code that the first authenticator app or passkey takes. A reload opens its dialog again. */
export function useFirstFactorCode(adds: Adds) {
  const mailed = useMailedCode(adds, (value): value is Adds => value === adds);
  const [isReopened, setReopened] = useState(mailed.step !== undefined);
  return {
    ...mailed,
    adds,
    isReopened,
    leave: () => {
      if (mailed.step) mailed.show(undefined);
      setReopened(false);
    },
    /** The code is used up, but the dialog goes on. */
    use: () => {
      mailed.forget();
      if (mailed.step) mailed.show(undefined);
    },
  };
}

export type FactorStart = { password: string; otp?: string; second_factor?: SecondFactor };

type FactorStartFormProps = {
  code: ReturnType<typeof useFirstFactorCode>;
  isBusy: boolean;
  onCancel: () => void;
  onConfirm: (body: FactorStart, onError: (error: Error) => void) => void;
  /** What is added, and its consequences. */
  children: ReactNode;
};

/**
 * What starting to add a second factor takes: the password, and for the first one an emailed code, else one of
 * those there are.
 */
export function FactorStartForm({ code, isBusy, onCancel, onConfirm, children }: FactorStartFormProps) {
  const factor = useSecondFactor();
  const sendCode = useSendFactorCode();
  const { step } = code;
  const send = () => sendCode.mutate(undefined, { onSuccess: (sent) => code.keep(code.adds, sent) });
  const isFirst = !factor.isRequired;

  if (isFirst && step === undefined) {
    const submit = (event: FormEvent) => {
      event.preventDefault();
      if (sendCode.isPending) return;
      const before = code.live(code.adds);
      if (before) code.show(before);
      else send();
    };
    return (
      <form className={form.form} onSubmit={submit} noValidate>
        {children}
        <Paragraph>{t`We send a code to your email address first, so that your password alone is not enough.`}</Paragraph>
        <Refusal error={sendCode.error} />
        <div className={form.actions}>
          <Button variant="subtle" disabled={sendCode.isPending} onClick={onCancel}>{t`Cancel`}</Button>
          <BusyButton type="submit" data-autofocus busy={sendCode.isPending} busyLabel={t`Sending`}>
            {t`Send code`}
          </BusyButton>
        </div>
      </form>
    );
  }
  return (
    <CodeForm
      layout="dialog"
      asks={isFirst ? ['otp', 'password'] : ['password']}
      codeLabel={t`Code from the email`}
      confirm={t`Continue`}
      busyLabel={t`Checking`}
      isBusy={isBusy}
      back={{ label: t`Cancel`, onClick: onCancel }}
      foot={<SecondFactorField factor={factor} isBusy={isBusy} />}
      onConfirm={({ otp, password }, onError) => {
        if (!factor.check()) return;
        onConfirm({ password, ...(isFirst ? { otp } : factor.body()) }, (error) => {
          onError(error);
          factor.fail(error);
        });
      }}
      {...(isFirst &&
        step && { times: <CodeTimes {...step.code} isSending={sendCode.isPending} onSendAgain={send} /> })}
    >
      {isFirst && step ? (
        <CodeSent
          to={step.code.sentTo}
          delayed={step.code.delayed}
        >{t`Enter it together with your password to continue.`}</CodeSent>
      ) : (
        children
      )}
    </CodeForm>
  );
}
