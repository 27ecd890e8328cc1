import { Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import type { TradeDetail } from '#contract/trading/trade-detail.ts';
import { t } from '../../api/texts.ts';
import { grouped } from '../../ui/format/number.ts';
import { formatTime } from '../../ui/format/time.ts';
import { Panel } from '../../ui/layout/panel.tsx';
import { exactDollars, workingOf } from './working.ts';
import classes from './working-panel.module.css';

/** The calculation with this trade's numbers, in full precision. */
export function WorkingPanel({ detail }: { detail: TradeDetail }) {
  const steps = workingOf(detail);
  const isDerived = [detail.opening, detail.closing].some(
    (fill) => fill?.mark_source === 'derived' && fill.execution === null,
  );
  return (
    <Panel
      title={t`Calculation`}
      rule
      padded={false}
      foot={t`In dollars, with every digit of the ledger. Amounts are truncated to 6 decimals, prices are rounded to 12.`}
    >
      <dl className={classes.steps}>
        <div>
          <dt>
            {t`Amount A`}
            <small>{t`Amount traded`}</small>
          </dt>
          <dd className={classes.result}>{exactDollars(detail.trade.amount)}</dd>
        </div>
        {steps.map(({ name, rule, numbers, result, signed }) => (
          <div key={name}>
            <dt>
              {name}
              <small>{rule}</small>
            </dt>
            <dd className={classes.numbers}>{numbers}</dd>
            <dd className={classes.result} data-tone={toneOf(signed)}>
              = {result}
            </dd>
          </div>
        ))}
      </dl>
      {steps.length === 0 && <Note>{t`The calculation continues once the trade is open.`}</Note>}
      {isDerived && (
        <Note>{t`Mark prices are stored for three days. Older ones are derived from the trade price and the spread.`}</Note>
      )}
      <Average average={detail.average} mark={detail.closing?.mark} />
    </Panel>
  );
}

const toneOf = (signed: number | undefined) =>
  signed === undefined || signed === 0 ? undefined : signed > 0 ? 'gain' : 'loss';

/** How the closing TWAP of the session was averaged. */
function Average({ average, mark }: { average: TradeDetail['average']; mark: string | undefined }) {
  if (!average || mark === undefined) return null;
  const { minute, from, to, parts } = average;
  const seconds = (ms: number) => `${ms / 1000} s`;
  return (
    <Note>
      <Title order={3} c="var(--tw-text)">
        {t`Closing mark price ${grouped(mark)}`}
      </Title>
      <p>
        {minute === 'session_close'
          ? t`Time-weighted average price (TWAP) of the last minute of the session, ${formatTime(from)} to ${formatTime(to)} UTC.`
          : t`Time-weighted average price (TWAP) of the first full minute with fresh prices after the close, ${formatTime(from)} to ${formatTime(to)} UTC.`}
      </p>
      {parts === null ? (
        <p>{t`The individual mark prices are no longer stored.`}</p>
      ) : (
        <p style={{ overflowWrap: 'anywhere' }}>
          ({parts.map(({ price, ms }) => `${grouped(price)} × ${seconds(ms)}`).join(' + ')}) ÷{' '}
          {seconds(parts.reduce((sum, { ms }) => sum + ms, 0))} = {grouped(mark)}
        </p>
      )}
    </Note>
  );
}

const Note = ({ children }: { children: ReactNode }) => (
  <Text
    component="div"
    size="sm"
    c="var(--tw-text-2)"
    px={{ base: 'md', sm: 20 }}
    py="sm"
    style={{ borderTop: '1px solid var(--tw-line)' }}
  >
    {children}
  </Text>
);
