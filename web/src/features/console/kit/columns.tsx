import { Group, Stack, VisuallyHidden } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { formatDate, formatTime } from '../../../ui/format/time.ts';
import { rightColumn as alignedRight } from '../../../ui/table/columns.tsx';
import type { Column } from '../../../ui/table/data-table.tsx';
import { CodeText } from '../../../ui/text/text.tsx';
import { formatAge } from './age.ts';

export { column, fileColumn, usdHead } from '../../../ui/table/columns.tsx';

type More<Row> = Partial<Omit<Column<Row>, 'label' | 'render'>>;

/** For amounts and counts, at their usual width. */
export const rightColumn = <Row,>(label: string, render: (row: Row) => ReactNode, more: More<Row> = {}): Column<Row> =>
  alignedRight(label, render, { width: '130px', ...more });

/** For buttons or warnings: its label is for screen readers only. */
export const unlabelledColumn = <Row,>(
  label: string,
  render: (row: Row) => ReactNode,
  width: string,
  more: More<Row> = {},
): Column<Row> => ({
  ...rightColumn(label, render, { width, ...more }),
  label: <VisuallyHidden>{label}</VisuallyHidden>,
});

/** The two lines of a cell; the second one is dimmed. */
export const lines = (first: ReactNode, second: ReactNode) => (
  <>
    {first}
    {second && <small>{second}</small>}
  </>
);

/** A time in UTC, its day above. */
export const timeLines = (at: string) => lines(formatDate(at), formatTime(at));

const DAY_MS = 86_400_000;

/** For how long something has waited, and since when: a time, or the day once that is a day ago. */
export const waitLines = (since: string, now: number) => {
  const ms = now - Date.parse(since);
  return lines(formatAge(ms), ms < DAY_MS ? `${formatTime(since)} UTC` : formatDate(since));
};

/** Name and Registered Id of a member. */
export const MemberCell = ({ member }: { member: { name: string; referral_code: string } }) =>
  lines(member.name, <CodeText>{member.referral_code}</CodeText>);

/** Warnings about a row, one below the other. */
export const Flags = ({ flags }: { flags: readonly string[] }) => (
  <Stack gap={0} align="flex-end">
    {flags.map((flag) => (
      <Flag key={flag}>{flag}</Flag>
    ))}
  </Stack>
);

export const Flag = ({ children }: { children: ReactNode }) => (
  <Group component="span" display="inline-flex" gap={4} wrap="nowrap" fz="xs" c="var(--tw-amber)">
    <IconAlertTriangle size={14} stroke={1.5} aria-hidden />
    {children}
  </Group>
);
