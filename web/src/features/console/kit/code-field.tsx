import { Box, Input, Stack, Text } from '@mantine/core';
import { IconFingerprint } from '@tabler/icons-react';
import type { OperatorCode } from '#contract/fields.ts';
import { otpLength } from '#contract/rules.ts';
import { BusyButton } from '../../../ui/forms/busy-button.tsx';
import { CodeEntry } from '../../../ui/forms/code-entry.tsx';
import classes from '../../../ui/forms/dialog-form.module.css';
import type { PasskeyProof } from './use-passkey-proof.ts';

/** The error of a code before it is sent, for `check`. */
export const codeError = (otp: OperatorCode) =>
  typeof otp !== 'string' || otp.length === otpLength ? {} : { otp: `The code has ${otpLength} digits.` };

type CodeFieldProps = Omit<Parameters<typeof CodeEntry>[0], 'label'> & {
  passkey: Pick<PasskeyProof, 'isOffered' | 'isOnly' | 'isAsking'>;
  /** Confirms with a passkey, and sends the form. */
  onPasskey: () => void;
};

/** Confirms a decision: a code of the authenticator app, or a passkey. */
export function CodeField({ passkey, onPasskey, ...entry }: CodeFieldProps) {
  if (passkey.isOnly) {
    return (
      <div>
        <div className={classes.label}>Two-factor authentication</div>
        <Text size="sm" c="var(--tw-text-2)">
          Your device asks for your passkey next.
        </Text>
        {entry.problem !== undefined && (
          <Input.Error mt={6} role="alert">
            {entry.problem}
          </Input.Error>
        )}
      </div>
    );
  }
  return (
    <Stack gap={10}>
      <CodeEntry label="Code from your authenticator app" {...entry} />
      {passkey.isOffered && (
        <Box>
          <BusyButton
            size="sm"
            variant="default"
            leftSection={<IconFingerprint size={16} stroke={1.5} aria-hidden />}
            busy={passkey.isAsking}
            busyLabel="Confirming"
            disabled={entry.readOnly}
            onClick={onPasskey}
          >
            Use a passkey
          </BusyButton>
        </Box>
      )}
    </Stack>
  );
}
