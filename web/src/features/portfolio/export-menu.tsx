import { Button, Menu } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import type { Portfolio } from '#contract/trading/portfolio.ts';
import type { Trade } from '#contract/trading/trade.ts';
import { CallError, call } from '../../api/call.ts';
import { collectPages, saveCsv } from '../../api/csv.ts';
import { endpoints } from '../../api/endpoints.ts';
import { plural, t } from '../../api/texts.ts';
import { assetsCsv, daysCsv, equityCsv, tradesCsv } from './portfolio-csv.ts';

/** Everything of the page as files, each a table of its own. */
export function ExportMenu({ portfolio }: { portfolio: Portfolio | undefined }) {
  const { count, collect } = useTradesFile();
  if (count !== null) {
    return (
      <Button variant="default" disabled leftSection={<IconDownload size={16} stroke={1.5} />}>
        {plural(count, { one: '# trade', other: '# trades' })}
      </Button>
    );
  }
  const files = portfolio && [
    [t`Equity, net deposits, drawdown`, () => saveCsv('equity.csv', equityCsv(portfolio.equity))],
    [t`Realised P&L by session`, () => saveCsv('sessions.csv', daysCsv(portfolio.realised_by_day))],
    [t`By asset`, () => saveCsv('assets.csv', assetsCsv(portfolio.by_asset))],
    [t`All trades`, collect],
  ];
  return (
    <Menu position="bottom-end" width="max-content" withInitialFocusPlaceholder={false}>
      <Menu.Target>
        <Button
          variant="default"
          disabled={!files}
          leftSection={<IconDownload size={16} stroke={1.5} />}
        >{t`Export CSV`}</Button>
      </Menu.Target>
      <Menu.Dropdown>
        {(files as [string, () => void][] | undefined)?.map(([label, save]) => (
          <Menu.Item key={label} onClick={save}>
            {label}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

/** All trades of the member. */
export const collectTrades = (signal: AbortSignal, onCount: (count: number) => void): Promise<Trade[]> =>
  collectPages<Trade>((query) => call(endpoints.trading.listTrades, { query, signal }), onCount);

/** Collects all trades and saves them; `count` while it goes on. Leaving the page ends it. */
function useTradesFile() {
  const [count, setCount] = useState<number | null>(null);
  const abort = useRef<AbortController>(null);
  useEffect(() => () => abort.current?.abort(), []);

  const collect = async () => {
    const controller = new AbortController();
    abort.current = controller;
    setCount(0);
    try {
      const trades = await collectTrades(controller.signal, setCount);
      saveCsv('trades.csv', tradesCsv(trades));
    } catch (error) {
      // The member was told by the call itself, and a page that was left wants no file any more.
      if (!(error instanceof CallError) && !controller.signal.aborted) throw error;
    } finally {
      if (!controller.signal.aborted) setCount(null);
    }
  };
  return { count, collect: () => void collect() };
}
