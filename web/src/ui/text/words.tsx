import { Text, type TextProps } from '@mantine/core';
import type { ReactNode } from 'react';
import { Trans } from './text.tsx';
import classes from './words.module.css';

type WordsProps = TextProps & {
  children?: ReactNode;
  /** In their place: one with `<b>` in it, and with nothing that somebody typed. */
  text?: string;
  'aria-live'?: 'polite';
};

/** A paragraph that explains: quiet, in lines of a readable length, with what matters in bold. */
export const Words = ({ children, text, ...props }: WordsProps) => (
  <Text className={classes.words} size="sm" c="var(--tw-text-2)" maw="64ch" {...props}>
    {text === undefined ? children : <Trans text={text} b={(inner) => <b>{inner}</b>} />}
  </Text>
);
