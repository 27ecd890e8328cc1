import { Button, CopyButton } from '@mantine/core';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import { CodeText } from '../../../ui/text/code-text.tsx';
import classes from './deposit-page.module.css';

type CopyLineProps = {
  value: string;
  label: string;
  /** In groups of four and on as many lines as it needs, where a person compares it. */
  compared?: boolean;
};

const GROUP = /.{1,4}/g;

/** A long text, with the button that copies it whole. */
export function CopyLine({ value, label, compared = false }: CopyLineProps) {
  return (
    <div>
      <div className={classes.fieldLabel}>{label}</div>
      <div className={classes.copy} data-compared={compared || undefined}>
        <span title={value}>
          <CodeText>{compared ? (value.match(GROUP) ?? []).join(' ') : value}</CodeText>
        </span>
        <CopyButton value={value} timeout={2000}>
          {({ copied, copy }) => (
            <Button
              variant="subtle"
              size="sm"
              onClick={copy}
              leftSection={copied ? <IconCheck size={14} stroke={1.5} /> : <IconCopy size={14} stroke={1.5} />}
            >
              <span aria-live="polite">{copied ? 'Copied' : 'Copy'}</span>
            </Button>
          )}
        </CopyButton>
      </div>
    </div>
  );
}
