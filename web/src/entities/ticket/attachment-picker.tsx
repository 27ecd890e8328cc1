import { ActionIcon, Box, Button, Flex, Text } from '@mantine/core';
import { IconPaperclip, IconX } from '@tabler/icons-react';
import { type MouseEvent, useRef } from 'react';
import { ticketRules } from '#contract/tickets/ticket-rules.ts';
import { t } from '../../api/texts.ts';
import { Note } from '../../ui/text/paragraph.tsx';
import { AttachmentIcon } from './attachment-link.tsx';
import classes from './attachments.module.css';
import { acceptedTypes, attachmentLimits, sizeText, typeNames } from './ticket-labels.ts';
import type { Attachments } from './use-attachments.ts';

type AttachButtonProps = {
  attachments: Attachments;
  /** Beside a single-line field: icon only. */
  iconOnly?: boolean;
  describedBy?: string;
};

/** Opens the browser's file picker. */
export function AttachButton({ attachments, iconOnly = false, describedBy }: AttachButtonProps) {
  const input = useRef<HTMLInputElement>(null);
  const isFull = attachments.files.length >= ticketRules.attachments;
  const open = () => input.current?.click();
  return (
    <>
      <input
        ref={input}
        hidden
        type="file"
        multiple
        accept={acceptedTypes}
        tabIndex={-1}
        aria-hidden="true"
        data-testid="files"
        onChange={(event) => {
          const chosen = [...(event.currentTarget.files ?? [])];
          // Allows the same file to be chosen again after it was removed.
          event.currentTarget.value = '';
          void attachments.add(chosen);
        }}
      />
      {iconOnly ? (
        <ActionIcon
          data-attach
          size={44}
          flex="none"
          radius="lg"
          aria-label={t`Attach files`}
          aria-describedby={describedBy}
          disabled={isFull}
          onClick={open}
        >
          <IconPaperclip size={20} stroke={1.5} aria-hidden />
        </ActionIcon>
      ) : (
        <Button
          data-attach
          variant="default"
          aria-describedby={describedBy}
          disabled={isFull}
          leftSection={<IconPaperclip size={16} stroke={1.5} aria-hidden />}
          onClick={open}
        >
          {t`Attach files`}
        </Button>
      )}
    </>
  );
}

/** The chosen files with type and size, and those that were refused. */
export function ChosenFiles({ attachments, hintId }: { attachments: Attachments; hintId?: string }) {
  const { files, error, isReading } = attachments;
  // The focus goes to the next file, or to the button that attaches one.
  const remove = ({ currentTarget: button }: MouseEvent<HTMLElement>, key: string) => {
    const item = button.closest('li');
    const file = item?.nextElementSibling ?? item?.previousElementSibling;
    const next = file?.querySelector('button') ?? button.closest('form')?.querySelector<HTMLElement>('[data-attach]');
    next?.focus();
    attachments.remove(key);
  };
  return (
    <>
      {/* There before the first file, so that each one is announced. */}
      <Box role="status" aria-atomic={false} display="contents">
        {files.length > 0 && (
          <Flex component="ul" direction="column" gap={6} miw={0} aria-label={t`Files to send`}>
            {files.map((file) => (
              <li key={file.key} className={classes.file}>
                <AttachmentIcon type={file.type} />
                <span className={classes.name}>{file.name}</span>
                <Text span inherit flex="none" c="dimmed" fz="xs" style={{ fontVariantNumeric: 'tabular-nums' }}>
                  {typeNames[file.type]} · {sizeText(file.bytes)}
                </Text>
                <ActionIcon size="sm" aria-label={t`Remove ${file.name}`} onClick={(event) => remove(event, file.key)}>
                  <IconX size={16} stroke={1.5} aria-hidden />
                </ActionIcon>
              </li>
            ))}
          </Flex>
        )}
        {isReading && <Note>{t`Reading file`}</Note>}
      </Box>
      {error !== undefined && (
        <Text c="var(--tw-loss)" fz="xs" lh="1rem" style={{ overflowWrap: 'anywhere' }} role="alert">
          {error}
        </Text>
      )}
      {hintId !== undefined && <Note id={hintId}>{attachmentLimits}</Note>}
    </>
  );
}
