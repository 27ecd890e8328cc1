import { Button, Menu } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useState } from 'react';
import { collectPages, csvText, type PageQuery, saveCsv } from '../../api/csv.ts';
import { plural, t } from '../../api/texts.ts';
import { useFile } from '../forms/file-button.tsx';
import type { Column } from './data-table.tsx';
import classes from './head-button.module.css';

type CsvExportProps<Row> = {
  fileName: string;
  columns: readonly Column<Row>[];
  /** Requests one page of the whole list, regardless of order and paging on screen. */
  readPage: (query: PageQuery, signal: AbortSignal) => Promise<{ items: Row[]; next_cursor: string | null }>;
};

/** Collects a whole list, page by page, and saves it as a file. Leaving the page cancels it. */
export function CsvExport<Row>({ fileName, columns, readPage }: CsvExportProps<Row>) {
  const [count, setCount] = useState(0);
  const { isBusy, save } = useFile(async (signal) => {
    setCount(0);
    const rows = await collectPages((query) => readPage(query, signal), setCount);
    saveCsv(fileName, csvOf(columns, rows));
  });

  return (
    <Button
      variant="default"
      // Disabling it while busy would lose the focus.
      aria-disabled={isBusy || undefined}
      data-disabled={isBusy || undefined}
      leftSection={<IconDownload size={16} stroke={1.5} aria-hidden />}
      onClick={() => !isBusy && save()}
    >
      {isBusy ? plural(count, { one: '# row', other: '# rows' }) : t`Export CSV`}
    </Button>
  );
}

type CsvButtonProps<Row> = {
  fileName: string;
  columns: readonly Column<Row>[];
  /** The listed rows; undefined while loading. */
  rows: readonly Row[] | undefined;
};

/** Saves the listed rows as a file. */
export function CsvButton<Row>({ fileName, columns, rows }: CsvButtonProps<Row>) {
  return (
    <Button
      className={classes.small ?? ''}
      size="sm"
      variant="default"
      disabled={!rows?.length}
      leftSection={<IconDownload size={14} stroke={1.5} aria-hidden />}
      onClick={() => saveCsv(fileName, csvOf(columns, rows ?? []))}
      aria-label={t`Export listed rows as CSV`}
    >
      {t`CSV`}
    </Button>
  );
}

/** The columns that have a CSV cell, in the list's order. */
export function csvOf<Row>(columns: readonly Column<Row>[], rows: readonly Row[]): string {
  const exported = columns.flatMap(({ csv, csvLabel, label }) =>
    csv ? [{ csv, head: csvLabel ?? String(label) }] : [],
  );
  return csvText(
    exported.map(({ head }) => head),
    rows.map((row) => exported.map(({ csv }) => csv(row))),
  );
}

/** Several tables of a page, each saved as its own file; undefined while loading. */
export const CsvMenu = ({ files }: { files: readonly { label: string; save: () => void }[] | undefined }) => (
  <Menu position="bottom-end" width="max-content" withInitialFocusPlaceholder={false}>
    <Menu.Target>
      <Button
        variant="default"
        disabled={!files}
        leftSection={<IconDownload size={16} stroke={1.5} aria-hidden />}
      >{t`Export CSV`}</Button>
    </Menu.Target>
    <Menu.Dropdown>
      {files?.map(({ label, save }) => (
        <Menu.Item key={label} onClick={save}>
          {label}
        </Menu.Item>
      ))}
    </Menu.Dropdown>
  </Menu>
);
