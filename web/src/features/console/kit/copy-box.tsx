import { ActionIcon, CopyButton } from '@mantine/core';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import { CodeText } from '../../../ui/text/code-text.tsx';
import classes from './copy-box.module.css';

type CopyBoxProps = {
  value: string;
  /** What is copied: `address`, `key`. */
  what: string;
};

/** A long text in groups of four for whoever compares it; what is copied from it has no gaps. */
export function CopyBox({ value, what }: CopyBoxProps) {
  return (
    <div className={classes.box}>
      <span className={classes.text}>
        <CodeText>{inGroups(value)}</CodeText>
      </span>
      <CopyButton value={value} timeout={2000}>
        {({ copied, copy }) => (
          <ActionIcon size="sm" onClick={copy} aria-label={copied ? `${what} copied` : `Copy the ${what}`}>
            {copied ? <IconCheck size={16} stroke={1.5} /> : <IconCopy size={16} stroke={1.5} />}
          </ActionIcon>
        )}
      </CopyButton>
    </div>
  );
}

/** `inGroups('JBSWY3DPEHPK') === 'JBSW Y3DP EHPK'` */
const inGroups = (text: string): string => text.replace(/.{4}(?=.)/g, '$& ');
