import type { DataOf } from '#contract/endpoint.ts';
import type { income } from '#contract/income.ts';
import { formatDateTime } from '../../ui/format/time.ts';
import { paths } from '../../ui/paths.ts';
import { Money } from '../../ui/text/money.tsx';
import { TextLink } from '../../ui/text/text-link.tsx';
import { accountWord } from './labels.ts';
import { SourceSection } from './source.tsx';
import classes from './transfer-list.module.css';

type Transfers = DataOf<typeof income.explainWeek>['transfers'];

type TransferListProps = { transfers: Transfers; isHeld?: boolean; note?: string | undefined };

/** The movements of the ledger that paid it, as the statement has them. */
export function TransferList({ transfers, isHeld = false, note }: TransferListProps) {
  return (
    <SourceSection title="Ledger transfers">
      {transfers.length === 0 ? (
        <p className={classes.note}>
          {isHeld ? 'Held, so no money has moved yet.' : 'Nothing was paid, so no money moved.'}
        </p>
      ) : (
        <ul className={classes.list} aria-label="Ledger transfers">
          {transfers.map((transfer) => (
            <li key={transfer.id}>
              <span>
                {accountWord(transfer.from)} → {accountWord(transfer.to)}
                <small>
                  booked {formatDateTime(transfer.created_at)},{' '}
                  <TextLink to={`${paths.transactionHistory}?kind=${transfer.reason}`}>transfer {transfer.id}</TextLink>
                </small>
              </span>
              <Money value={transfer.amount} />
            </li>
          ))}
        </ul>
      )}
      {note && <p className={classes.note}>{note}</p>}
    </SourceSection>
  );
}
