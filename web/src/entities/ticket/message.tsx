import { Group, Stack, Text } from '@mantine/core';
import { IconCheck, IconChecks, IconLock } from '@tabler/icons-react';
import type { ReactNode, Ref } from 'react';
import type { TicketMessage } from '#contract/tickets/tickets.ts';
import { t } from '../../api/texts.ts';
import { formatTime } from '../../ui/format/time.ts';
import { AttachmentLink } from './attachment-link.tsx';
import classes from './message.module.css';

/** Messages by day, oldest first. New ones are announced to screen readers. */
export const MessageLog = ({ children }: { children: ReactNode }) => (
  <Stack role="log" aria-label={t`Messages`}>
    {children}
  </Stack>
);

type MessageRuleProps = { children: ReactNode; isNew?: boolean; ref?: Ref<HTMLParagraphElement> };

/** A day, or the start of the new messages. */
export const MessageRule = ({ children, isNew = false, ref }: MessageRuleProps) => (
  <p className={classes.rule} data-new={isNew || undefined} ref={ref}>
    {children}
  </p>
);

type MessageProps = {
  message: Pick<TicketMessage, 'message' | 'created_at' | 'attachments'>;
  /** The author's name, as the reader sees it. */
  by: string;
  /** Written by the reader's side. */
  isOwn: boolean;
  /** An internal note between operators. */
  isPrivate?: boolean;
  download: (id: string) => Promise<Blob>;
  /** Of the last message: whether the other side has read it, and the text for that. */
  seen?: { isSeen: boolean; words: string } | undefined;
};

/** Author, time and text of a message. The text is plain: nothing in it becomes a link or markup. */
export function Message({ message, by, isOwn, isPrivate = false, download, seen }: MessageProps) {
  const { created_at, attachments } = message;
  const SeenIcon = seen?.isSeen ? IconChecks : IconCheck;
  const name = (
    <Text component="b" fz="xs" fw={600} c="var(--tw-text-2)">
      {by}
    </Text>
  );
  const at = <time dateTime={created_at}>{formatTime(created_at)}</time>;
  return (
    <article className={classes.message} data-own={isOwn || undefined} data-private={isPrivate || undefined}>
      <Group component="p" gap="xs" mx={2} mb={4} fz="xs" c="dimmed" justify={isOwn ? 'flex-end' : 'flex-start'}>
        {isPrivate && <IconLock size={14} stroke={1.5} color="var(--tw-amber)" aria-hidden />}
        {isOwn ? at : name}
        {isOwn ? name : at}
      </Group>
      <div className={classes.bubble}>
        <p translate="no">{message.message}</p>
        {attachments.length > 0 && (
          <Stack component="ul" gap={6} mt={8} aria-label={t`Attachments`}>
            {attachments.map((attachment) => (
              <li key={attachment.id}>
                <AttachmentLink attachment={attachment} download={download} />
              </li>
            ))}
          </Stack>
        )}
      </div>
      {seen && (
        <Group component="p" gap={4} mt={4} mx={2} fz="xs" c="dimmed" justify="flex-end">
          <SeenIcon size={14} stroke={1.5} aria-hidden />
          {seen.words}
        </Group>
      )}
    </article>
  );
}
