import { Box, type BoxProps, Button, Flex, Group, Skeleton, Stack, Text, Title } from '@mantine/core';
import { IconDownload, IconHourglass } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { PublishedHeads, SealChain } from '#contract/solvency/heads.ts';
import { saveFile } from '../../api/csv.ts';
import { t } from '../../api/texts.ts';
import { formatDateTime, formatTimeOn } from '../../ui/format/time.ts';
import { CopyIcon } from '../../ui/forms/copy-button.tsx';
import { ModeNote } from '../../ui/frame/mode-label.tsx';
import { Column, Columns } from '../../ui/layout/columns.tsx';
import { PageHead } from '../../ui/layout/page-head.tsx';
import { Panel } from '../../ui/layout/panel.tsx';
import { FaultPanel, useLate } from '../../ui/table/data-table-states.tsx';
import { KeyValues } from '../../ui/table/key-values.tsx';
import { ListState } from '../../ui/table/list-state.tsx';
import { Figure } from '../../ui/text/figure.tsx';
import { Money, Percent } from '../../ui/text/money.tsx';
import { Note } from '../../ui/text/paragraph.tsx';
import { shorten } from '../../ui/text/text.tsx';
import { GroupedText, TextBox } from '../../ui/text/text-box.tsx';
import { AccountsPanel } from './accounts-panel.tsx';
import { CheckedPanel, MembersPanel, ReportedPanel } from './check-panels.tsx';
import { type BarPart, coverBars, coverText, type Solvency } from './cover.ts';
import { KeptProofsPanel, saveProof } from './kept-proofs-panel.tsx';
import { accountLabels } from './labels.ts';
import { SealPanel } from './liabilities-proof-panel.tsx';
import { ProofPanel } from './proof-panel.tsx';
import { ownLeafQuery, solvencyQuery } from './queries.ts';
import { ReservesPanel } from './reserves-panel.tsx';
import classes from './solvency.module.css';

/** Assets, liabilities and the source of every income, computed from the ledger (docs/solvency.md). */
export function SolvencyPage() {
  const query = useQuery(solvencyQuery);
  const solvency = query.data;
  const late = useLate(solvency === undefined && !query.isError);
  return (
    <>
      <PageHead
        title={t`Solvency`}
        facts={solvency ? t`As of ${formatDateTime(solvency.market_time)}, computed from the ledger` : '\u00a0'}
      >
        <SealButton />
      </PageHead>
      <FaultPanel query={query} />
      {late && (
        <Panel>
          <Stack mih={240} justify="center" aria-busy="true" role="status" aria-label={t`Loading solvency`}>
            {['52%', '34%', '100%', '95%'].map((width) => (
              <Skeleton key={width} h={20} w={width} animate={false} />
            ))}
          </Stack>
        </Panel>
      )}
      {solvency && (
        <>
          <CoverPanel solvency={solvency} />
          <Columns>
            <Column>
              <AccountsPanel solvency={solvency} />
              <SealsPanel heads={solvency.heads} />
            </Column>
            <Column pairs>
              <SealPanel simulated={solvency.simulated} />
              <KeptProofsPanel />
              {!solvency.simulated && <ReportedPanel solvency={solvency} />}
              <MembersPanel solvency={solvency} />
              <CheckedPanel checked={solvency.checked} />
            </Column>
          </Columns>
          <ReservesPanel />
          <ProofPanel solvency={solvency} query={query} />
        </>
      )}
    </>
  );
}

/** The newest proof, for a check independent of any website. */
function SealButton() {
  const { data } = useQuery(ownLeafQuery);
  return (
    <Button
      variant="default"
      leftSection={<IconDownload size={16} stroke={1.5} aria-hidden />}
      disabled={!data}
      onClick={() => data && saveProof(data)}
    >
      {t`Download proof`}
    </Button>
  );
}

const chainLabels: Readonly<Record<SealChain, string>> = {
  ledger: t`Ledger`,
  audit: t`Audit log`,
  liabilities: t`Proof of liabilities`,
};

/** The newest seals as published, for people who archive them elsewhere (docs/ledger.md, "Signatures"). */
export function SealsPanel({ heads }: { heads: PublishedHeads | null }) {
  if (heads === null)
    return (
      <Panel title={t`Published seals`}>
        <ListState icon={IconHourglass} title={t`Nothing published yet`}>
          {t`The newest seals are published every hour.`}
        </ListState>
      </Panel>
    );
  // Proofs are made once a day, and the audit log is sealed when something happened.
  const clock = (at: string) => formatTimeOn(heads.published_at.slice(0, 10), at);
  return (
    <Panel title={t`Published seals`}>
      <div className={classes.sides}>
        <KeyValues
          rule
          items={heads.heads.map(({ chain, no, hash, sealed_at: at }) => [
            chainLabels[chain],
            <div key={chain} className={classes.seal}>
              <span>{t`No. ${no}, ${clock(at)} UTC`}</span>
              <Group gap={4} wrap="nowrap" justify="flex-end">
                <code title={hash} translate="no">
                  {shorten(hash, 8)}
                </code>
                <CopyIcon value={hash} what={t`hash of ${chainLabels[chain]}`} />
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
      <Note mt={12}>
        {t`Published ${formatDateTime(heads.published_at)}, and again every hour. Whoever keeps this file can show later if these seals, or anything they cover, were changed or removed. It says nothing about what comes after them.`}
      </Note>
    </Panel>
  );
}

function save(heads: PublishedHeads): void {
  const file = new Blob([`${JSON.stringify(heads)}\n`], { type: 'application/json' });
  saveFile(`seals-${heads.published_at.slice(0, 13)}.json`, file);
}

const barLabels: Readonly<Record<string, string>> = { aside: t`Reserved for members`, surplus: t`Surplus` };
const nameOf = (part: BarPart) => barLabels[part.name] ?? accountLabels[part.name]?.name ?? part.name;

const fills: Readonly<Record<string, Pick<BoxProps, 'bg' | 'bd' | 'opacity'>>> = {
  gateway: { bg: 'var(--tw-s1)' },
  venue: { bg: 'var(--tw-s2)' },
  primary: { bg: 'var(--tw-s3)' },
  profit: { bg: 'var(--tw-s3)', opacity: 0.82 },
  trade_escrow: { bg: 'var(--tw-s3)', opacity: 0.66 },
  investment: { bg: 'var(--tw-s3)', opacity: 0.52 },
  withdrawal_hold: { bg: 'var(--tw-s3)', opacity: 0.4 },
  aside: { bg: 'var(--tw-s4)' },
  surplus: {
    bg: 'repeating-linear-gradient(135deg, var(--tw-accent-line) 0 2px, transparent 2px 6px)',
    bd: '1px solid var(--tw-accent-line)',
  },
};

/** The coverage of liabilities: one sentence, three figures and two bars of one scale. */
function CoverPanel({ solvency }: { solvency: Solvency }) {
  const { assets, liabilities, surplus, simulated } = solvency;
  const { held, owed } = coverBars(solvency);
  return (
    <Panel>
      <Group justify="space-between" gap="12px 16px" wrap="wrap-reverse">
        <Title order={2} fz={24} lh="2rem" lts="-0.012em" style={{ fontVariantNumeric: 'tabular-nums' }}>
          {coverText(solvency)}
        </Title>
        {simulated && <ModeNote>{t`Simulated`}</ModeNote>}
      </Group>
      <Group gap="12px 48px" my={{ base: 16, sm: 24 }}>
        <Figure label={t`Assets`}>
          <Money value={assets.booked} />
        </Figure>
        <Figure label={t`Liabilities`}>
          <Money value={liabilities} />
        </Figure>
        <Figure label={t`Surplus`}>
          <Money value={surplus} />
        </Figure>
      </Group>
      <Bar label={t`Assets`} parts={held} />
      <Bar label={t`Liabilities and surplus`} parts={owed} />
      <Note mt={20}>
        {t`Liabilities are member balances, payments not yet credited, fees not yet distributed and income pools. Open trades count at cost until they settle.`}
      </Note>
    </Panel>
  );
}

function Bar({ label, parts }: { label: string; parts: readonly BarPart[] }) {
  return (
    <Flex direction={{ base: 'column', sm: 'row' }} gap={{ base: 4, sm: 20 }} mt={12}>
      <Text w={{ sm: 148 }} flex="none" c="var(--tw-text-2)" fz="sm" lh="1.75rem">
        {label}
      </Text>
      <Box flex={1} miw={0}>
        <Flex h={28} gap={2} bdrs={3} bg="var(--tw-surface-2)" aria-hidden="true">
          {parts.map((part) => (
            <Box key={part.name} component="i" w={`${part.percent}%`} miw={3} bdrs={3} {...fills[part.name]} />
          ))}
        </Flex>
        <Group component="ul" gap="4px 20px" mt={8} c="var(--tw-text-2)" fz="xs" lh="1rem" aria-label={label}>
          {parts.length === 0 && <li>{t`Nothing yet`}</li>}
          {parts.map((part) => (
            <Group key={part.name} component="li" gap={6}>
              <Box component="i" w={8} h={8} bdrs={2} {...fills[part.name]} />
              {nameOf(part)}{' '}
              <Text span inherit c="var(--tw-text-3)">
                <Percent value={part.percent} />
              </Text>
            </Group>
          ))}
        </Group>
      </Box>
    </Flex>
  );
}
