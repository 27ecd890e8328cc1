import { Text } from '@mantine/core';
import type { BacktestResult } from '#contract/trading/backtest.ts';
import { t } from '../../api/texts.ts';
import { SessionBars, TwoFigures } from '../../entities/trade/session-bars.tsx';
import { formatDay } from '../../ui/format/time.ts';
import { Panel } from '../../ui/layout/panel.tsx';
import { Figure } from '../../ui/text/figure.tsx';
import { SignedMoney } from '../../ui/text/money.tsx';

const HEIGHT = 140;

/** Every session by itself; winning and losing ones are counted in the same size. */
export function SessionPanel({ result: { sessions, stats } }: { result: BacktestResult }) {
  return (
    <Panel title={t`P&L by session`} padded={false}>
      <SessionBars sessions={sessions} height={HEIGHT} />
      <TwoFigures
        figures={[
          <Count
            key="winning"
            label={t`Winning sessions`}
            count={stats.winning_sessions}
            tone="gain"
            of={t`Best`}
            session={stats.best_session}
          />,
          <Count
            key="losing"
            label={t`Losing sessions`}
            count={stats.losing_sessions}
            tone="loss"
            of={t`Worst`}
            session={stats.worst_session}
          />,
        ]}
      />
    </Panel>
  );
}

type CountProps = {
  label: string;
  count: number;
  tone: 'gain' | 'loss';
  of: string;
  session: BacktestResult['stats']['best_session'];
};

const Count = ({ label, count, tone, of, session }: CountProps) => (
  <Figure
    label={label}
    size="lg"
    foot={
      <>
        {of}: <SignedMoney value={session?.result} /> {session && t`on ${formatDay(session.day)}`}
      </>
    }
  >
    <Text span inherit c={`var(--tw-${tone})`}>
      {count}
    </Text>
  </Figure>
);
