import { Box, Flex, Group, Skeleton, Stack, Text, ThemeIcon } from '@mantine/core';
import { IconWallet } from '@tabler/icons-react';
import type { Portfolio } from '#contract/trading/portfolio.ts';
import { plural, t, translate } from '../../api/texts.ts';
import { formatMoney } from '../../ui/format/number.ts';
import { Panel } from '../../ui/layout/panel.tsx';
import { ListState } from '../../ui/table/list-state.tsx';
import { AssetIcon } from '../../ui/text/asset-icon.tsx';
import { Money, Percent } from '../../ui/text/money.tsx';
import { Note } from '../../ui/text/paragraph.tsx';

/**
 * The distribution of the net worth: as a bar, and as a list with the same figures. While loading the panel reserves
 * its space.
 */
export function AllocationPanel({ allocation }: { allocation: Portfolio['allocation'] | undefined }) {
  if (allocation === undefined)
    return (
      <Panel title={t`Allocation`}>
        <Stack mih={240} gap="md" aria-busy="true">
          {[...'12345'].map((key) => (
            <Skeleton key={key} h={32} />
          ))}
        </Stack>
      </Panel>
    );
  const parts = allocationParts(allocation);
  const inMarket = parts.reduce((sum, part) => (part.kind === 'asset' ? sum + part.value : sum), 0);
  return (
    <Panel
      title={t`Allocation`}
      control={
        <Text span inherit c="dimmed" fz="xs" style={{ fontVariantNumeric: 'tabular-nums' }}>
          {t`${formatMoney(inMarket, 2)} in the market`}
        </Text>
      }
    >
      {parts.length === 0 ? (
        <ListState
          icon={IconWallet}
          title={t`No balance yet`}
        >{t`Your wallets and open trades appear here with their share of your net worth.`}</ListState>
      ) : (
        <>
          <Flex gap={2} h={8} mb={10} aria-hidden="true">
            {parts.map((part) => (
              <Swatch key={part.label} part={part} flex={`${part.value} 0 0`} miw={3} />
            ))}
          </Flex>
          <ul>
            {parts.map((part) => (
              <Part key={part.label} part={part} />
            ))}
          </ul>
        </>
      )}
    </Panel>
  );
}

type SwatchProps = { part: AllocationPart; w?: number; h?: number; flex?: string; miw?: number };

const Swatch = ({ part, ...size }: SwatchProps) => (
  <Box component="i" bg={`var(--tw-s${part.series})`} bdrs={2} {...size} />
);

function Part({ part }: { part: AllocationPart }) {
  const held = heldText(part);
  return (
    <Group component="li" gap="sm" mih={56} fz="sm" lh="1.125rem" style={{ borderTop: '1px solid var(--tw-line)' }}>
      {part.symbol === null ? (
        <ThemeIcon size={28} radius="50%" color="var(--tw-surface-3)" c="var(--tw-text-2)" aria-hidden>
          <IconWallet size={16} stroke={1.5} />
        </ThemeIcon>
      ) : (
        <AssetIcon symbol={part.symbol} />
      )}
      <Box flex={1}>
        <Group gap={6} fw={500} wrap="nowrap">
          <Swatch part={part} w={8} h={8} flex="none" />
          {translate(part.label)}
        </Group>
        {held !== '' && <Note>{held}</Note>}
      </Box>
      <Box ml="auto" ta="right">
        <Text inherit fw={500}>
          <Money value={part.value} />
        </Text>
        <Note>
          <Percent value={part.percent} />
        </Note>
      </Box>
    </Group>
  );
}

type Allocated = Portfolio['allocation'][number];

type AllocationPart = Allocated & {
  readonly percent: number;
  /** 1 to 5: the series colour, in the order of the parts; the fifth and later share one. */
  readonly series: number;
};

const SERIES = 5;

/** The non-empty parts of the net worth, the largest asset first and money in no asset last. */
export function allocationParts(allocation: Portfolio['allocation']): AllocationPart[] {
  const total = allocation.reduce((sum, { value }) => sum + value, 0);
  const isIdle = ({ kind }: Allocated) => Number(kind !== 'asset');
  return allocation
    .filter(({ value }) => value > 0)
    .toSorted((a, b) => isIdle(a) - isIdle(b) || b.value - a.value)
    .map((part, index) => ({
      ...part,
      percent: (part.value / total) * 100,
      series: Math.min(index + 1, SERIES),
    }));
}

/** `heldText({ trades: 1, plans: 2 }) === '1 trade, 2 plans'`; nothing for money in no asset. */
export function heldText({ trades, plans }: Pick<Allocated, 'trades' | 'plans'>): string {
  return [
    trades > 0 && plural(trades, { one: '# trade', other: '# trades' }),
    plans > 0 && plural(plans, { one: '# plan', other: '# plans' }),
  ]
    .filter(Boolean)
    .join(', ');
}
