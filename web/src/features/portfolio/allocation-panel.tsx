import { Box, Text } from '@mantine/core';
import { IconWallet } from '@tabler/icons-react';
import type { Portfolio } from '#contract/trading/portfolio.ts';
import { formatMoney } from '../../ui/format/money.ts';
import { Panel } from '../../ui/frame/panel.tsx';
import { ListState } from '../../ui/table/list-state.tsx';
import { AssetIcon } from '../../ui/text/asset-icon.tsx';
import { Money, Percent } from '../../ui/text/money.tsx';
import classes from './allocation-panel.module.css';
import { type AllocationPart, allocationParts, heldWords } from './allocation-parts.ts';

/** Where the net worth is: as a bar, and as the list that says the same. */
export function AllocationPanel({ allocation }: { allocation: Portfolio['allocation'] }) {
  const parts = allocationParts(allocation);
  const inMarket = parts.reduce((sum, part) => (part.kind === 'asset' ? sum + part.value : sum), 0);
  return (
    <Panel
      title="Allocation"
      control={
        <Text span inherit c="dimmed" fz="xs" style={{ fontVariantNumeric: 'tabular-nums' }}>
          {formatMoney(inMarket, 2)} in the market
        </Text>
      }
    >
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
              <Part key={part.label} part={part} />
            ))}
          </ul>
        </>
      )}
    </Panel>
  );
}

function Part({ part }: { part: AllocationPart }) {
  const held = heldWords(part);
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
        {held !== '' && <small>{held}</small>}
      </span>
      <Box component="span" ta="right">
        <b>
          <Money value={part.value} />
        </b>
        <small>
          <Percent value={part.percent} />
        </small>
      </Box>
    </li>
  );
}
