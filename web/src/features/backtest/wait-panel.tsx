import { Box, Group, Text } from '@mantine/core';
import { reasonWords } from '#contract/reasons.ts';
import type { BacktestResult } from '#contract/trading/backtest.ts';
import { t, translate } from '../../api/texts.ts';
import { formatCount } from '../../ui/format/number.ts';
import { formatShortDateTime } from '../../ui/format/time.ts';
import { Panel } from '../../ui/layout/panel.tsx';
import { Rows } from '../../ui/layout/rows.tsx';

/** Why nothing was bought at the boundaries where nothing was: how often, and the last time in words. */
export function WaitPanel({ waits }: { waits: BacktestResult['stats']['waits'] }) {
  if (waits.length === 0) return null;
  return (
    <Panel title={t`Skipped entries`} padded={false} foot={t`The strategy decides every 15 minutes of a session.`}>
      <Rows>
        {waits.map(({ code, count, last }) => (
          <Group key={code} component="li" py={10} gap="sm" wrap="nowrap" align="flex-start" fz="sm">
            <Text inherit w={72} ta="right" fw={500}>
              {formatCount(count)} ×
            </Text>
            <Box flex={1}>
              {translate(reasonWords(code, last.facts))}
              <Text size="xs" c="dimmed">
                {t`Last: ${last.symbol}, ${formatShortDateTime(last.time)} UTC`}
              </Text>
            </Box>
          </Group>
        ))}
      </Rows>
    </Panel>
  );
}
