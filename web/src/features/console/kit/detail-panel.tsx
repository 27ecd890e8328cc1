import { ActionIcon, Box, Text } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { CodeText } from '../../../ui/text/code-text.tsx';
import classes from './list-page.module.css';

type DetailPanelProps = {
  /** What it is called by: `WD-93KX7`. */
  title: string;
  /** What kind of thing it is, for screen readers: `Withdrawal`. */
  kind: string;
  badge?: ReactNode;
  onClose: () => void;
  children: ReactNode;
  /** The buttons, and below them a sentence in a `p`. */
  foot?: ReactNode;
};

/** What was opened from a list: head and buttons stay, the rest scrolls. */
export function DetailPanel({ title, kind, badge, onClose, children, foot }: DetailPanelProps) {
  return (
    <aside className={classes.detail} aria-label={`${kind} ${title}`.trim()}>
      <div className={classes.head}>
        <h2>
          <CodeText>{title}</CodeText>
        </h2>
        {badge}
        <ActionIcon aria-label="Close" onClick={onClose}>
          <IconX size={20} stroke={1.5} aria-hidden />
        </ActionIcon>
      </div>
      {/* Whoever has no mouse must be able to scroll it. */}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls takes the focus */}
      <section className={classes.body} tabIndex={0} aria-label="Details">
        {children}
      </section>
      {foot && <div className={classes.foot}>{foot}</div>}
    </aside>
  );
}

/** What matters most, right below the head; a notice stands in the same way. */
export const DetailLead = ({ children }: { children: ReactNode }) => (
  <Box px={20} pb="md">
    {children}
  </Box>
);

export function DetailSection({ title, children }: { title: ReactNode; children: ReactNode }) {
  return (
    <section className={classes.section}>
      <Text component="h3" size="xs" fw={500} c="dimmed" mb="xs">
        {title}
      </Text>
      {children}
    </section>
  );
}
