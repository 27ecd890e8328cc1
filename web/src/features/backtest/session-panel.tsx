import type { BacktestResult } from '#contract/trading/backtest.ts';
import { ChartFrame } from '../../ui/charts/chart-frame.tsx';
import { ResultBars } from '../../ui/charts/result-bars.tsx';
import { formatSignedMoney } from '../../ui/format/money.ts';
import { formatDate, formatDay } from '../../ui/format/time.ts';
import { Panel } from '../../ui/frame/panel.tsx';
import { SignedMoney } from '../../ui/text/money.tsx';
import classes from './session-panel.module.css';

const HEIGHT = 140;

/** Every session by itself, up or down from zero: losing ones as large as winning ones. */
export function SessionPanel({ result }: { result: BacktestResult }) {
  const { sessions, stats } = result;
  return (
    <Panel title="Result by session" padded={false}>
      <div className={classes.body}>
        <ChartFrame
          summary={summaryOf(result)}
          height={HEIGHT}
          legend={`${formatDay(result.from)} to ${formatDay(result.to)}`}
          table={{
            heads: ['Session', 'Trades', 'Result'],
            rows: sessions
              .toReversed()
              .map((session) => [
                formatDate(session.day),
                session.trades,
                <SignedMoney key="result" value={session.result} />,
              ]),
          }}
        >
          <ResultBars results={sessions.map(({ day, result }) => ({ key: day, result }))} barWidth={12} />
        </ChartFrame>
      </div>
      <div className={classes.counts}>
        <Count
          label="Winning sessions"
          count={stats.winning_sessions}
          tone="gain"
          of="Best"
          session={stats.best_session}
        />
        <Count
          label="Losing sessions"
          count={stats.losing_sessions}
          tone="loss"
          of="Worst"
          session={stats.worst_session}
        />
      </div>
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
  <div>
    <span>{label}</span>
    <b data-tone={tone}>{count}</b>
    <span>
      {of}: <SignedMoney value={session?.result} /> {session && `on ${formatDay(session.day)}`}
    </span>
  </div>
);

function summaryOf({ sessions, stats }: BacktestResult): string {
  const { best_session: best, worst_session: worst } = stats;
  const words = `Result of ${sessions.length} sessions: ${stats.winning_sessions} winning, ${stats.losing_sessions} losing.`;
  if (best === null || worst === null) return words;
  return `${words} Best ${formatSignedMoney(best.result, 2)} on ${formatDate(best.day)}, worst ${formatSignedMoney(worst.result, 2)} on ${formatDate(worst.day)}.`;
}
