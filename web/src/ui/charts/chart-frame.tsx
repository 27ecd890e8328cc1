import { Box, Button, Flex, Group } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { t } from '../../api/texts.ts';
import type { LineStyle } from './chart-data.ts';
import classes from './chart-frame.module.css';

type ChartFrameProps = {
  /** What the chart shows, in a sentence: its text alternative. */
  summary: string;
  /** Least height of the chart in px, more where the frame is stretched; the table scrolls inside it. */
  height: number;
  /** The legend, left of the switch. */
  legend?: ReactNode;
  /** The same figures as a table: heads, then rows with formatted numbers. */
  table: { heads: readonly string[]; rows: readonly (readonly ReactNode[])[] };
  className?: string;
  children: ReactNode;
};

/** A chart with its text summary and the table behind *Show as table*. */
export function ChartFrame(props: ChartFrameProps) {
  const { summary, height, legend, table, className, children } = props;
  const [asTable, setAsTable] = useState(false);
  return (
    <Flex direction="column" className={className ?? ''}>
      {/* The chart stays mounted, so that its position survives opening and closing the table. */}
      <Box pos="relative" h={height} flex="1 0 auto" display={asTable ? 'none' : undefined}>
        {children}
        <Box pos="absolute" inset={0} style={{ pointerEvents: 'none' }} role="img" aria-label={summary} />
      </Box>
      {asTable && <FigureTable {...table} label={summary} height={height} />}
      <Group className={classes.foot} justify="space-between" gap={12} mt={8} wrap="nowrap">
        <Group gap="4px 16px" fz="xs" lh="1rem" c="var(--tw-text-2)">
          {legend}
        </Group>
        <Button variant="subtle" size="sm" flex="none" mr={-10} onClick={() => setAsTable(!asTable)}>
          {asTable ? t`Show as chart` : t`Show as table`}
        </Button>
      </Group>
    </Flex>
  );
}

type FigureTableProps = ChartFrameProps['table'] & { label: string; height: number };

function FigureTable({ heads, rows, label, height }: FigureTableProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <section className={classes.scroll} style={{ height, flex: '1 0 auto' }} aria-label={label} tabIndex={0}>
      <table>
        <thead>
          <tr>
            {heads.map((head) => (
              <th key={head} scope="col">
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: rows of a finished picture have no other name
            <tr key={index}>
              {row.map((cell, column) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: the same
                <td key={column}>{cell}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

const strokes: Record<LineStyle, readonly [px: number, style: string, colour: string]> = {
  accent: [2, 'solid', 'accent'],
  second: [2, 'solid', 's2'],
  dashed: [1.5, 'dashed', 'text-3'],
  dotted: [1.5, 'dotted', 'text-2'],
  plain: [1.5, 'solid', 'text-2'],
};

/** A legend entry: a sample of the line and its name. */
export function LegendLine({ style, children }: { style: LineStyle; children: ReactNode }) {
  const [px, border, colour] = strokes[style];
  return (
    <Group component="span" gap={6} wrap="nowrap">
      <Box component="i" w={14} style={{ borderTop: `${px}px ${border} var(--tw-${colour})` }} />
      {children}
    </Group>
  );
}
