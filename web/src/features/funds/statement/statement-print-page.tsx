import { t, translate } from '../../../api/texts.ts';
import '../../../ui/frame/member.css';
import { Button } from '@mantine/core';
import { IconAlertTriangle, IconPrinter } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type CSSProperties, useState } from 'react';
import { useSearchParams } from 'react-router';
import { appInfo } from '../../../api/app-info.ts';
import { sessionQuery } from '../../../api/market/queries.ts';
import { meQuery } from '../../../api/me-query.ts';
import { useMember } from '../../../api/sign-in-state.ts';
import { lightTokens } from '../../../api/tokens.ts';
import { periodError } from '../../../ui/format/period.ts';
import { formatDateTime } from '../../../ui/format/time.ts';
import { Logo } from '../../../ui/frame/logo.tsx';
import { ProductMode } from '../../../ui/frame/mode-label.tsx';
import { paths } from '../../../ui/paths.ts';
import { ListState } from '../../../ui/table/list-state.tsx';
import { CodeText, TextLink } from '../../../ui/text/text.tsx';
import {
  filterText,
  periodText,
  readFilterChoice,
  type StatementFilter,
  statementFilter,
} from './statement-filters.ts';
import classes from './statement-print-page.module.css';
import { KindTotals, Lines, WalletTotals } from './statement-print-tables.tsx';
import { type PrintedStatement, printedStatementQuery } from './statement-queries.ts';

/** The statement for a printer or a PDF; its filters are in the address, as on the previous page. */
export function StatementPrintPage() {
  const [search] = useSearchParams();
  // The time of opening, so that the period stays the same while it is read.
  const [now] = useState(() => new Date());
  const choice = readFilterChoice(search);
  const error = periodError(choice.firstDay, choice.lastDay);
  const filter = statementFilter(choice, now);
  const printed = useQuery({ ...printedStatementQuery(filter), enabled: error === undefined });
  return (
    <div className={classes.page} style={lightTokens as CSSProperties}>
      <title>{`${t`Statement`} · ${appInfo.brandName}`}</title>
      <header className={classes.tools}>
        <TextLink
          to={{ pathname: paths.transactionHistory, search: search.toString() }}
        >{t`Back to transaction history`}</TextLink>
        <Button
          h="auto"
          mih={36}
          styles={{ label: { whiteSpace: 'normal' } }}
          disabled={printed.data === undefined}
          leftSection={<IconPrinter size={16} stroke={1.5} aria-hidden />}
          onClick={() => window.print()}
        >{t`Print or save as PDF`}</Button>
      </header>
      <main className={classes.sheet} aria-busy={printed.isFetching || undefined}>
        {printed.data && <Sheet printed={printed.data} filter={filter} madeAt={printed.dataUpdatedAt} />}
        {(printed.isError || error) && printed.data === undefined && (
          <ListState
            icon={IconAlertTriangle}
            title={error ?? t`The statement could not be loaded`}
            error
            isPage
            action={
              error === undefined && (
                <Button variant="default" onClick={() => void printed.refetch()}>{t`Try again`}</Button>
              )
            }
          >
            {error === undefined && t`Your money is not affected. Try again in a moment.`}
          </ListState>
        )}
        {printed.isLoading && <p role="status">{t`Loading the statement…`}</p>}
      </main>
    </div>
  );
}

type SheetProps = { printed: PrintedStatement; filter: StatementFilter; madeAt: number };

function Sheet({ printed: { statement, lines }, filter, madeAt }: SheetProps) {
  const stored = useMember();
  const { data: me } = useQuery(meQuery);
  const member = me?.user ?? stored;
  const { data: session } = useQuery({ ...sessionQuery, refetchInterval: false });
  const words = filterText({ kind: filter.kind, wallet: filter.wallet });
  const facts = [
    [t`Name`, member?.name],
    [t`Registered Id`, <CodeText key="id">{member?.referral_code ?? ''}</CodeText>],
    [t`Period, UTC`, periodText(filter)],
    [t`As of`, formatDateTime(statement.to)],
    ...(words === '' ? [] : [[t`Filter`, words] as const]),
    [t`Created`, formatDateTime(madeAt)],
  ] as const;
  return (
    <>
      <header className={classes.head}>
        <div>
          <Logo />
          <h1>{t`Statement`}</h1>
        </div>
        <div className={classes.modes}>
          <ProductMode />
          {session?.feed.label && <span>{translate(session.feed.label)}</span>}
        </div>
      </header>
      <dl className={classes.facts}>
        {facts.map(([label, value]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <WalletTotals statement={statement} filter={filter} />
      <KindTotals statement={statement} />
      <Lines statement={statement} lines={lines} />
    </>
  );
}
