import { Center } from '@mantine/core';

/** The initials of a person whose name is beside them. */
export const Avatar = ({ name, size }: { name: string; size: 32 | 48 }) => (
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

/** The first letters of the first and the last name: `initials('Anika Devi Rao') === 'AR'`. */
export function initials(name: string): string {
  const words = name.trim().split(/\s+/);
  const letters = words.length > 1 ? [words[0], words.at(-1)] : words;
  return letters
    .map((word) => [...(word ?? '')][0] ?? '')
    .join('')
    .toUpperCase();
}
