import { Box, Button, Group, SimpleGrid, Stack, Text } from '@mantine/core';
import { type Icon, IconChartCandle, IconClock, IconUser, IconWorld } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { tradingHours } from '#contract/rules.ts';
import type { Session } from '#contract/trading/trading.ts';
import { useMarketClock } from '../../api/market/use-market-clock.ts';
import { waitReason } from '../../api/market/waits-labels.ts';
import { t, translate } from '../../api/texts.ts';
import { formatCountdown, formatLocalHours, localPlace } from '../../ui/format/time.ts';
import { SessionBar } from '../../ui/frame/session-bar.tsx';
import { Panel } from '../../ui/layout/panel.tsx';
import { tradeSearch } from '../../ui/paths.ts';
import { StateBadge } from '../../ui/state/state-badge.tsx';
import { Figure } from '../../ui/text/figure.tsx';

const words: Record<Session['state'], { label: string; figure: string; next: string }> = {
  open: { label: t`Closes in`, figure: '', next: t`Open trades settle at the market price.` },
  closed: { label: t`Opens in`, figure: '', next: t`A trade placed now opens when the session opens.` },
  settling: {
    label: t`Session`,
    figure: t`Settling`,
    next: t`Each trade settles as soon as its closing price is known.`,
  },
  ended: { label: t`Session`, figure: t`Replay ended`, next: t`The recording is over. No session follows.` },
};

type SessionPanelProps = {
  className?: string | undefined;
  /** The trade button is not the page's first one: there is nothing to trade with. */
  quiet: boolean;
};

/** Today's session: the countdown to its opening or close, its position in the day, and its hours as specified. */
export function SessionPanel({ className, quiet }: SessionPanelProps) {
  const { session, now, remainingMs } = useMarketClock();
  const said = session && words[session.state];
  const waits = waitReason(session);
  return (
    <Panel
      title={t`Trading session`}
      className={className}
      control={session && <StateBadge of="session" state={session.state} />}
    >
      {/* On medium widths the clock and the hours are side by side. */}
      <SimpleGrid
        cols={{ base: 1, sm: 2, lg: 1 }}
        spacing={40}
        verticalSpacing={0}
        h="100%"
        style={{ gridTemplateRows: 'auto 1fr' }}
      >
        <div>
          <Figure
            label={said?.label ?? t`Session`}
            size="xl"
            foot={
              <Text span size="sm" c="var(--tw-text-2)" role={waits === null ? undefined : 'status'}>
                {waits ?? said?.next ?? '\u00a0'}
              </Text>
            }
          >
            {remainingMs === null ? (said?.figure ?? '–') : <span role="timer">{formatCountdown(remainingMs)}</span>}
          </Figure>
          <Box mt={18} mih={34}>
            {now && <SessionBar now={now} />}
          </Box>
        </div>
        <Stack justify="space-between" gap={14} pt={{ base: 'xs', sm: 0, lg: 'md' }}>
          <ul>
            <Hours Icon={IconClock} isGiven>
              {translate(tradingHours.us)}
            </Hours>
            <Hours Icon={IconWorld} isGiven>
              {translate(tradingHours.india)}
            </Hours>
            <Hours Icon={IconUser}>
              {session && t`${formatLocalHours(session.opens_at, session.closes_at)} your time (${localPlace()})`}
            </Hours>
          </ul>
          <Button
            component={Link}
            to={{ search: tradeSearch() }}
            size="lg"
            fullWidth
            variant={quiet ? 'default' : 'filled'}
            leftSection={<IconChartCandle size={16} stroke={1.5} aria-hidden />}
          >{t`Trade`}</Button>
        </Stack>
      </SimpleGrid>
    </Panel>
  );
}

type HoursProps = { Icon: Icon; isGiven?: boolean; children: ReactNode };

const Hours = ({ Icon: HoursIcon, isGiven = false, children }: HoursProps) => (
  <Group component="li" gap={10} mih={32} wrap="nowrap" fz="sm" c={isGiven ? undefined : 'var(--tw-text-2)'}>
    <HoursIcon size={20} stroke={1.5} color="var(--tw-text-3)" aria-hidden />
    {isGiven ? (
      <Text component="b" inherit fw={500}>
        {children}
      </Text>
    ) : (
      children
    )}
  </Group>
);
