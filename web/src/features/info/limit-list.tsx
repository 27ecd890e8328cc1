import { useQuery } from '@tanstack/react-query';
import type { DataOf } from '#contract/endpoint.ts';
import type { trading } from '#contract/trading/trading.ts';
import { t } from '../../api/texts.ts';
import { limitsQuery } from '../../api/trading-queries.ts';
import { pairOf } from '../../entities/trade/labels.ts';
import { formatMoney } from '../../ui/format/money.ts';
import { TableError, useLate } from '../../ui/table/data-table-states.tsx';
import { FeeTable, InfoSection } from './info-article.tsx';

type AssetLimits = DataOf<typeof trading.listLimits>['items'][number];

/** How much can be traded of each asset (docs/product.md, section 3, "Limits of size"). */
export function LimitList() {
  const query = useQuery(limitsQuery);
  const isLate = useLate(query.isPending);
  return (
    <InfoSection title={t`Limits of size`}>
      {query.data === undefined ? (
        query.isError ? (
          <TableError query={query} />
        ) : (
          <p>{isLate && t`Loading limits`}</p>
        )
      ) : (
        <Limits items={query.data.items} />
      )}
    </InfoSection>
  );
}

function Limits({ items }: { items: readonly AssetLimits[] }) {
  const limited = items.filter(({ trade, member, all }) => trade !== null || member !== null || all !== null);
  if (limited.length === 0) return <p>{t`There are no limits on the size of trades.`}</p>;
  return (
    <>
      <p>{t`A trade is refused when it is larger than the largest trade, or when queued and open trades in the asset would exceed what you, or all members together, may have. The refusal says how much is still possible.`}</p>
      <p>{t`What no longer fits when it is due to open is cancelled, newest first, and the full amount is returned. An auto-trade plan then skips the session.`}</p>
      {limited.length < items.length && <p>{t`Assets that are not listed here have no limits.`}</p>}
      <FeeTable
        label={t`Limits of each asset`}
        heads={[t`Asset`, t`Largest trade`, t`Yours in all`, t`All members`]}
        figuresFrom={1}
        rows={limited.map(({ symbol, trade, member, all }) => ({
          cells: [pairOf(symbol), limitWords(trade), limitWords(member), limitWords(all)],
        }))}
      />
    </>
  );
}

/** `$50,000`, or `none`. */
const limitWords = (dollars: number | null): string => (dollars === null ? t`none` : formatMoney(dollars, 2));
