import { Button } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { type CsvCell, csvText, saveCsv } from '../../api/csv.ts';
import classes from './head-button.module.css';

type CsvButtonProps = {
  fileName: string;
  head: readonly string[];
  /** The rows that are listed; undefined while there are none yet. */
  rows: readonly (readonly CsvCell[])[] | undefined;
};

/** Saves what is listed as a file. */
export function CsvButton({ fileName, head, rows }: CsvButtonProps) {
  return (
    <Button
      className={classes.small}
      size="sm"
      variant="default"
      disabled={!rows?.length}
      leftSection={<IconDownload size={14} stroke={1.5} />}
      onClick={() => saveCsv(fileName, csvText(head, rows ?? []))}
      aria-label="Save the listed rows as CSV"
    >
      CSV
    </Button>
  );
}
