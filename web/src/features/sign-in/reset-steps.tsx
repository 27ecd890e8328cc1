import { Box, Paper } from '@mantine/core';
import { t } from '../../api/texts.ts';
import { StepTitle } from '../../ui/state/step-title.tsx';

const steps = [
  [t`Enter your Registered Id or Email Id`, t`Registered Id entered`],
  [t`Enter the code from the email`, t`Code entered`],
  [t`Set a new password. All devices are signed out.`, ''],
] as const;

export function ResetSteps({ current }: { current: 1 | 2 | 3 }) {
  return (
    <Paper component="ol" mt={36}>
      {steps.map(([ahead, done], index) => {
        const number = index + 1;
        const at = number < current ? 'done' : number === current ? 'current' : undefined;
        return (
          <Box
            key={ahead}
            component="li"
            px="md"
            py={14}
            fz="sm"
            c={at === 'current' ? undefined : 'var(--tw-text-2)'}
            style={index > 0 ? { borderTop: '1px solid var(--tw-line)' } : {}}
            aria-current={at === 'current' ? 'step' : undefined}
          >
            <StepTitle number={number} at={at}>
              {at === 'done' ? done : ahead}
            </StepTitle>
          </Box>
        );
      })}
    </Paper>
  );
}
