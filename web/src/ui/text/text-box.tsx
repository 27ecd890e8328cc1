import { Group, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { CodeText } from './text.tsx';
import classes from './text-box.module.css';

type TextBoxProps = {
  label?: ReactNode;
  children: ReactNode;
  /** On one line, truncated, with the full text in the tooltip. */
  cut?: string;
  /** The button that copies it. */
  copy?: ReactNode;
};

/** A long text in a box, to be compared or copied. */
export function TextBox({ label, children, cut, copy }: TextBoxProps) {
  return (
    <div>
      {label !== undefined && (
        <Text size="sm" fw={500} c="var(--tw-text-2)" mb={6}>
          {label}
        </Text>
      )}
      <div className={classes.box}>
        <span className={classes.text} data-cut={cut !== undefined || undefined} title={cut}>
          {children}
        </span>
        {copy}
      </div>
    </div>
  );
}

/** `TKq8mZ4vRw` as `TKq8`, `mZ4v`, `Rw`, for comparing by eye; copying it yields no gaps. */
export const GroupedText = ({ children }: { children: string }) => (
  <Group component="span" display="inline-flex" gap="2px 8px">
    {(children.match(/.{1,4}/gu) ?? []).map((group, index) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: the groups of a text never change places
      <CodeText key={index}>{group}</CodeText>
    ))}
  </Group>
);
