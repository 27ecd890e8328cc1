import { Button, Group, Input, Text, TextInput } from '@mantine/core';
import { IconCheck, IconFingerprint } from '@tabler/icons-react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { type RefObject, useRef, useState } from 'react';
import type { PasskeyAnswer } from '#contract/accounts/passkeys.ts';
import { passkeys } from '#contract/endpoints.ts';
import type { SecondFactor } from '#contract/fields.ts';
import { otpLength, recoveryCodePattern } from '#contract/rules.ts';
import { CallError, call } from '../../api/call.ts';
import { canUsePasskeys } from '../../api/can-use-passkeys.ts';
import { t } from '../../api/texts.ts';
import { BusyButton } from '../../ui/forms/busy-button.tsx';
import { Refusal } from '../../ui/plain/refusal.tsx';
import { securityQuery } from './security-query.ts';

/** Methods of answering. */
type Method = 'app' | 'passkey' | 'recovery_code';

type SecondFactorState = {
  isRequired: boolean;
  method: Method;
  /** Methods the account has besides the one shown. */
  others: readonly Method[];
  typed: string;
  passkey: PasskeyAnswer | undefined;
  problem: string | undefined;
  field: RefObject<HTMLInputElement | null>;
  change: (next: { typed?: string; method?: Method; passkey?: PasskeyAnswer }) => void;
  /** False, with an error at the field, while a required value is missing. */
  check: () => boolean;
  /** Part of the call's body; empty where no second factor is required. */
  body: () => { second_factor?: SecondFactor };
  /** Shows the server's error at the field. A page that did not know asks for the second factor from then on. */
  fail: (error: Error) => void;
  reset: () => void;
};

/**
 * The second factor of a form: the state of its field, its part of the call's body, and where the server's error
 * belongs.
 */
export function useSecondFactor(): SecondFactorState {
  const { data: security } = useQuery(securityQuery);
  const field = useRef<HTMLInputElement>(null);
  const [isDemandedByServer, setDemanded] = useState(false);
  const [chosen, setMethod] = useState<Method>();
  const [typed, setTyped] = useState('');
  const [passkey, setPasskey] = useState<PasskeyAnswer>();
  const [problem, setProblem] = useState<string>();
  const isRequired = isDemandedByServer || security?.second_factor === true;
  const methods: readonly Method[] = [
    ...(security?.second_factor && !security.app ? [] : ['app' as const]),
    ...((security?.passkeys ?? 0) > 0 && canUsePasskeys() ? ['passkey' as const] : []),
    'recovery_code',
  ];
  const method = chosen ?? methods[0] ?? 'recovery_code';

  const say = (message: string) => {
    setProblem(message);
    field.current?.focus();
  };
  return {
    isRequired,
    method,
    others: methods.filter((other) => other !== method),
    typed,
    passkey,
    problem,
    field,
    change: (next) => {
      if (next.typed !== undefined) setTyped(next.typed);
      if (next.passkey !== undefined) setPasskey(next.passkey);
      if (next.method !== undefined) {
        setMethod(next.method);
        setTyped('');
        field.current?.focus();
      }
      setProblem(undefined);
    },
    check: () => {
      if (!isRequired || (method === 'passkey' && passkey !== undefined)) return true;
      const pattern = method === 'recovery_code' ? recoveryCodePattern : new RegExp(`^\\d{${otpLength}}$`);
      if (method !== 'passkey' && pattern.test(typed.trim())) return true;
      say(missing[method]);
      return false;
    },
    body: () => (isRequired ? { second_factor: method === 'passkey' && passkey ? passkey : typed.trim() } : {}),
    fail: (error) => {
      const message = error instanceof CallError ? error.fields.second_factor : undefined;
      if (message === undefined) return;
      setDemanded(true);
      setTyped('');
      setPasskey(undefined);
      say(message);
    },
    reset: () => {
      setTyped('');
      setPasskey(undefined);
      setMethod(undefined);
      setProblem(undefined);
    },
  };
}

const missing: Record<Method, string> = {
  app: t`The code has ${otpLength} digits.`,
  passkey: t`Use your passkey first.`,
  recovery_code: t`Enter a valid recovery code.`,
};
const methodLabels: Record<Method, string> = {
  app: t`Use authenticator app`,
  passkey: t`Use a passkey`,
  recovery_code: t`Use recovery code`,
};

/** Loaded on use: most forms are sent without. */
const usePasskey = (onAnswer: (answer: PasskeyAnswer) => void) =>
  useMutation({
    mutationFn: async () => {
      const request = await call(passkeys.askPasskey);
      return (await import('../../api/ask-passkey.ts')).askPasskey(request);
    },
    onSuccess: onAnswer,
    gcTime: 0,
  });

/** Asks an account with two-factor authentication for an authenticator code, a passkey or a recovery code. */
export function SecondFactorField({ factor, isBusy = false }: { factor: SecondFactorState; isBusy?: boolean }) {
  const { isRequired, method, others, change } = factor;
  const ask = usePasskey((passkey) => change({ method: 'passkey', passkey }));
  if (!isRequired) return null;
  const isHeld = isBusy || ask.isPending;
  return (
    <div>
      {method === 'passkey' ? (
        <PasskeyField factor={factor} isBusy={isBusy} isAsking={ask.isPending} onAsk={() => ask.mutate()} />
      ) : (
        <CodeField factor={factor} isBusy={isHeld} />
      )}
      <Refusal error={ask.error} />
      <Group gap="md" mt={4}>
        {others.map((other) => (
          <Button
            key={other}
            variant="subtle"
            size="compact-sm"
            px={0}
            disabled={isHeld}
            onClick={() => (other === 'passkey' ? ask.mutate() : change({ method: other }))}
          >
            {methodLabels[other]}
          </Button>
        ))}
      </Group>
    </div>
  );
}

type PasskeyFieldProps = { factor: SecondFactorState; isBusy: boolean; isAsking: boolean; onAsk: () => void };

function PasskeyField({ factor: { passkey, problem }, isBusy, isAsking, onAsk }: PasskeyFieldProps) {
  return (
    <Input.Wrapper label={t`Passkey`} labelElement="div" error={problem} errorProps={{ role: 'alert' }}>
      {passkey ? (
        <Group gap={8} py={8} role="status">
          <IconCheck size={20} stroke={1.5} color="var(--tw-gain)" aria-hidden />
          <Text size="sm">{t`Confirmed with your passkey`}</Text>
        </Group>
      ) : (
        <div>
          <BusyButton
            variant="default"
            leftSection={<IconFingerprint size={20} stroke={1.5} aria-hidden />}
            busy={isAsking}
            busyLabel={t`Waiting`}
            disabled={isBusy}
            onClick={onAsk}
          >
            {methodLabels.passkey}
          </BusyButton>
        </div>
      )}
    </Input.Wrapper>
  );
}

function CodeField({ factor, isBusy }: { factor: SecondFactorState; isBusy: boolean }) {
  const { method, typed, problem, field, change } = factor;
  const isRecovering = method === 'recovery_code';
  return (
    <TextInput
      ref={field}
      label={isRecovering ? t`Recovery code` : t`Authenticator code`}
      description={
        isRecovering
          ? t`Four groups of four characters, with or without hyphens. Each code works once.`
          : t`The ${otpLength} digits that your authenticator app shows now.`
      }
      inputMode={isRecovering ? 'text' : 'numeric'}
      autoComplete="one-time-code"
      autoCapitalize="characters"
      spellCheck={false}
      maxLength={isRecovering ? 40 : otpLength}
      maw={440}
      error={problem}
      errorProps={{ role: 'alert' }}
      readOnly={isBusy}
      value={typed}
      onChange={(event) => change({ typed: event.currentTarget.value })}
    />
  );
}
