import { IconFileText, IconPhoto } from '@tabler/icons-react';
import type { AttachmentType } from '#contract/tickets/ticket-rules.ts';

export function AttachmentIcon({ type }: { type: AttachmentType }) {
  const Icon = type === 'application/pdf' ? IconFileText : IconPhoto;
  return <Icon size={20} stroke={1.5} aria-hidden />;
}
