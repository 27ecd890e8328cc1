import { useQuery } from '@tanstack/react-query';
import { walletQuery } from '../../features/funds/queries.ts';
import { formatMoney } from '../../ui/format/money.ts';
import { Figure } from '../../ui/text/figure.tsx';
import { Money } from '../../ui/text/money.tsx';
import classes from './wallet-cards.module.css';

/** The two wallets above each page of a mobile screen, except on `/fund` (the specification, point 2). */
export function WalletCards() {
  const { data } = useQuery(walletQuery);
  return (
    <section className={classes.cards} aria-label="Wallets">
      {(['primary', 'profit'] as const).map((wallet) => (
        <div key={wallet}>
          <Figure
            label={wallet === 'primary' ? 'Primary Wallet' : 'Profit Wallet'}
            foot={`${formatMoney(data?.[wallet].in_trade, 'typed')} in trades`}
          >
            <Money value={data?.[wallet].balance} />
          </Figure>
        </div>
      ))}
    </section>
  );
}
