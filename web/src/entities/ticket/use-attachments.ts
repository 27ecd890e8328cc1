import { useRef, useState } from 'react';
import { ticketRules } from '#contract/tickets/ticket-rules.ts';
import type { NewAttachment } from '#contract/tickets/tickets.ts';
import { t } from '../../api/texts.ts';
import { type ChosenFile, faultOfFile, readFile } from './read-file.ts';

export type Attachments = ReturnType<typeof useAttachments>;

/** The files of one message: chosen, looked at, read, and taken out again. */
export function useAttachments() {
  const [files, setFiles] = useState<readonly ChosenFile[]>([]);
  const [fault, setFault] = useState<string>();
  const [isReading, setReading] = useState(false);
  // Those chosen one right after the other count together, before they are drawn.
  const taken = useRef(0);

  const add = async (chosen: readonly File[]) => {
    const faults: string[] = [];
    const fitting: File[] = [];
    for (const file of chosen) {
      const found = faultOfFile(file);
      if (found !== undefined) faults.push(found);
      else if (taken.current >= ticketRules.attachments)
        faults.push(t`${file.name} was not attached. A message can have up to ${ticketRules.attachments} files.`);
      else {
        taken.current += 1;
        fitting.push(file);
      }
    }
    setReading(fitting.length > 0);
    for (const file of fitting) {
      try {
        const read = await readFile(file);
        setFiles((now) => [...now, read]);
      } catch {
        taken.current -= 1;
        faults.push(t`${file.name} could not be read.`);
      }
    }
    setReading(false);
    setFault(faults.length > 0 ? faults.join(' ') : undefined);
  };
  const remove = (key: string) => {
    taken.current -= 1;
    setFiles((now) => now.filter((file) => file.key !== key));
    setFault(undefined);
  };
  const clear = () => {
    taken.current = 0;
    setFiles([]);
    setFault(undefined);
  };
  const bodies = (): { attachments?: NewAttachment[] } =>
    files.length > 0 ? { attachments: files.map(({ name, type, content }) => ({ name, type, content })) } : {};

  return { files, fault, isReading, add, remove, clear, bodies, setFault };
}
