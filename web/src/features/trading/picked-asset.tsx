import { Group, Paper, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { marketQuery } from '../../api/market/queries.ts';
import { t } from '../../api/texts.ts';
import { pairOf } from '../../entities/trade/labels.ts';
import { Sparkline } from '../../ui/charts/sparkline.tsx';
import { formatPrice } from '../../ui/format/price.ts';
import { AssetIcon } from '../../ui/text/asset-icon.tsx';
import { Price } from '../../ui/text/money.tsx';

/** The chosen asset: how it moved in the last 24 hours and what it costs now. A narrow screen has no room for it. */
export function PickedAsset({ symbol }: { symbol: string }) {
  const { data: market } = useQuery(marketQuery);
  const pair = market?.pairs.find(({ displayName }) => displayName === pairOf(symbol));
  return (
    <Paper withBorder visibleFrom="sm" mt="auto" px={14} py="sm" fz="sm" lh="20px">
      <Group wrap="nowrap" gap="sm">
        <AssetIcon symbol={symbol} />
        <div>
          <Text inherit fw={500}>
            {pairOf(symbol)}
          </Text>
          <Text size="xs" c="dimmed">
            {pair?.apiname}
          </Text>
        </div>
        <Group flex={1} miw={0} justify="center" style={{ overflow: 'hidden' }}>
          {pair && <Sparkline values={pair.spark} width={128} height={30} />}
        </Group>
        <Text inherit component="div" ta="right">
          <Text size="xs" c="dimmed">{t`24 h range`}</Text>
          {formatPrice(pair?.low_24h, symbol)} – {formatPrice(pair?.high_24h, symbol)}
        </Text>
        <Text inherit component="div" ta="right" ml={8} fw={600}>
          <Text size="xs" c="dimmed" fw={400}>{t`Price`}</Text>
          <Price value={pair?.rate} symbol={symbol} />
        </Text>
      </Group>
    </Paper>
  );
}
