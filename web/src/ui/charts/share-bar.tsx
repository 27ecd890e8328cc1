import { Box, type BoxProps } from '@mantine/core';
import type { ReactNode } from 'react';

type ShareBarProps = BoxProps & { share: number; isOff?: boolean; children?: ReactNode };

/** A bar filled by a share of 0 to 1; decorative, since the figure is beside it. */
export const ShareBar = ({ share, isOff = false, children, ...box }: ShareBarProps) => (
  <Box pos="relative" h={6} miw={40} bdrs={3} bg="var(--tw-surface-3)" aria-hidden="true" {...box}>
    <Box
      component="i"
      display="block"
      h="100%"
      w={`${share * 100}%`}
      bdrs={3}
      bg={isOff ? 'var(--tw-s4)' : 'var(--tw-accent)'}
    />
    {children}
  </Box>
);
