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
  /** Of the member's own ticket or, for operators, of any. */
  download: (id: string) => Promise<Blob>;
};

/**
 * An attachment of a message. It is saved and never opened here: untrusted content is not shown in a signed-in page.
 * The call carries the token in its header, so that the address of a file is useless to others.
 */
export function AttachmentLink({ attachment, download }: AttachmentLinkProps) {
  const { id, name, type, bytes } = attachment;
  const save = useMutation({
    mutationFn: () => download(id),
    onSuccess: (file) => saveFile(name, file),
    // The call does not report a read without a response; here it was a button press.
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
