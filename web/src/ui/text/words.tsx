import { Text, type TextProps } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './words.module.css';

type WordsProps = TextProps & { children: ReactNode; 'aria-live'?: 'polite' };

/** A paragraph that explains: quiet, in lines of a readable length, with what matters in bold. */
export const Words = ({ children, ...text }: WordsProps) => (
  <Text className={classes.words} size="sm" c="var(--tw-text-2)" maw="64ch" {...text}>
    {children}
  </Text>
);
