import { Button, Checkbox, CopyButton } from '@mantine/core';
import { IconCheck, IconCopy, IconDownload } from '@tabler/icons-react';
import { useState } from 'react';
import { appInfo } from '../../api/app-info.ts';
import { saveFile } from '../../api/csv.ts';
import form from '../../ui/forms/dialog-form.module.css';
import { CodeText } from '../../ui/text/code-text.tsx';
import classes from './dialog.module.css';

type RecoveryCodesProps = { codes: readonly string[]; onDone: () => void };

/** The ten codes, this once: the way on opens when the member says they are kept. */
export function RecoveryCodes({ codes, onDone }: RecoveryCodesProps) {
  const [isKept, setKept] = useState(false);
  const text = `${codes.join('\n')}\n`;
  const download = () =>
    saveFile(
      `${appInfo.brandName.toLowerCase()}-recovery-codes.txt`,
      new Blob([`${appInfo.brandName} recovery codes. Each works once.\n\n${text}`], {
        type: 'text/plain;charset=utf-8',
      }),
    );
  return (
    <div className={form.form}>
      <p className={form.words}>
        Without your phone these codes sign you in, each once. <b>They are shown only now.</b> Keep them where nobody
        else finds them, and not on the same phone.
      </p>
      <ul className={classes.codes} aria-label="Recovery codes">
        {codes.map((code) => (
          <li key={code}>
            <CodeText>{code}</CodeText>
          </li>
        ))}
      </ul>
      <div className={classes.buttons}>
        <CopyButton value={text} timeout={2000}>
          {({ copied, copy }) => (
            <Button
              variant="default"
              onClick={copy}
              data-autofocus
              leftSection={copied ? <IconCheck size={16} stroke={1.5} /> : <IconCopy size={16} stroke={1.5} />}
            >
              <span aria-live="polite">{copied ? 'Codes copied' : 'Copy'}</span>
            </Button>
          )}
        </CopyButton>
        <Button variant="default" onClick={download} leftSection={<IconDownload size={16} stroke={1.5} />}>
          Download
        </Button>
      </div>
      <Checkbox label="I kept them" checked={isKept} onChange={(event) => setKept(event.currentTarget.checked)} />
      <div className={form.actions}>
        <Button disabled={!isKept} onClick={onDone}>
          Done
        </Button>
      </div>
    </div>
  );
}
