import { Text, type TextProps } from '@mantine/core';
import type { ComponentPropsWithoutRef, ReactNode } from 'react';
import classes from './text.module.css';
import { Trans } from './text.tsx';

type ParagraphProps = TextProps & {
  children?: ReactNode;
  /** A string instead of children: may contain `<b>`, never anything that somebody typed. */
  text?: string;
  'aria-live'?: 'polite';
};

/** A paragraph of explanation: quiet, in lines of a readable length, with key words in bold. */
export const Paragraph = ({ children, text, ...props }: ParagraphProps) => (
  <Text className={classes.words} size="sm" c="var(--tw-text-2)" maw="64ch" {...props}>
    {text === undefined ? children : <Trans text={text} b={(inner) => <b>{inner}</b>} />}
  </Text>
);

type NoteProps = TextProps & Omit<ComponentPropsWithoutRef<'p'>, keyof TextProps>;

/** Small and dimmed, beside or below what it is about. */
export const Note = (props: NoteProps) => <Text size="xs" c="dimmed" {...props} />;
