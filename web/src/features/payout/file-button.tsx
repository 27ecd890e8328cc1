import { IconDownload } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import { CallError } from '../../shared/call.ts';
import { saveFile } from '../../shared/csv.ts';
import { toast } from '../../shared/toast.ts';
import { BusyButton } from '../../shared/ui/busy-button.tsx';
import { fileNameOf } from './payout-filter.ts';
import { downloadPayout, type PayoutFilter } from './queries.ts';

/** The whole statement under the filter as a file of the server. Leaving the page ends it. */
export function FileButton({ filter, disabled }: { filter: PayoutFilter; disabled: boolean }) {
  const [isBusy, setBusy] = useState(false);
  const abort = useRef<AbortController>(null);
  useEffect(() => () => abort.current?.abort(), []);

  const download = async () => {
    const controller = new AbortController();
    abort.current = controller;
    setBusy(true);
    try {
      saveFile(fileNameOf(filter), await downloadPayout(filter, controller.signal));
    } catch (error) {
      // A page that was left wants no file any more; a refusal was told by the call itself, silence was not.
      if (!(error instanceof CallError) && !controller.signal.aborted) throw error;
      if (error instanceof CallError && error.status === 0) toast.error(error.message);
    } finally {
      if (!controller.signal.aborted) setBusy(false);
    }
  };

  return (
    <BusyButton
      variant="default"
      disabled={disabled}
      leftSection={<IconDownload size={16} stroke={1.5} aria-hidden />}
      busy={isBusy}
      busyLabel="Writing"
      onClick={() => void download()}
    >
      Export CSV
    </BusyButton>
  );
}
