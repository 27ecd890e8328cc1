import { Button, CopyButton } from '@mantine/core';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import { CodeText } from '../../shared/ui/code-text.tsx';
import classes from './deposit-page.module.css';

/** A long text in one line, with the button that copies it whole. */
export function CopyLine({ value, label }: { value: string; label: string }) {
  return (
    <div>
      <div className={classes.fieldLabel}>{label}</div>
      <div className={classes.copy}>
        <span title={value}>
          <CodeText>{value}</CodeText>
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
