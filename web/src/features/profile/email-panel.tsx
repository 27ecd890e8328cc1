import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Security } from '#contract/accounts/profile.ts';
import { otpLength, withdrawalRules } from '#contract/rules.ts';
import { CallError } from '../../api/call.ts';
import { t } from '../../api/texts.ts';
import { personRules } from '../../entities/member/check.ts';
import { partsOf, useMailedCode } from '../../entities/member/mailed-code.ts';
import { SecondFactorField, useSecondFactor } from '../../entities/member/second-factor-field.tsx';
import { securityQuery } from '../../entities/member/security-query.ts';
import { formatDateTime } from '../../ui/format/time.ts';
import { BusyButton } from '../../ui/forms/busy-button.tsx';
import { CodeForm } from '../../ui/forms/code-form.tsx';
import { Dialog, useLast } from '../../ui/forms/dialog.tsx';
import { toast } from '../../ui/frame/toast.ts';
import { Panel } from '../../ui/layout/panel.tsx';
import { StateBadge } from '../../ui/state/state-badge.tsx';
import { CodeSent, CodeTimes } from '../../ui/text/code-times.tsx';
import { Paragraph } from '../../ui/text/paragraph.tsx';
import { Trans } from '../../ui/text/text.tsx';
import { OneFieldForm } from './one-field-form.tsx';
import { useChangeEmail, useRequestEmailChange, useSendEmailCode, useWithdrawEmailRequest } from './queries.ts';

type Aim = 'verify' | 'change';

export function EmailPanel({ email, frozen }: { email: string; frozen: boolean }) {
  const { data: security } = useQuery(securityQuery);
  const isVerified = security?.email_verified;
  const request = security?.email_request;
  const [aim, setAim] = useState<Aim>();
  return (
    <Panel
      title={t`Email address`}
      control={isVerified !== undefined && <StateBadge of="security" state={isVerified ? 'verified' : 'unverified'} />}
    >
      <Text fw={500} mb={4} style={{ overflowWrap: 'anywhere' }}>
        {email}
      </Text>
      <Paragraph>
        {[
          t`Codes for withdrawals and password resets are sent here.`,
          isVerified === false && t`Verify the address so that they reach you.`,
          frozen && t`You cannot change it while your account is frozen.`,
        ]
          .filter(Boolean)
          .join(' ')}
      </Paragraph>
      {request && <RequestedChange request={request} />}
      {!frozen && (
        <Group gap="xs" mt={14}>
          {isVerified === false && <Button variant="default" onClick={() => setAim('verify')}>{t`Verify`}</Button>}
          <Button
            variant="default"
            aria-label={t`Change email address`}
            onClick={() => setAim('change')}
          >{t`Change`}</Button>
        </Group>
      )}
      <EmailDialog email={email} aim={aim} onClose={() => setAim(undefined)} />
    </Panel>
  );
}

/** A requested change without access to the old mailbox, and the button that withdraws it. */
function RequestedChange({ request }: { request: NonNullable<Security['email_request']> }) {
  const withdraw = useWithdrawEmailRequest();
  return (
    <Stack gap={8} mt={14} align="flex-start">
      <Paragraph>
        {request.due_at === null
          ? t`You asked to change it to ${request.email}. Our team contacts you to check your identity. Withdrawals are stopped meanwhile.`
          : t`It changes to ${request.email} on ${formatDateTime(request.due_at)}. Withdrawals are stopped until then.`}
      </Paragraph>
      <BusyButton
        variant="default"
        busy={withdraw.isPending}
        busyLabel={t`Withdrawing`}
        onClick={() => withdraw.mutate(undefined, { onSuccess: () => toast.success(t`Request withdrawn`) })}
      >{t`Withdraw request`}</BusyButton>
    </Stack>
  );
}

type CodeRequest = { aim: Aim; email: string };

function isCodeRequest(value: unknown): value is CodeRequest {
  const { aim, email } = partsOf(value);
  return (aim === 'verify' || aim === 'change') && typeof email === 'string';
}

type EmailDialogProps = {
  /** The current address. */
  email: string;
  /** undefined: closed, unless a code was emailed before a reload. */
  aim: Aim | undefined;
  onClose: () => void;
};

function EmailDialog({ email, aim, onClose }: EmailDialogProps) {
  const sendCode = useSendEmailCode();
  const change = useChangeEmail();
  const request = useRequestEmailChange();
  const { step, show, keep, live, forget } = useMailedCode('email', isCodeRequest);
  const shownAim = useLast(step?.asked.aim ?? aim) ?? 'change';
  const isVerifying = shownAim === 'verify';
  const factor = useSecondFactor();
  const [oldCode, setOldCode] = useState({ typed: '', problem: '' });
  // Without access to the old mailbox, our team has to verify the member.
  const [isLost, setLost] = useState(false);
  const isBusy = change.isPending || request.isPending;

  const close = () => {
    if (step) show(undefined);
    setOldCode({ typed: '', problem: '' });
    setLost(false);
    factor.reset();
    onClose();
  };
  const ask = (asked: CodeRequest, onError?: (error: Error) => void) =>
    sendCode.mutate(asked.email, { onSuccess: (sent) => keep(asked, sent), ...(onError ? { onError } : {}) });

  return (
    <Dialog
      isSheet
      opened={aim !== undefined || step !== undefined}
      onClose={close}
      title={isVerifying ? t`Verify email address` : t`Change email address`}
      isHeld={sendCode.isPending || isBusy}
    >
      {step ? (
        <CodeForm
          layout="dialog"
          asks={['otp', 'password']}
          codeLabel={isVerifying ? t`Code from the email` : t`Code from the new mailbox`}
          confirm={isVerifying ? t`Verify` : isLost ? t`Request change` : t`Confirm new address`}
          busyLabel={isVerifying ? t`Verifying` : isLost ? t`Requesting` : t`Changing`}
          isBusy={isBusy}
          back={{ label: t`Cancel`, onClick: close }}
          foot={
            !isVerifying && (
              <>
                {isLost ? (
                  <Paragraph>{t`Our team checks your identity, and two of us agree. The address changes 7 days later. Withdrawals are stopped meanwhile, and both addresses are told.`}</Paragraph>
                ) : (
                  <TextInput
                    label={t`Code from your current mailbox`}
                    description={t`We sent it to ${email}.`}
                    inputMode="numeric"
                    autoComplete="off"
                    maxLength={otpLength}
                    maw={440}
                    error={oldCode.problem || null}
                    errorProps={{ role: 'alert' }}
                    readOnly={isBusy}
                    value={oldCode.typed}
                    onChange={(event) => setOldCode({ typed: event.currentTarget.value, problem: '' })}
                  />
                )}
                <Button
                  variant="subtle"
                  size="compact-sm"
                  px={0}
                  style={{ alignSelf: 'flex-start' }}
                  disabled={isBusy}
                  onClick={() => setLost(!isLost)}
                >
                  {isLost ? t`I have the code from the old mailbox` : t`I lost access to the old mailbox`}
                </Button>
                <SecondFactorField factor={factor} isBusy={isBusy} />
              </>
            )
          }
          onConfirm={({ otp, password }, onError) => {
            const old_otp = oldCode.typed.trim();
            if (!isVerifying && !isLost && old_otp.length !== otpLength) {
              setOldCode({ typed: old_otp, problem: t`The code has ${otpLength} digits.` });
              return;
            }
            if (!isVerifying && !factor.check()) return;
            const body = { email: step.asked.email, otp, password };
            const done = () => {
              forget();
              close();
            };
            const failed = (error: Error) => {
              onError(error);
              const problem = error instanceof CallError ? error.fields.old_otp : undefined;
              if (problem !== undefined) setOldCode({ typed: '', problem });
              factor.fail(error);
            };
            if (isLost && !isVerifying) {
              request.mutate(
                { ...body, ...factor.body() },
                {
                  onSuccess: () => {
                    toast.success(t`Change requested`, t`Our team contacts you to check your identity.`);
                    done();
                  },
                  onError: failed,
                },
              );
              return;
            }
            change.mutate(isVerifying ? body : { ...body, old_otp, ...factor.body() }, {
              onSuccess: (user) => {
                if (isVerifying) toast.success(t`Email address verified`, user.email);
                else toast.success(t`Email address changed`, t`All other devices were signed out.`);
                done();
              },
              onError: failed,
            });
          }}
          times={<CodeTimes {...step.code} isSending={sendCode.isPending} onSendAgain={() => ask(step.asked)} />}
        >
          <CodeSent
            to={step.asked.email}
            delayed={step.code.delayed}
          >{t`Enter it together with your password to confirm the address.`}</CodeSent>
        </CodeForm>
      ) : (
        <OneFieldForm
          field={{
            label: isVerifying ? t`Email address` : t`New email address`,
            type: 'email',
            inputMode: 'email',
            autoComplete: isVerifying ? 'off' : 'email',
            spellCheck: false,
            ...(isVerifying && { readOnly: true }),
          }}
          first={isVerifying ? email : ''}
          check={(typed) => (isVerifying ? null : personRules.email(typed))}
          confirm={t`Send code`}
          busyLabel={t`Sending`}
          isBusy={sendCode.isPending}
          refused={sendCode.error}
          onCancel={close}
          onSend={(address, refuse) => {
            const asked = { aim: shownAim, email: address };
            const before = live(asked);
            if (before) show(before);
            else ask(asked, (error) => refuse(error instanceof CallError ? error.fields.email : undefined));
          }}
        >
          <Paragraph>
            {isVerifying ? (
              t`We send a code to this address. Enter it to confirm that our emails reach you.`
            ) : (
              <Trans
                text={t`We send a code to the new address and one to your current address. You need both. Then all other devices are signed out and withdrawals are paused for <b>${withdrawalRules.waitHours} hours</b>.`}
                b={(inner) => <b>{inner}</b>}
              />
            )}
          </Paragraph>
        </OneFieldForm>
      )}
    </Dialog>
  );
}
