import { Box, Center, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';

type ListStateProps = {
  icon: ReactNode;
  title: ReactNode;
  children?: ReactNode;
  /** One button. */
  action?: ReactNode;
  error?: boolean;
  /** The title is the heading of a page that holds nothing else. */
  isPage?: boolean;
};

/** What stands in a list's place when it has no rows to show. */
export function ListState({ icon, title, children, action, error = false, isPage = false }: ListStateProps) {
  return (
    <Stack
      flex={1}
      align="center"
      justify="center"
      gap={4}
      px={32}
      py={48}
      ta="center"
      role={error ? 'alert' : undefined}
    >
      <Center
        component="span"
        w={44}
        h={44}
        mb={12}
        bd="1px solid var(--tw-line-strong)"
        bdrs="lg"
        c={error ? 'var(--tw-loss)' : 'var(--tw-text-2)'}
        aria-hidden
      >
        {icon}
      </Center>
      <Text component={isPage ? 'h1' : 'b'} fz="md" fw={600} lh="20px">
        {title}
      </Text>
      {children && (
        <Text component="p" maw={320} fz="sm" lh="20px" c="var(--tw-text-2)">
          {children}
        </Text>
      )}
      {action && <Box mt={16}>{action}</Box>}
    </Stack>
  );
}
