import { Box, type BoxProps, Flex, Group, Text, Title } from '@mantine/core';
import { t } from '../../api/texts.ts';
import { ModeNote } from '../../ui/frame/mode-label.tsx';
import { Panel } from '../../ui/layout/panel.tsx';
import { Figure } from '../../ui/text/figure.tsx';
import { Money, Percent } from '../../ui/text/money.tsx';
import { type BarPart, coverBars, coverWords, type Solvency } from './cover.ts';
import { accountWords } from './labels.ts';

const barWords: Readonly<Record<string, string>> = { aside: t`Reserved for members`, surplus: t`Surplus` };
const nameOf = (part: BarPart) => barWords[part.name] ?? accountWords[part.name]?.name ?? part.name;

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

/** How far assets cover liabilities: one sentence, three figures and two bars of one scale. */
export function CoverPanel({ solvency }: { solvency: Solvency }) {
  const { assets, liabilities, surplus, simulated } = solvency;
  const { held, owed } = coverBars(solvency);
  return (
    <Panel>
      <Group justify="space-between" gap="12px 16px" wrap="wrap-reverse">
        <Title order={2} fz={24} lh="32px" lts="-0.012em" style={{ fontVariantNumeric: 'tabular-nums' }}>
          {coverWords(solvency)}
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
      <Text mt={20} c="dimmed" fz="xs" lh="16px">
        {t`Liabilities are member balances, payments not yet credited, fees not yet distributed and income pools. Open trades count at cost until they settle.`}
      </Text>
    </Panel>
  );
}

function Bar({ label, parts }: { label: string; parts: readonly BarPart[] }) {
  return (
    <Flex direction={{ base: 'column', sm: 'row' }} gap={{ base: 4, sm: 20 }} mt={12}>
      <Text w={{ sm: 148 }} flex="none" c="var(--tw-text-2)" fz="sm" lh="28px">
        {label}
      </Text>
      <Box flex={1} miw={0}>
        <Flex h={28} gap={2} bdrs={3} bg="var(--tw-surface-2)" aria-hidden="true">
          {parts.map((part) => (
            <Box key={part.name} component="i" w={`${part.percent}%`} miw={3} bdrs={3} {...fills[part.name]} />
          ))}
        </Flex>
        <Group component="ul" gap="4px 20px" mt={8} c="var(--tw-text-2)" fz="xs" lh="16px" aria-label={label}>
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
