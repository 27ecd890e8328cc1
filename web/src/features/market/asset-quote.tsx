import { Box, Button, Group, Paper, Text, Title } from '@mantine/core';
import { IconChartCandle } from '@tabler/icons-react';
import { Link } from 'react-router';
import { appInfo } from '../../api/app-info.ts';
import { t } from '../../api/texts.ts';
import { DelayedBanner } from '../../entities/trade/delayed.tsx';
import { pairOf } from '../../entities/trade/labels.ts';
import { usePair } from '../../entities/trade/use-pair.ts';
import { formatCompact } from '../../ui/format/number.ts';
import { formatPrice } from '../../ui/format/price.ts';
import { tradeSearch } from '../../ui/paths.ts';
import { StateBadge } from '../../ui/state/state-badge.tsx';
import { AssetIcon } from '../../ui/text/asset-icon.tsx';
import { Percent, Price } from '../../ui/text/money.tsx';

/** The head of an asset's page: its current price, 24-hour figures, and a button to trade it. */
export function AssetQuote({ symbol }: { symbol: string }) {
  const pair = usePair(symbol);
  const name = pairOf(symbol);
  const figures = [
    [t`24 h high`, formatPrice(pair?.high_24h, symbol)],
    [t`24 h low`, formatPrice(pair?.low_24h, symbol)],
    [t`24 h volume`, pair?.volume_24h == null ? '–' : `$${formatCompact(pair.volume_24h)}`],
  ];
  return (
    <>
      <title>{`${name} · ${appInfo.brandName}`}</title>
      <Paper component="section" withBorder p={{ base: 'md', sm: 20 }} aria-labelledby="asset-name">
        <Group gap="12px 24px">
          <Group gap={14}>
            <AssetIcon symbol={symbol} size={40} />
            <div>
              <Title id="asset-name" order={1}>
                {name}
              </Title>
              <Text size="sm" c="dimmed">
                {pair?.apiname ?? '\u00a0'}
              </Text>
            </div>
          </Group>
          {/* As wide as a long price: nothing wraps when it loads. */}
          <Group gap="sm" align="baseline" fw={500} miw="min(15.625rem, 100%)">
            <Text span inherit fz="var(--tw-fs-32)" fw={600} lh="2.5rem" lts="-0.015em">
              <Price value={pair?.rate} symbol={symbol} />
            </Text>
            <Percent value={pair?.change_24h} signed arrow />
          </Group>
          <Group component="dl" flex="1 1 280px" justify="flex-end" align="flex-end" gap="12px 28px">
            {figures.map(([label, figure]) => (
              <Box key={label} flex={{ base: 1, sm: 'none' }}>
                <Text component="dt" size="xs" c="dimmed" fw={500}>
                  {label}
                </Text>
                <Text component="dd" size="sm" fw={500} style={{ fontVariantNumeric: 'tabular-nums' }}>
                  {figure}
                </Text>
              </Box>
            ))}
          </Group>
          {pair?.listed === false ? (
            <StateBadge of="asset" state="off">{t`Not tradable here`}</StateBadge>
          ) : (
            <Button
              component={Link}
              to={{ search: tradeSearch(symbol) }}
              size="lg"
              w={{ base: '100%', sm: 'auto' }}
              ml="auto"
              leftSection={<IconChartCandle size={16} stroke={1.5} aria-hidden />}
            >{t`Trade ${symbol}`}</Button>
          )}
        </Group>
      </Paper>
      <DelayedBanner symbol={symbol} />
    </>
  );
}
