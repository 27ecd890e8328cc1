import { Button, Group, Text } from '@mantine/core';
import { IconDownload, IconHourglass } from '@tabler/icons-react';
import type { PublishedHeads, SealChain } from '#contract/solvency/heads.ts';
import { saveFile } from '../../api/csv.ts';
import { t } from '../../api/texts.ts';
import { formatDateTime, formatTime } from '../../ui/format/time.ts';
import { CopyIcon } from '../../ui/forms/copy-button.tsx';
import { Panel } from '../../ui/layout/panel.tsx';
import { KeyValues } from '../../ui/table/key-values.tsx';
import { ListState } from '../../ui/table/list-state.tsx';
import { shorten } from '../../ui/text/text.tsx';
import { GroupedText, TextBox } from '../../ui/text/text-box.tsx';
import classes from './seals-panel.module.css';

const chainWords: Readonly<Record<SealChain, string>> = {
  ledger: t`Ledger`,
  audit: t`Audit log`,
  liabilities: t`Proof of liabilities`,
};

/** The newest seals as they were published, for whoever keeps them elsewhere (docs/ledger.md, "Signatures"). */
export function SealsPanel({ heads }: { heads: PublishedHeads | null }) {
  if (heads === null)
    return (
      <Panel title={t`Published seals`}>
        <ListState icon={<IconHourglass size={20} stroke={1.5} />} title={t`Nothing published yet`}>
          {t`The newest seals are published every hour.`}
        </ListState>
      </Panel>
    );
  return (
    <Panel title={t`Published seals`}>
      <div className={classes.sides}>
        <KeyValues
          rule
          items={heads.heads.map(({ chain, no, hash, sealed_at: at }) => [
            chainWords[chain],
            <div key={chain} className={classes.seal}>
              <span>{t`No. ${no}, ${formatTime(at)} UTC`}</span>
              <Group gap={4} wrap="nowrap" justify="flex-end">
                <code title={hash} translate="no">
                  {shorten(hash, 8)}
                </code>
                <CopyIcon value={hash} what={t`hash of ${chainWords[chain]}`} />
              </Group>
            </div>,
          ])}
        />
        <div>
          <TextBox
            label={t`Fingerprint of the signing key`}
            copy={<CopyIcon value={heads.fingerprint} what={t`fingerprint`} />}
          >
            <GroupedText>{heads.fingerprint}</GroupedText>
          </TextBox>
          <Button
            fullWidth
            mt={12}
            variant="default"
            leftSection={<IconDownload size={16} stroke={1.5} aria-hidden />}
            onClick={() => save(heads)}
          >{t`Download seals`}</Button>
        </div>
      </div>
      <Text mt={12} c="dimmed" fz="xs" lh="16px">
        {t`Published ${formatDateTime(heads.published_at)}, and again every hour. Whoever keeps this file can show later if these seals, or anything they cover, were changed or removed. It says nothing about what comes after them.`}
      </Text>
    </Panel>
  );
}

function save(heads: PublishedHeads): void {
  const file = new Blob([`${JSON.stringify(heads)}\n`], { type: 'application/json' });
  saveFile(`seals-${heads.published_at.slice(0, 13)}.json`, file);
}
