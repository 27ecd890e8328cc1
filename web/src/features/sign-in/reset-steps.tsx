import { Box, Paper } from '@mantine/core';
import { StepTitle } from '../../ui/text/step-title.tsx';

type StepsProps = { current: 1 | 2 | 3 };

const steps = [
  ['Give your Registered Id', 'Registered Id given'],
  ['Enter the code from the mail', 'Code entered'],
  ['Choose a new password; all devices are signed out', ''],
] as const;

/** Where in the reset of a password the member is. */
export function ResetSteps({ current }: StepsProps) {
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
