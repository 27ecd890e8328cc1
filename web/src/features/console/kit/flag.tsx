import { Group, Stack } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import type { ReactNode } from 'react';

/** Everything to look at in a row, one below the other. */
export const Flags = ({ flags }: { flags: readonly string[] }) => (
  <Stack gap={0} align="flex-end">
    {flags.map((flag) => (
      <Flag key={flag}>{flag}</Flag>
    ))}
  </Stack>
);

/** Something to look at, in a row. */
export const Flag = ({ children }: { children: ReactNode }) => (
  <Group component="span" display="inline-flex" gap={4} wrap="nowrap" fz="xs" c="var(--tw-amber)">
    <IconAlertTriangle size={14} stroke={1.5} aria-hidden />
    {children}
  </Group>
);
