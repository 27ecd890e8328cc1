import { attachmentTypes, ticketRules } from '#contract/tickets/ticket-rules.ts';
import type { NewAttachment } from '#contract/tickets/tickets.ts';
import { t } from '../../api/texts.ts';
import { sizeText } from './ticket-labels.ts';

/** A file that was chosen and can be sent as it is. */
export type ChosenFile = NewAttachment & { readonly key: string; readonly bytes: number };

const NAME_MAX_LENGTH = 200;

/** Why a file cannot be attached, in words; undefined when it can. What it really is, the server looks at. */
export function faultOfFile({ name, type, size }: Pick<File, 'name' | 'type' | 'size'>): string | undefined {
  if (!attachmentTypes.some((one) => one === type))
    return t`${name} was not attached. Only PNG, JPEG and PDF files are accepted.`;
  if (size === 0) return t`${name} was not attached. The file is empty.`;
  const { attachmentMaxBytes } = ticketRules;
  if (size > attachmentMaxBytes)
    return t`${name} was not attached. It is ${sizeText(size)}, and the limit is ${sizeText(attachmentMaxBytes)} per file.`;
  return undefined;
}

/** The file as it is sent: a copy, so that what was chosen goes out even if the file changes or goes away meanwhile. */
export async function readFile(file: File): Promise<ChosenFile> {
  return {
    key: crypto.randomUUID(),
    // The end says what kind of file it is.
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
