import type { Statement } from '#contract/funds/deposits.ts';
import { wordsOfKind } from '#contract/ledger-reasons.ts';
import { Figure, FigureStrip } from '../../../ui/text/figure.tsx';
import { Money } from '../../../ui/text/money.tsx';
import type { StatementFilter } from './statement-filters.ts';
import { figuresOf } from './statement-totals.ts';
import { walletWords } from './wallet-labels.ts';

type StatementFiguresProps = { statement: Statement | undefined; filter: StatementFilter };

/** From the opening to the closing balance of what is shown. */
export function StatementFigures({ statement, filter: { kind, wallet } }: StatementFiguresProps) {
  const figures = statement && figuresOf(statement, wallet);
  const where = wallet === undefined ? 'all your wallets' : walletWords[wallet];
  const sumsOf = kind === undefined ? undefined : `only “${wordsOfKind(kind)}”`;
  return (
    <FigureStrip>
      <Figure label="Opening balance" foot={where}>
        <Money value={figures?.opening} />
      </Figure>
      <Figure label="Received" foot={sumsOf ?? 'between own wallets counts too'}>
        <Money value={figures?.received} />
      </Figure>
      <Figure label="Spent" foot={sumsOf ?? 'between own wallets counts too'}>
        <Money value={figures?.spent} />
      </Figure>
      <Figure label="Closing balance" foot={where}>
        <Money value={figures?.closing} />
      </Figure>
    </FigureStrip>
  );
}
