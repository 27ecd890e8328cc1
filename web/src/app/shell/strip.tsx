import { Box } from '@mantine/core';
import type { ComponentProps } from 'react';

/** A line over every page, for a banner. */
export const Strip = (props: ComponentProps<'section'> & { 'aria-label': string }) => (
  <Box
    component="section"
    px={{ base: 'md', sm: 'lg' }}
    py="sm"
    style={{ borderBottom: '1px solid var(--tw-line)' }}
    {...props}
  />
);
