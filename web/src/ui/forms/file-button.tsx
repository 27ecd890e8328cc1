import { Button } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import { CallError } from '../../api/call.ts';
import { saveCsv } from '../../api/csv.ts';
import { t } from '../../api/texts.ts';
import { toast } from '../frame/toast.ts';
import classes from '../table/head-button.module.css';
import { BusyButton } from './busy-button.tsx';

type FileButtonProps = {
  fileName: string;
  /** Requests the whole file from the server, regardless of paging. */
  read: (signal: AbortSignal) => Promise<Blob>;
  disabled: boolean;
  /** In the head of a card: small, one word. */
  small?: boolean;
};

/** Saves the file that `write` produces; `isBusy` while it runs. Leaving the page cancels it. */
export function useFile(write: (signal: AbortSignal) => Promise<void>) {
  const [isBusy, setBusy] = useState(false);
  const abort = useRef<AbortController>(null);
  useEffect(() => () => abort.current?.abort(), []);

  const save = async () => {
    const controller = new AbortController();
    abort.current = controller;
    setBusy(true);
    try {
      await write(controller.signal);
    } catch (error) {
      // A page that was left needs no file. The call itself reports a refusal, but not a missing response.
      if (!(error instanceof CallError) && !controller.signal.aborted) throw error;
      if (error instanceof CallError && error.status === 0) toast.error(error.message);
    } finally {
      if (!controller.signal.aborted) setBusy(false);
    }
  };
  return { isBusy, save: () => void save() };
}

/** A whole list as a CSV file written by the server. */
export function FileButton({ fileName, read, disabled, small = false }: FileButtonProps) {
  const { isBusy, save } = useFile(async (signal) => saveCsv(fileName, await read(signal)));

  if (small) {
    return (
      <Button
        className={classes.small}
        size="sm"
        variant="default"
        disabled={disabled}
        aria-label={t`Export CSV`}
        aria-busy={isBusy || undefined}
        // Disabling it while busy would lose the focus.
        aria-disabled={isBusy || undefined}
        leftSection={<IconDownload size={14} stroke={1.5} aria-hidden />}
        onClick={() => !isBusy && save()}
      >
        {t`CSV`}
      </Button>
    );
  }
  return (
    <BusyButton
      variant="default"
      disabled={disabled}
      leftSection={<IconDownload size={16} stroke={1.5} aria-hidden />}
      busy={isBusy}
      busyLabel={t`Writing`}
      onClick={save}
    >
      {t`Export CSV`}
    </BusyButton>
  );
}
