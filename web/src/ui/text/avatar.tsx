import { Center } from '@mantine/core';
import { initials } from './initials.ts';

type AvatarProps = { name: string; size: 32 | 48 };

/** The initials of somebody whose name stands beside them. */
export const Avatar = ({ name, size }: AvatarProps) => (
  <Center
    w={size}
    h={size}
    bg="var(--tw-surface-3)"
    bd="1px solid var(--tw-line-strong)"
    bdrs="50%"
    fz={size === 32 ? 'xs' : 'md'}
    fw={600}
    flex="none"
    aria-hidden
    translate="no"
  >
    {initials(name)}
  </Center>
);
