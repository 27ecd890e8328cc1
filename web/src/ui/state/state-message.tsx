import { Text } from '@mantine/core';
import type { ReactNode } from 'react';

type StateMessageProps = {
  /** What happened. */
  title: string;
  /** What comes next. */
  next: string;
  children?: ReactNode;
};

/** The state of a payment, announced to screen readers when it changes. */
export const StateMessage = ({ title, next, children }: StateMessageProps) => (
  <div role="status">
    <Text component="b" display="block" size="lg" fw={600}>
      {title}
    </Text>
    <Text maw="60ch" c="var(--tw-text-2)">
      {next}
    </Text>
    {children}
  </div>
);
