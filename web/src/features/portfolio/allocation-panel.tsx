import { IconWallet } from '@tabler/icons-react';
import type { Portfolio } from '#contract/trading.ts';
import { formatMoney } from '../../shared/format/money.ts';
import { AssetIcon } from '../../shared/ui/asset-icon.tsx';
import { ListState } from '../../shared/ui/list-state.tsx';
import { Money, Percent } from '../../shared/ui/money.tsx';
import { Panel } from '../../shared/ui/panel.tsx';
import classes from './allocation-panel.module.css';
import { type AllocationPart, allocationParts } from './allocation-parts.ts';

type AllocationPanelProps = {
  allocation: Portfolio['allocation'];
  /** How many open trades there are in each asset. */
  positions: Portfolio['positions'];
};

/** Where the net worth is: as a bar, and as the table that says the same. */
export function AllocationPanel({ allocation, positions }: AllocationPanelProps) {
  const parts = allocationParts(allocation);
  const inMarket = parts.reduce((sum, part) => (part.symbol === null ? sum : sum + part.value), 0);
  return (
    <Panel title="Allocation" control={<span className={classes.aside}>{formatMoney(inMarket, 2)} in the market</span>}>
      {parts.length === 0 ? (
        <ListState icon={<IconWallet size={20} stroke={1.5} />} title="Nothing to show yet">
          Your wallets and open trades are shown here with their shares.
        </ListState>
      ) : (
        <>
          <div className={classes.bar} aria-hidden="true">
            {parts.map((part) => (
              <i key={part.label} data-series={part.series} style={{ flexGrow: part.value }} />
            ))}
          </div>
          <ul className={classes.parts}>
            {parts.map((part) => (
              <Part
                key={part.label}
                part={part}
                trades={positions.filter(({ symbol }) => symbol === part.symbol).length}
              />
            ))}
          </ul>
        </>
      )}
    </Panel>
  );
}

function Part({ part, trades }: { part: AllocationPart; trades: number }) {
  return (
    <li>
      {part.symbol === null ? (
        <span className={classes.wallet}>
          <IconWallet size={16} stroke={1.5} aria-hidden />
        </span>
      ) : (
        <AssetIcon symbol={part.symbol} />
      )}
      <span>
        <b>
          <i className={classes.swatch} data-series={part.series} />
          {part.label}
        </b>
        {trades > 0 && <small>{trades === 1 ? '1 trade' : `${trades} trades`}</small>}
      </span>
      <span className={classes.value}>
        <b>
          <Money value={part.value} />
        </b>
        <small>
          <Percent value={part.percent} />
        </small>
      </span>
    </li>
  );
}
