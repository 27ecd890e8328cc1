import { useRef, useState } from 'react';
import { attachmentTypes, ticketRules } from '#contract/tickets/ticket-rules.ts';
import type { NewAttachment } from '#contract/tickets/tickets.ts';
import type { CallError } from '../../api/call.ts';
import { randomText } from '../../api/random-text.ts';
import { t } from '../../api/texts.ts';
import { sizeText } from './ticket-labels.ts';

export type Attachments = ReturnType<typeof useAttachments>;

/** The files of one message: chosen, validated, read and removed. */
export function useAttachments() {
  const [files, setFiles] = useState<readonly ChosenFile[]>([]);
  const [error, setError] = useState<string>();
  /** How many are still being read; they may finish out of order. */
  const [reading, setReading] = useState(0);
  // Files chosen in quick succession count together, before they are rendered.
  const taken = useRef(0);

  const add = async (chosen: readonly File[]) => {
    const errors: string[] = [];
    const fitting: File[] = [];
    for (const file of chosen) {
      const found = fileError(file);
      if (found !== undefined) errors.push(found);
      else if (taken.current >= ticketRules.attachments)
        errors.push(t`${file.name} was not attached. A message can have up to ${ticketRules.attachments} files.`);
      else {
        taken.current += 1;
        fitting.push(file);
      }
    }
    setReading((now) => now + fitting.length);
    for (const file of fitting) {
      try {
        const read = await readFile(file);
        setFiles((now) => [...now, read]);
      } catch {
        taken.current -= 1;
        errors.push(t`${file.name} could not be read.`);
      }
      setReading((now) => now - 1);
    }
    setError(errors.length > 0 ? errors.join(' ') : undefined);
  };
  const remove = (key: string) => {
    taken.current -= 1;
    setFiles((now) => now.filter((file) => file.key !== key));
    setError(undefined);
  };
  const clear = () => {
    taken.current = 0;
    setFiles([]);
    setError(undefined);
  };
  const bodies = (): { attachments?: NewAttachment[] } =>
    files.length > 0 ? { attachments: files.map(({ name, type, content }) => ({ name, type, content })) } : {};

  /** Names the file that the server refused, if it refused one. */
  const refuse = ({ code, fields, message }: CallError) => {
    if (code !== 'attachment_refused') return;
    const refused = files.find((_, index) => `attachments.${index}` in fields);
    setError(
      refused ? t`${refused.name} cannot be sent. It is not a valid PNG, JPEG or PDF file. Remove it.` : message,
    );
  };

  return { files, error, isReading: reading > 0, add, remove, clear, bodies, refuse };
}

/** A chosen file that can be sent as it is. */
type ChosenFile = NewAttachment & { readonly key: string; readonly bytes: number };

const NAME_MAX_LENGTH = 200;

/** Why a file cannot be attached; undefined when it can. The server verifies the actual content. */
function fileError({ name, type, size }: Pick<File, 'name' | 'type' | 'size'>): string | undefined {
  if (!attachmentTypes.some((one) => one === type))
    return t`${name} was not attached. Only PNG, JPEG and PDF files are accepted.`;
  if (size === 0) return t`${name} was not attached. The file is empty.`;
  const { attachmentMaxBytes } = ticketRules;
  if (size > attachmentMaxBytes)
    return t`${name} was not attached. It is ${sizeText(size)}, and the limit is ${sizeText(attachmentMaxBytes)} per file.`;
  return undefined;
}

/** The file as sent: a copy, so that the chosen content is sent even if the file changes or is deleted meanwhile. */
async function readFile(file: File): Promise<ChosenFile> {
  return {
    key: randomText(),
    // The extension determines the type.
    name: file.name.slice(-NAME_MAX_LENGTH),
    type: file.type as NewAttachment['type'],
    bytes: file.size,
    content: await base64Of(file),
  };
}

function base64Of(file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    // `data:image/png;base64,iVBOR…`
    reader.onload = () => resolve(String(reader.result).split(',')[1] ?? '');
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(file);
  });
}
