import { Box, SimpleGrid } from '@mantine/core';
import type { ReactNode } from 'react';
import { plural, t } from '../../api/texts.ts';
import { ChartFrame } from '../../ui/charts/chart-frame.tsx';
import { ResultBars } from '../../ui/charts/result-bars.tsx';
import { formatSignedMoney } from '../../ui/format/number.ts';
import { formatDate, formatDay } from '../../ui/format/time.ts';
import { SignedMoney } from '../../ui/text/money.tsx';

type SessionResult = { readonly day: string; readonly result: number | null };

/** A text summary of session bars: how many each way, the best and the worst. */
export function summariseSessions(sessions: readonly SessionResult[]): string {
  const results = sessions.flatMap(({ day, result }) => (result === null ? [] : [{ day, result }]));
  const up = results.filter(({ result }) => result > 0).length;
  const down = results.filter(({ result }) => result < 0).length;
  const idle = sessions.length - results.length;
  const count = plural(sessions.length, { one: '# session', other: '# sessions' });
  const words =
    idle > 0
      ? t`P&L of ${count}: ${up} up, ${down} down, ${idle} without trades.`
      : t`P&L of ${count}: ${up} up, ${down} down.`;
  const [worst, ...others] = results.toSorted((one, other) => one.result - other.result);
  if (worst === undefined) return words;
  const of = ({ day, result }: { day: string; result: number }) =>
    t`${formatSignedMoney(result)} on ${formatDate(day)}`;
  return `${words} ${t`Best: ${of(others.at(-1) ?? worst)}. Worst: ${of(worst)}.`}`;
}

type SessionBarsProps = {
  /** Oldest first. */
  sessions: readonly { readonly day: string; readonly result: number; readonly trades: number }[];
  height: number;
};

/** Every session as a bar up or down from zero: losses weigh as much as gains. */
export const SessionBars = ({ sessions, height }: SessionBarsProps) => (
  <Box flex={1} display="grid" px={{ base: 'md', sm: 20 }} pt={4} pb="sm">
    <ChartFrame
      summary={summariseSessions(sessions)}
      height={height}
      legend={`${formatDay(sessions[0]?.day ?? '')} – ${formatDay(sessions.at(-1)?.day ?? '')}`}
      table={{
        heads: [t`Session`, t`Trades`, t`P&L`],
        rows: sessions
          .toReversed()
          .map(({ day, trades, result }) => [formatDate(day), trades, <SignedMoney key="result" value={result} />]),
      }}
    >
      <ResultBars results={sessions.map(({ day, result }) => ({ key: day, result }))} barWidth={12} />
    </ChartFrame>
  </Box>
);

/** Two figures of equal weight at the foot of a card, the better one left. */
export const TwoFigures = ({ figures }: { figures: readonly [ReactNode, ReactNode] }) => (
  <SimpleGrid cols={2} spacing={0} style={{ borderTop: '1px solid var(--tw-line)' }}>
    <Box px={{ base: 'md', sm: 20 }} py="sm">
      {figures[0]}
    </Box>
    <Box px={{ base: 'md', sm: 20 }} py="sm" style={{ borderLeft: '1px solid var(--tw-line)' }}>
      {figures[1]}
    </Box>
  </SimpleGrid>
);
