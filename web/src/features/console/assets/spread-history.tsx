import { Button } from '@mantine/core';
import type { SpreadChange } from '#contract/operator/assets.ts';
import { percentWords } from '../../../entities/income/fee-lines.ts';
import { formatDate, formatDateTime } from '../../../ui/format/time.ts';
import { DetailSection } from '../kit/detail-panel.tsx';
import { useList } from '../kit/use-list.ts';
import classes from './assets-page.module.css';
import { readSpreadChanges } from './queries.ts';

/** Every change of the spread of one asset, newest first. */
export function SpreadHistory({ symbol }: { symbol: string }) {
  const { rows, query, onEnd } = useList<SpreadChange>({
    queryKey: ['assets', 'spreads', symbol],
    readPage: readSpreadChanges(symbol),
  });
  return (
    <DetailSection title="Changes of the spread">
      {query.isError && <p>They could not be read.</p>}
      {rows?.length === 0 && <p>It was never changed.</p>}
      {rows !== undefined && rows.length > 0 && (
        <ul className={classes.history}>
          {rows.map((change, index) => (
            <li key={change.id}>
              <b>
                {percentWords(change.before_bps)} to {percentWords(change.spread_bps)}
              </b>
              <span>{change.reason}</span>
              <small>
                {change.by.name}, {formatDateTime(change.at)}; {effectOf(change, index === 0)}
              </small>
            </li>
          ))}
        </ul>
      )}
      {onEnd && (
        <Button className={classes.more ?? ''} size="sm" variant="default" onClick={onEnd}>
          Earlier
        </Button>
      )}
    </DetailSection>
  );
}

function effectOf({ first_session_on }: SpreadChange, isNewest: boolean): string {
  if (first_session_on !== null) return `from the session of ${formatDate(first_session_on)}`;
  return isNewest ? 'from the next session' : 'followed by another before a session opened';
}
