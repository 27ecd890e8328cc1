import type { ReactNode } from 'react';
import type { CsvCell } from '../../api/csv.ts';
import { Money } from '../text/money.tsx';
import type { Column } from './data-table.tsx';

type More<Row> = Partial<Omit<Column<Row>, 'label' | 'render'>>;
type Cell<Row> = (row: Row) => ReactNode;

/** A column, keyed by its label. */
export const column = <Row,>(label: string, render: Cell<Row>, more: More<Row> = {}): Column<Row> => ({
  key: label,
  label,
  render,
  ...more,
});

/** For amounts and counts. */
export const rightColumn = <Row,>(label: string, render: Cell<Row>, more: More<Row> = {}): Column<Row> =>
  column(label, render, { align: 'right', ...more });

type MoneyMore<Row> = Omit<More<Row>, 'csv'> & Pick<Parameters<typeof Money>[0], 'decimals'>;

/** The CSV head of an amount or price: cells are plain numbers in the unit of docs/product.md, "Amounts". */
export const usdHead = (label: string): string => `${label} (USD)`;

/** An amount, on screen and in the CSV. */
export const moneyColumn = <Row,>(
  label: string,
  amountOf: (row: Row) => number | null,
  { decimals = 4, ...more }: MoneyMore<Row> = {},
): Column<Row> =>
  rightColumn(label, (row) => <Money value={amountOf(row)} decimals={decimals} />, {
    csv: amountOf,
    ...more,
    csvLabel: usdHead(more.csvLabel ?? label),
  });

/** A column of the CSV only. */
export const fileColumn = <Row,>(label: string, csv: (row: Row) => CsvCell): Column<Row> => ({
  key: `file ${label}`,
  label,
  csv,
});
