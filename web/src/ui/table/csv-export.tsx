import { Button } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import { CallError } from '../../api/call.ts';
import { collectPages, type PageQuery } from '../../api/collect-pages.ts';
import { type CsvCell, csvText, saveCsv } from '../../api/csv.ts';
import { toast } from '../frame/toast.ts';

type CsvExportProps<Row> = {
  fileName: string;
  head: readonly string[];
  cellsOf: (row: Row) => readonly CsvCell[];
  /** Asks for one page of the whole list, whatever is filtered or paged on screen. */
  readPage: (query: PageQuery, signal: AbortSignal) => Promise<{ items: Row[]; next_cursor: string | null }>;
};

/** Collects a whole list, page after page, and saves it as a file. Leaving the page ends it. */
export function CsvExport<Row>({ fileName, head, cellsOf, readPage }: CsvExportProps<Row>) {
  const [count, setCount] = useState<number | null>(null);
  const abort = useRef<AbortController>(null);
  useEffect(() => () => abort.current?.abort(), []);

  const collect = async () => {
    const controller = new AbortController();
    abort.current = controller;
    setCount(0);
    try {
      const rows = await collectPages((query) => readPage(query, controller.signal), setCount);
      saveCsv(fileName, csvText(head, rows.map(cellsOf)));
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
      {count === null ? 'Export CSV' : `${count.toLocaleString('en-US')} rows`}
    </Button>
  );
}
