import { Text } from '@mantine/core';
import { IconShieldCheck } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { DataOf } from '#contract/endpoint.ts';
import type { solvencySeal } from '#contract/solvency/proof.ts';
import type { GatewayCoins } from '#contract/solvency/sheet.ts';
import { t } from '../../api/texts.ts';
import { formatPercent } from '../../ui/format/number.ts';
import { formatDate, formatDateTime } from '../../ui/format/time.ts';
import { ModeNote } from '../../ui/frame/mode-label.tsx';
import { Panel } from '../../ui/layout/panel.tsx';
import { TableError } from '../../ui/table/data-table-states.tsx';
import { KeyValues } from '../../ui/table/key-values.tsx';
import { ListState } from '../../ui/table/list-state.tsx';
import { Figure } from '../../ui/text/figure.tsx';
import { Money } from '../../ui/text/money.tsx';
import { Note } from '../../ui/text/paragraph.tsx';
import type { Solvency } from './cover.ts';
import { reportedQuery } from './queries.ts';

export function MembersPanel({ solvency: { members, simulated, lifetime } }: { solvency: Solvency }) {
  const { negative, traded } = members;
  const share = traded === 0 ? null : (negative / traded) * 100;
  return (
    <Panel title={t`Members’ results`} control={simulated && <ModeNote>{t`Simulated`}</ModeNote>}>
      <Figure
        label={
          lifetime
            ? t`Members who lost money trading since ${formatDate(lifetime.from)}`
            : t`Members who lost money trading`
        }
        size="lg"
        foot={share === null ? t`No settled trades yet.` : t`${negative} of ${traded} members with a settled trade`}
      >
        {formatPercent(share)}
      </Figure>
      <Note
        mt={12}
      >{t`Total of all settled trades of each member after all fees, without team income. Trading can lose money. Nothing here promises a return.`}</Note>
    </Panel>
  );
}

export function CheckedPanel({ checked }: { checked: Solvency['checked'] }) {
  return (
    <Panel title={t`Last reconciliation`}>
      {checked === null ? (
        <ListState icon={IconShieldCheck} title={t`No reconciliation yet`}>
          {t`The first reconciliation follows the first session whose fees are distributed.`}
        </ListState>
      ) : (
        <>
          <KeyValues
            rule
            items={[
              [t`Completed`, formatDateTime(checked.at)],
              [t`Session`, formatDate(checked.session)],
              [t`Result`, t`No discrepancies`],
            ]}
          />
          <Note
            mt={12}
          >{t`Each fee distribution is reconciled with trades, incomes and pools. If a figure does not match, payouts stop, and weekly and monthly income is held until the ledger is correct.`}</Note>
        </>
      )}
    </Panel>
  );
}

/** Balances reported by gateway and exchange, each with its time; only where real money is held. */
export function ReportedPanel({ solvency }: { solvency: Solvency }) {
  const query = useQuery(reportedQuery);
  const reported = query.data;
  return (
    <Panel title={t`Reported balances`}>
      {query.isError && !reported && <TableError isList={false} query={query} />}
      {reported && (
        <>
          <KeyValues
            rule
            items={[
              [t`Payment gateway`, <Report key="gateway" holding={reported.gateway} />],
              ...solvency.gateway_coins.map(
                (coins) => [t`${coins.asset} at the gateway`, <Coins key={coins.asset} coins={coins} />] as const,
              ),
              [t`Gateway, reported less booked`, <Money key="deviation" value={solvency.gateway_deviation} />],
              [t`Trading venue`, <Report key="venue" holding={reported.venue} />],
              [t`Total`, <Money key="total" value={reported.total} />],
              [t`Used for the solvency check`, <Money key="counted" value={reported.counted} />],
            ]}
          />
          <Note
            mt={12}
          >{t`The solvency check uses the lower of the ledger balance and the reported balance. If liabilities exceed it, payouts stop until an operator has reviewed it. Reports older than one hour are ignored.`}</Note>
        </>
      )}
    </Panel>
  );
}

function Coins({ coins: { asset, units, value, valued_at, valued } }: { coins: GatewayCoins }) {
  return (
    <>
      <Money value={value} />
      <Text c="var(--tw-text-3)" fz="xs" lh="1rem">
        {units} {asset}
        <br />
        {valuedText(valued_at, valued)}
      </Text>
    </>
  );
}

/** When coins were last valued; an old value is marked as such. */
const valuedText = (at: string | null, isValued: boolean): string => {
  if (at === null) return t`not valued yet`;
  return isValued ? t`valued ${formatDateTime(at)}` : t`not valued since ${formatDateTime(at)}`;
};

type Holding = DataOf<typeof solvencySeal.getReported>['gateway'];

function Report({ holding: { state, reported, at } }: { holding: Holding }) {
  if (state === 'simulated') return t`Simulated`;
  return (
    <>
      <Money value={reported} />
      <Text c="var(--tw-text-3)" fz="xs" lh="1rem">
        {at
          ? state === 'reported'
            ? formatDateTime(at)
            : t`last reported ${formatDateTime(at)}`
          : t`not reported yet`}
      </Text>
    </>
  );
}
