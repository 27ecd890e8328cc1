import { Text, UnstyledButton, VisuallyHidden } from '@mantine/core';
import { IconFileText, IconPhoto } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import type { AttachmentType } from '#contract/tickets/ticket-rules.ts';
import type { Attachment } from '#contract/tickets/tickets.ts';
import { CallError } from '../../api/call.ts';
import { saveFile } from '../../api/csv.ts';
import { t } from '../../api/texts.ts';
import { toast } from '../../ui/frame/toast.ts';
import classes from './attachments.module.css';
import { sizeText } from './ticket-labels.ts';

type AttachmentLinkProps = {
  attachment: Attachment;
  /** Of a member's own ticket, or of any, for operators. */
  download: (id: string) => Promise<Blob>;
};

/**
 * A file of a message. It is saved and never opened here: what strangers sent is not shown in a page that is signed in.
 * The call carries the token in its header, so that no address of a file can be passed on.
 */
export function AttachmentLink({ attachment, download }: AttachmentLinkProps) {
  const { id, name, type, bytes } = attachment;
  const save = useMutation({
    mutationFn: () => download(id),
    onSuccess: (file) => saveFile(name, file),
    // A read that got no answer is not told by the call; here it is a button that was pressed.
    onError: (error) => {
      if (error instanceof CallError && error.status === 0) toast.error(error.message);
    },
  });
  return (
    <UnstyledButton
      className={classes.saved}
      aria-busy={save.isPending || undefined}
      aria-disabled={save.isPending || undefined}
      onClick={() => !save.isPending && save.mutate()}
    >
      <AttachmentIcon type={type} />
      <VisuallyHidden>{t`Save`} </VisuallyHidden>
      <span translate="no" className={classes.name}>
        {name}
      </span>{' '}
      <Text span inherit flex="none" c="dimmed" fz="xs" style={{ fontVariantNumeric: 'tabular-nums' }}>
        {save.isPending ? t`Saving` : sizeText(bytes)}
      </Text>
    </UnstyledButton>
  );
}

export function AttachmentIcon({ type }: { type: AttachmentType }) {
  const Icon = type === 'application/pdf' ? IconFileText : IconPhoto;
  return <Icon size={20} stroke={1.5} aria-hidden />;
}
