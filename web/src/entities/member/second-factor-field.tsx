import { Button, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type RefObject, useRef, useState } from 'react';
import type { SecondFactor } from '#contract/fields.ts';
import { otpLength, recoveryCodePattern } from '#contract/rules.ts';
import { CallError } from '../../api/call.ts';
import { t } from '../../api/texts.ts';
import { securityQuery } from './security-query.ts';

type SecondFactorState = {
  isAsked: boolean;
  isRecovering: boolean;
  typed: string;
  problem: string | undefined;
  field: RefObject<HTMLInputElement | null>;
  change: (next: { typed?: string; isRecovering?: boolean }) => void;
  /** False, and said at the field, while what is asked for is missing. */
  check: () => boolean;
  /** Part of the body of the call; nothing where nothing is asked for. */
  body: () => { second_factor?: SecondFactor };
  /** Says at the field what the server says of it. A page that did not know asks from then on. */
  fail: (error: Error) => void;
  reset: () => void;
};

/**
 * What a form needs that asks for the second factor: the state of its field, what goes into the body of its call, and
 * where an error of the server belongs.
 */
export function useSecondFactor(): SecondFactorState {
  const { data: security } = useQuery(securityQuery);
  const field = useRef<HTMLInputElement>(null);
  const [isDemanded, setDemanded] = useState(false);
  const [isRecovering, setRecovering] = useState(false);
  const [typed, setTyped] = useState('');
  const [problem, setProblem] = useState<string>();
  const isAsked = isDemanded || security?.second_factor === true;

  const say = (message: string) => {
    setProblem(message);
    field.current?.focus();
  };
  return {
    isAsked,
    isRecovering,
    typed,
    problem,
    field,
    change: (next) => {
      if (next.typed !== undefined) setTyped(next.typed);
      if (next.isRecovering !== undefined) {
        setRecovering(next.isRecovering);
        setTyped('');
        field.current?.focus();
      }
      setProblem(undefined);
    },
    check: () => {
      if (!isAsked) return true;
      const pattern = isRecovering ? recoveryCodePattern : new RegExp(`^\\d{${otpLength}}$`);
      if (pattern.test(typed.trim())) return true;
      say(isRecovering ? t`Enter a valid recovery code.` : t`The code has ${otpLength} digits.`);
      return false;
    },
    body: () => (isAsked ? { second_factor: typed.trim() } : {}),
    fail: (error) => {
      const message = error instanceof CallError ? error.fields.second_factor : undefined;
      if (message === undefined) return;
      setDemanded(true);
      setTyped('');
      say(message);
    },
    reset: () => {
      setTyped('');
      setRecovering(false);
      setProblem(undefined);
    },
  };
}

/** Asks for the authenticator code, or a recovery code, of an account with two-factor authentication. */
export function SecondFactorField({ factor, isBusy = false }: { factor: SecondFactorState; isBusy?: boolean }) {
  const { isAsked, isRecovering, typed, problem, field, change } = factor;
  if (!isAsked) return null;
  return (
    <div>
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
      <Button
        variant="subtle"
        size="compact-sm"
        mt={4}
        px={0}
        disabled={isBusy}
        onClick={() => change({ isRecovering: !isRecovering })}
      >
        {isRecovering ? t`Use authenticator app` : t`Use recovery code`}
      </Button>
    </div>
  );
}
