import { Button } from '@mantine/core';
import { IconGift } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import type { FeePlanTerms } from '#contract/fee-plan.ts';
import type { BonusKind, IncomeKind, IncomeLine } from '#contract/income.ts';
import { Coverage } from '../../entities/income/coverage.tsx';
import { percentWords } from '../../entities/income/fee-lines.ts';
import { useCurrentTerms } from '../../entities/income/fee-terms.ts';
import { incomeWords, rateWords } from '../../entities/income/labels.ts';
import { formatDate } from '../../ui/format/time.ts';
import { Panel } from '../../ui/frame/panel.tsx';
import { paths } from '../../ui/paths.ts';
import { CsvExport } from '../../ui/table/csv-export.tsx';
import { type Column, DataTable } from '../../ui/table/data-table.tsx';
import { MobileRow } from '../../ui/table/mobile-row.tsx';
import { useCursorPaging } from '../../ui/table/use-cursor-paging.ts';
import { Figure } from '../../ui/text/figure.tsx';
import { Money } from '../../ui/text/money.tsx';
import { BonusSource } from './bonus-source.tsx';
import { EarningsFigures } from './earnings-figures.tsx';
import classes from './income.module.css';
import { IncomePage, shareFacts } from './income-page.tsx';
import { bonusWords } from './labels.ts';
import { linesQuery, pageOf, readLines } from './queries.ts';

export const ReferralBonusPage = () => <BonusPage kind="referral" of="referral" />;
export const TeamLevelBonusPage = () => <BonusPage kind="level" of="level" />;
export const TeamProfitPage = () => <BonusPage kind="team-profit" of="team_profit" />;

const columnsOf = (kind: BonusKind): readonly Column<IncomeLine>[] => [
  {
    key: 'session',
    label: 'Session',
    render: (line) => <span className={classes.when}>{formatDate(line.session)}</span>,
    csv: (line) => line.session,
  },
  {
    key: 'level',
    label: 'Level',
    // The referral bonus is level 1 always.
    ...(kind !== 'referral' && { render: (line: IncomeLine) => `Level ${line.level}` }),
    csv: (line) => line.level,
  },
  {
    key: 'volume',
    label: 'They traded',
    align: 'right',
    render: (line) => <Money value={line.volume} decimals={2} />,
    csv: (line) => line.volume,
  },
  {
    key: 'fees',
    label: kind === 'team-profit' ? 'Performance fees' : 'Trade fees',
    align: 'right',
    render: (line) => <Money value={line.fees} />,
    csvLabel: 'Fees',
    csv: (line) => line.fees,
  },
  {
    key: 'rate',
    label: 'Your share',
    align: 'right',
    render: (line) => rateWords(line.rate),
    csvLabel: 'Your share in percent',
    csv: (line) => line.rate,
  },
  {
    key: 'amount',
    label: 'Paid',
    align: 'right',
    render: (line) => (
      <>
        <b className={classes.paid}>
          <Money value={line.amount} />
        </b>
        <Coverage value={line.coverage} />
      </>
    ),
    csv: (line) => line.amount,
  },
  { key: 'coverage', label: 'Coverage', csv: (line) => line.coverage },
  { key: 'paid', label: 'Paid at', csv: (line) => line.created_at },
];

const nameOf = (line: IncomeLine): string => `${formatDate(line.session)}, level ${line.level}`;

function RowOnMobile({ line, kind }: { line: IncomeLine; kind: BonusKind }) {
  return (
    <MobileRow>
      <span>
        {formatDate(line.session)}
        <Money value={line.amount} />
      </span>
      <span>
        <small>
          {kind !== 'referral' && `Level ${line.level} · `}
          {rateWords(line.rate)} of <Money value={line.fees} />
        </small>
        <Coverage value={line.coverage} />
      </span>
    </MobileRow>
  );
}

/** What the sessions' fees brought by session and level; every line opens into whose trades it comes from. */
function BonusPage({ kind, of }: { kind: BonusKind; of: IncomeKind }) {
  const paging = useCursorPaging();
  const lines = useQuery(linesQuery(kind, paging.cursor));
  const { name } = incomeWords[of];
  const words = bonusWords[kind];
  return (
    <IncomePage
      name={name}
      facts={shareFacts}
      download={
        <CsvExport
          fileName={`${kind}.csv`}
          columns={columnsOf(kind)}
          readPage={(query, signal) => readLines(kind, query, signal)}
        />
      }
    >
      <EarningsFigures kind={of}>
        <ShareFigure kind={kind} />
      </EarningsFigures>
      <Panel title={name} rule padded={false} className={classes.listed} control={words.from}>
        <DataTable
          label={name}
          columns={columnsOf(kind)}
          rows={lines.data?.items}
          rowKey={(line) => line.id}
          query={lines}
          minHeight={400}
          mobileRow={(line) => <RowOnMobile line={line} kind={kind} />}
          opening={{ name: nameOf, render: (line) => <BonusSource kind={kind} id={line.id} /> }}
          paging={paging.pagingOf(pageOf(lines.data))}
          empty={{
            icon: <IconGift size={20} stroke={1.5} />,
            title: `No ${name} yet`,
            text: `${words.none} A session without fees pays nothing.`,
            action: (
              <Button variant="default" renderRoot={(props) => <Link to={paths.referralTeam} {...props} />}>
                Your invitation
              </Button>
            ),
          }}
        />
      </Panel>
    </IncomePage>
  );
}

/** What the fee plan in force gives: the levels' shares from the first to the last of this bonus. */
function ShareFigure({ kind }: { kind: BonusKind }) {
  const terms = useCurrentTerms();
  const { levels, fees } = bonusWords[kind];
  const shares = terms && sharesOf(kind, terms);
  const [first, last] = [shares?.at(0), shares?.at(-1)];
  return (
    <Figure label="Your share now" foot={`of the ${fees}, ${levels}`}>
      {first === undefined || last === undefined
        ? '–'
        : first === last
          ? percentWords(first)
          : `${percentWords(first)} to ${percentWords(last)}`}
    </Figure>
  );
}

function sharesOf(kind: BonusKind, { level_bps: levels, team_profit_bps: profits }: FeePlanTerms): readonly number[] {
  if (kind === 'team-profit') return profits;
  return kind === 'referral' ? levels.slice(0, 1) : levels.slice(1);
}
