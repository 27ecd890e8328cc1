import { Button } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import { CallError } from '../../api/call.ts';
import { collectPages, csvText, type PageQuery, saveCsv } from '../../api/csv.ts';
import { t } from '../../api/texts.ts';
import { formatCount } from '../format/number.ts';
import { toast } from '../frame/toast.ts';
import type { Column } from './data-table.tsx';
import classes from './head-button.module.css';

type CsvExportProps<Row> = {
  fileName: string;
  columns: readonly Column<Row>[];
  /** Asks for one page of the whole list, whatever is filtered or paged on screen. */
  readPage: (query: PageQuery, signal: AbortSignal) => Promise<{ items: Row[]; next_cursor: string | null }>;
};

/** Collects a whole list, page after page, and saves it as a file. Leaving the page ends it. */
export function CsvExport<Row>({ fileName, columns, readPage }: CsvExportProps<Row>) {
  const [count, setCount] = useState<number | null>(null);
  const abort = useRef<AbortController>(null);
  useEffect(() => () => abort.current?.abort(), []);

  const collect = async () => {
    const controller = new AbortController();
    abort.current = controller;
    setCount(0);
    try {
      const rows = await collectPages((query) => readPage(query, controller.signal), setCount);
      saveCsv(fileName, csvOf(columns, rows));
    } catch (error) {
      // A page that was left wants no file any more; a refusal was told by the call itself, silence was not.
      if (!(error instanceof CallError) && !controller.signal.aborted) throw error;
      if (error instanceof CallError && error.status === 0) toast.error(error.message);
    } finally {
      if (!controller.signal.aborted) setCount(null);
    }
  };

  return (
    <Button
      variant="default"
      disabled={count !== null}
      leftSection={<IconDownload size={16} stroke={1.5} aria-hidden />}
      onClick={() => void collect()}
    >
      {count === null ? t`Export CSV` : `${formatCount(count)} rows`}
    </Button>
  );
}

type CsvButtonProps<Row> = {
  fileName: string;
  columns: readonly Column<Row>[];
  /** What is listed; undefined while there is nothing yet. */
  rows: readonly Row[] | undefined;
};

/** Saves what is listed as a file. */
export function CsvButton<Row>({ fileName, columns, rows }: CsvButtonProps<Row>) {
  return (
    <Button
      className={classes.small ?? ''}
      size="sm"
      variant="default"
      disabled={!rows?.length}
      leftSection={<IconDownload size={14} stroke={1.5} />}
      onClick={() => saveCsv(fileName, csvOf(columns, rows ?? []))}
      aria-label={t`Export listed rows as CSV`}
    >
      {t`CSV`}
    </Button>
  );
}

/** The columns that have a cell for the file, in the list's order. */
export function csvOf<Row>(columns: readonly Column<Row>[], rows: readonly Row[]): string {
  const told = columns.flatMap(({ csv, csvLabel, label }) => (csv ? [{ csv, head: csvLabel ?? String(label) }] : []));
  return csvText(
    told.map(({ head }) => head),
    rows.map((row) => told.map(({ csv }) => csv(row))),
  );
}
