import { ActionIcon, Button, type ButtonProps, CopyButton } from '@mantine/core';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import { t } from '../../api/texts.ts';

const SHOWN_MS = 2000;

/** A small button that copies; its accessible name reports the result. */
export function CopyIcon({ value, what }: { value: string; what: string }) {
  return (
    <CopyButton value={value} timeout={SHOWN_MS}>
      {({ copied, copy }) => (
        <ActionIcon size="sm" onClick={copy} aria-label={copied ? t`${what} copied` : t`Copy ${what}`}>
          {copied ? <IconCheck size={16} stroke={1.5} /> : <IconCopy size={16} stroke={1.5} />}
        </ActionIcon>
      )}
    </CopyButton>
  );
}

type CopyTextProps = Pick<ButtonProps, 'variant' | 'size'> & {
  value: string;
  label?: string;
  /** Shown instead of the label while true. */
  done?: string;
  'data-autofocus'?: boolean;
};

/** A button with a label that copies. */
export function CopyText({ value, label = t`Copy`, done = t`Copied`, ...button }: CopyTextProps) {
  const iconSize = button.size === 'sm' ? 14 : 16;
  return (
    <CopyButton value={value} timeout={SHOWN_MS}>
      {({ copied, copy }) => (
        <Button
          variant="default"
          {...button}
          onClick={copy}
          leftSection={copied ? <IconCheck size={iconSize} stroke={1.5} /> : <IconCopy size={iconSize} stroke={1.5} />}
        >
          <span aria-live="polite">{copied ? done : label}</span>
        </Button>
      )}
    </CopyButton>
  );
}
