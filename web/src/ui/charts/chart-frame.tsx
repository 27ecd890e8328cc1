import { Button } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import type { LineLook } from './chart-data.ts';
import classes from './chart-frame.module.css';

type ChartFrameProps = {
  /** What the picture says, in a sentence: its text for those who do not see it. */
  summary: string;
  /** Height of the picture in px; the table scrolls inside it. */
  height: number;
  /** What the lines mean, left of the switch. */
  legend?: ReactNode;
  /** The same figures in words: heads, then rows, numbers already formatted. */
  table: { heads: readonly string[]; rows: readonly (readonly ReactNode[])[] };
  className?: string;
  children: ReactNode;
};

/** A chart with its text summary and the table behind *Show as table*. */
export function ChartFrame(props: ChartFrameProps) {
  const { summary, height, legend, table, className, children } = props;
  const [asTable, setAsTable] = useState(false);
  return (
    <div className={className}>
      {/* The picture stays mounted: a chart that was moved keeps its place when the table is closed again. */}
      <div className={classes.picture} style={{ height }} hidden={asTable}>
        <div className={classes.drawing}>{children}</div>
        <div className={classes.text} role="img" aria-label={summary} />
      </div>
      {asTable && <FigureTable {...table} label={summary} height={height} />}
      <div className={classes.foot}>
        <div className={classes.legend}>{legend}</div>
        <Button variant="subtle" size="sm" onClick={() => setAsTable(!asTable)}>
          {asTable ? 'Show as chart' : 'Show as table'}
        </Button>
      </div>
    </div>
  );
}

type FigureTableProps = ChartFrameProps['table'] & { label: string; height: number };

function FigureTable({ heads, rows, label, height }: FigureTableProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <section className={classes.scroll} style={{ height }} aria-label={label} tabIndex={0}>
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

/** A line of the legend: a piece of the line and its name. */
export const LegendLine = ({ look, children }: { look: LineLook; children: ReactNode }) => (
  <span className={classes.entry}>
    <i data-look={look} />
    {children}
  </span>
);
