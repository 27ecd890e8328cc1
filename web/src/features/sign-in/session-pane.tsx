import { Box, Group, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { tradingHours } from '#contract/rules.ts';
import { marketQuery } from '../../api/market/queries.ts';
import { useMarketClock } from '../../api/market/use-market-clock.ts';
import { t, translate } from '../../api/texts.ts';
import { Sparkline } from '../../ui/charts/sparkline.tsx';
import { ModeLabel } from '../../ui/frame/mode-label.tsx';
import { SessionBar } from '../../ui/frame/session-bar.tsx';
import { SessionState } from '../../ui/frame/session-state.tsx';
import { AssetIcon } from '../../ui/text/asset-icon.tsx';
import { Percent, Price } from '../../ui/text/money.tsx';
import classes from './session-pane.module.css';

const SHOWN_PAIRS = 6;

export function SessionPane() {
  const { now } = useMarketClock();
  return (
    <>
      <Group justify="space-between" gap="8px 16px" mb="lg">
        <Title order={2} fz="xl" lh="28px" lts="-0.015em">{t`Today’s trading session`}</Title>
        <SessionState />
      </Group>
      {now ? <SessionBar now={now} /> : <Box h={34} />}
      <div className={classes.hours}>
        <div>
          <span>{t`EDT, UTC−4`}</span>
          <b>{translate(tradingHours.us)}</b>
        </div>
        <div>
          <span>{t`IST, UTC+5:30`}</span>
          <b>{translate(tradingHours.india)}</b>
        </div>
      </div>
      <MarketList now={now} />
    </>
  );
}

function MarketList({ now }: { now: Date | undefined }) {
  const { data } = useQuery(marketQuery);
  return (
    <section aria-label={t`Market`}>
      <Group justify="space-between" gap="8px 16px" mt={36} mih={44}>
        <Title order={2}>{t`Market`}</Title>
        {data && <ModeLabel feed={data.feed} {...(now ? { at: now } : {})} />}
      </Group>
      {data?.pairs.slice(0, SHOWN_PAIRS).map((pair) => (
        <div className={classes.row} key={pair.displayName}>
          <AssetIcon symbol={pair.displayName} />
          <Text span fw={500}>
            {pair.displayName}
          </Text>
          <Sparkline values={pair.spark} width={88} height={24} />
          <Price value={pair.rate} symbol={pair.displayName} />
          <Percent value={pair.change_24h} signed />
        </div>
      ))}
    </section>
  );
}

/** Shown where there is no room for the pane. */
export function SessionMini() {
  return (
    <Stack gap={4} fz="sm" style={{ fontVariantNumeric: 'tabular-nums' }}>
      <SessionState named />
      <Box mt={4}>{translate(tradingHours.us)}</Box>
      <Box c="var(--tw-text-2)">{translate(tradingHours.india)}</Box>
    </Stack>
  );
}
