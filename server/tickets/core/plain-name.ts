import type { AttachmentType } from '#contract/tickets/ticket-rules.ts';

const ending: Record<AttachmentType, string> = { 'image/png': 'png', 'image/jpeg': 'jpg', 'application/pdf': 'pdf' };
const LONGEST_STEM = 80;

/**
 * A name that is harmless in a header, on a page and on any disk: letters, digits, spaces and hyphens, and the one ending
 * that fits what the file is. Folders and endings that it came with are gone; accents are, too.
 * `plainName('../Rechnung über 5$.pdf.exe', 'application/pdf') === 'Rechnung uber 5-pdf.pdf'`
 */
export function plainName(name: string, type: AttachmentType): string {
  const file = name.split(/[/\\]/).at(-1) ?? '';
  const stem = file
    .replace(/(?<=.)\.[^.]*$/, '')
    .normalize('NFKD')
    .replace(/\p{Mark}/gu, '')
    .replace(/[^A-Za-z0-9 -]+/g, '-')
    .replace(/-{2,}/g, '-')
    .slice(0, LONGEST_STEM)
    .replace(/^[ -]+|[ -]+$/g, '');
  return `${stem === '' ? 'file' : stem}.${ending[type]}`;
}
