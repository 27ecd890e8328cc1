import { Text, type TextProps } from '@mantine/core';
import type { ComponentPropsWithoutRef, ReactNode } from 'react';
import { Link } from 'react-router';
import { formatDate, formatTime } from '../format/time.ts';
import classes from './text.module.css';

type WordsProps = TextProps & { children: ReactNode; 'aria-live'?: 'polite' };

/** A paragraph that explains: quiet, in lines of a readable length, with what matters in bold. */
export const Words = ({ children, ...text }: WordsProps) => (
  <Text className={classes.words} size="sm" c="var(--tw-text-2)" maw="64ch" {...text}>
    {children}
  </Text>
);

/** What stands back in a line, a cell or a card: in the size of what is around it. */
export const Quiet = ({ children }: { children: ReactNode }) => (
  <Text span inherit c="var(--tw-text-2)">
    {children}
  </Text>
);

/** An id, address or hash: letters that cannot be mixed up, hyphens that sit tight. */
export function CodeText({ children }: { children: string }) {
  return (
    <span translate="no" className={classes.code}>
      {children}
    </span>
  );
}

/** A link in running text or beside a title. */
export function TextLink(props: ComponentPropsWithoutRef<typeof Link>) {
  return <Link {...props} className={classes.link} />;
}

/** `4 Mar 2026, 14:05` in a column whose head says UTC: never broken, its digits below each other. */
export const When = ({ at }: { at: string }) => (
  <span style={{ whiteSpace: 'nowrap', fontVariantNumeric: 'tabular-nums' }}>
    {formatDate(at)}, {formatTime(at)}
  </span>
);

/** First and last characters of an address or hash, for a list: `TKq8…QeAu`. The whole stands where it is compared. */
export const shorten = (text: string, each = 4): string =>
  text.length <= 2 * each + 4 ? text : `${text.slice(0, each)}…${text.slice(-each)}`;
