import { Text } from '@mantine/core';
import type { ReactNode } from 'react';

/** A second line that stands back below the first. */
export const Quiet = ({ children }: { children: ReactNode }) => (
  <Text component="small" display="block" size="xs" c="dimmed">
    {children}
  </Text>
);
