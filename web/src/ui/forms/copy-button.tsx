import { ActionIcon, Button, type ButtonProps, CopyButton } from '@mantine/core';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import { t } from '../../api/texts.ts';

const SHOWN_MS = 2000;

// Over plain HTTP browsers offer no clipboard, but a page may still decide what a copy command takes.
if (!('clipboard' in navigator)) Object.defineProperty(navigator, 'clipboard', { value: { writeText } });

async function writeText(text: string): Promise<void> {
  const place = (event: ClipboardEvent) => {
    event.clipboardData?.setData('text/plain', text);
    event.preventDefault();
  };
  document.addEventListener('copy', place);
  const isDone = document.execCommand('copy');
  document.removeEventListener('copy', place);
  if (!isDone) throw new Error('the browser copies nothing');
}

function Icon({ copied, size }: { copied: boolean; size: number }) {
  const Shown = copied ? IconCheck : IconCopy;
  return <Shown size={size} stroke={1.5} aria-hidden />;
}

/** A small button that copies; its accessible name reports the result. */
export function CopyIcon({ value, what }: { value: string; what: string }) {
  return (
    <CopyButton value={value} timeout={SHOWN_MS}>
      {({ copied, copy }) => (
        <ActionIcon size="sm" onClick={copy} aria-label={copied ? t`${what} copied` : t`Copy ${what}`}>
          <Icon copied={copied} size={16} />
        </ActionIcon>
      )}
    </CopyButton>
  );
}

type CopyTextProps = Pick<ButtonProps, 'variant' | 'size'> & {
  value: string;
  label?: string;
  /** Shown instead of the label for a moment. */
  done?: string;
  'data-autofocus'?: boolean;
};

/** A labelled button that copies. */
export function CopyText({ value, label = t`Copy`, done = t`Copied`, ...button }: CopyTextProps) {
  return (
    <CopyButton value={value} timeout={SHOWN_MS}>
      {({ copied, copy }) => (
        <Button
          variant="default"
          {...button}
          onClick={copy}
          leftSection={<Icon copied={copied} size={button.size === 'sm' ? 14 : 16} />}
        >
          <span aria-live="polite">{copied ? done : label}</span>
        </Button>
      )}
    </CopyButton>
  );
}
