import { Box, Group, Text } from '@mantine/core';
import { useMarketClock } from '../../api/market/use-market-clock.ts';
import { t } from '../../api/texts.ts';
import { formatCountdown } from '../format/time.ts';

const words = {
  open: { short: t`Open`, named: t`Session open` },
  closed: { short: t`Closed`, named: t`Session closed` },
  settling: { short: t`Settling`, named: t`Session settling` },
  ended: { short: t`Replay ended`, named: t`Replay ended` },
} as const;

/** "Open, closes in 3:24:51", by the market's clock. `named` says "Session open", where nothing else names it. */
export function SessionState({ named = false }: { named?: boolean }) {
  const { session, remainingMs } = useMarketClock();
  if (!session) return <Group component="span" mih={20} />;
  const { state } = session;
  const isOpen = state === 'open';
  return (
    <Group component="span" gap={8} mih={20} fz="sm" wrap="nowrap" style={{ whiteSpace: 'nowrap' }}>
      <Box
        component="i"
        w={8}
        h={8}
        bdrs="50%"
        bg={isOpen ? 'var(--tw-accent)' : 'var(--tw-text-3)'}
        style={isOpen ? { boxShadow: '0 0 0 3px var(--tw-accent-tint)' } : undefined}
      />
      {/* Only the state is announced: a countdown read aloud each second would be noise. */}
      <Text component="b" inherit fw={500} role="status">
        {words[state][named ? 'named' : 'short']}
      </Text>
      {remainingMs !== null && (
        <Text span inherit c="dimmed" style={{ fontVariantNumeric: 'tabular-nums' }}>
          {isOpen ? t`closes in ${formatCountdown(remainingMs)}` : t`opens in ${formatCountdown(remainingMs)}`}
        </Text>
      )}
    </Group>
  );
}
