import { Paper, SimpleGrid } from '@mantine/core';
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
    <SimpleGrid component="section" aria-label="Wallets" cols={2} spacing="sm" px="md" pt="sm">
      {(['primary', 'profit'] as const).map((wallet) => (
        <Paper key={wallet} className={classes.card} px="md" py={14} miw={0}>
          <Figure
            label={wallet === 'primary' ? 'Primary Wallet' : 'Profit Wallet'}
            foot={`${formatMoney(data?.[wallet].in_trade, 'typed')} in trades`}
          >
            <Money value={data?.[wallet].balance} />
          </Figure>
        </Paper>
      ))}
    </SimpleGrid>
  );
}
