import { Flex, Text } from '@mantine/core';
import { IconChartBar } from '@tabler/icons-react';
import type { Portfolio } from '#contract/trading/portfolio.ts';
import type { Trade } from '#contract/trading/trade.ts';
import { plural, t } from '../../api/texts.ts';
import { negativeMembers } from '../../entities/trade/negative-members.ts';
import { SessionBars, TwoFigures } from '../../entities/trade/session-bars.tsx';
import { formatDay } from '../../ui/format/time.ts';
import { Panel } from '../../ui/layout/panel.tsx';
import { paths } from '../../ui/paths.ts';
import { ListState } from '../../ui/table/list-state.tsx';
import { SignedMoney } from '../../ui/text/money.tsx';
import { Note } from '../../ui/text/paragraph.tsx';
import { TextLink } from '../../ui/text/text.tsx';

const SHOWN_DAYS = 30;
const HEIGHT = 112;

/** Realised results by session, with the best and the worst trade. */
export function RealisedPanel({ portfolio }: { portfolio: Portfolio }) {
  const days = portfolio.realised_by_day.toSorted((a, b) => a.day.localeCompare(b.day)).slice(-SHOWN_DAYS);
  const { best, worst, negative_members: negative } = portfolio.totals;
  return (
    <Panel
      title={t`Realised P&L by session`}
      control={
        <Text span inherit c="dimmed" fz="xs">
          {plural(days.length, { one: '# session', other: '# sessions' })}
        </Text>
      }
      padded={false}
      foot={negativeMembers(negative)}
    >
      <Flex direction="column" h="100%">
        {days.length === 0 ? (
          <ListState
            icon={IconChartBar}
            title={t`No realised P&L yet`}
          >{t`Each session in which your trades settle adds a bar.`}</ListState>
        ) : (
          <SessionBars sessions={days} height={HEIGHT} />
        )}
        {best && worst && (
          <TwoFigures
            figures={[
              <Extreme key="best" word={t`Best`} trade={best} />,
              <Extreme key="worst" word={t`Worst`} trade={worst} />,
            ]}
          />
        )}
      </Flex>
    </Panel>
  );
}

const Extreme = ({ word, trade }: { word: string; trade: Trade }) => (
  <>
    <Note>
      {word}, {trade.symbol}
      {trade.closed_at !== null && ` ${formatDay(trade.closed_at)}`}
    </Note>
    <TextLink to={paths.trade(trade.id)}>
      <SignedMoney value={trade.result} />
    </TextLink>
  </>
);
