import { Button, VisuallyHidden } from '@mantine/core';
import { IconChevronRight, IconMessage, IconPlus } from '@tabler/icons-react';
import { Link } from 'react-router';
import type { Ticket } from '#contract/tickets/tickets.ts';
import { plural, t, translate } from '../../api/texts.ts';
import { aboutPath, categoryLabels } from '../../entities/ticket/ticket-labels.ts';
import { formatDateTime } from '../../ui/format/time.ts';
import { PageHead } from '../../ui/layout/page-head.tsx';
import { paths } from '../../ui/paths.ts';
import { StateBadge, stateOptions } from '../../ui/state/state-badge.tsx';
import { column } from '../../ui/table/columns.tsx';
import { type Column, MobileRow } from '../../ui/table/data-table.tsx';
import { StateList } from '../../ui/table/state-list.tsx';
import { CodeText, TextLink, When } from '../../ui/text/text.tsx';
import { ticketsQuery } from './queries.ts';
import classes from './query-page.module.css';

const states = stateOptions('query');

export function QueryPage() {
  return (
    <>
      <PageHead title={t`Query`} facts={t`Questions to support and their replies`}>
        <Button
          component={Link}
          to={paths.newQuery}
          leftSection={<IconPlus size={16} stroke={1.5} aria-hidden />}
        >{t`New query`}</Button>
      </PageHead>
      <TicketList />
    </>
  );
}

const columns: readonly Column<Ticket>[] = [
  column(t`Subject`, (row) => (
    <span className={classes.subject} data-unread={row.unread > 0 || undefined}>
      <span className={classes.words}>
        <Link translate="no" to={paths.oneQuery(row.id)} data-row-link>
          {row.subject}
        </Link>
        <small>
          <CodeText>{row.reference}</CodeText>
        </small>
      </span>
      <UnreadMark unread={row.unread} />
    </span>
  )),
  column(t`Category`, (row) => categoryLabels[row.category]),
  column(
    t`About`,
    (row) =>
      row.about && (
        <span className={classes.about}>
          <TextLink to={aboutPath(row.about)}>{translate(row.about.label)}</TextLink>
        </span>
      ),
  ),
  column(t`Last updated, UTC`, (row) => <When at={row.updated_at} />),
  column(t`State`, (row) => <StateBadge of="query" state={row.state} />),
  {
    key: 'open',
    label: <VisuallyHidden>{t`Open`}</VisuallyHidden>,
    align: 'right',
    width: '56px',
    render: () => <IconChevronRight size={16} stroke={1.5} aria-hidden />,
  },
];

function UnreadMark({ unread }: { unread: number }) {
  if (unread === 0) return null;
  return (
    <span className={classes.unread}>
      <span aria-hidden>{unread}</span>
      <VisuallyHidden>{plural(unread, { one: '# unread message', other: '# unread messages' })}</VisuallyHidden>
    </span>
  );
}

function RowOnMobile({ row }: { row: Ticket }) {
  return (
    <MobileRow to={paths.oneQuery(row.id)}>
      <span>
        <span translate="no" className={classes.title} data-unread={row.unread > 0 || undefined}>
          {row.subject}
        </span>
        <UnreadMark unread={row.unread} />
        <StateBadge of="query" state={row.state} />
      </span>
      <span>
        <small>
          {categoryLabels[row.category]}
          {row.about && ` · ${translate(row.about.label)}`}
        </small>
        <small className={classes.when}>{formatDateTime(row.updated_at)}</small>
      </span>
    </MobileRow>
  );
}

const TicketList = () => (
  <StateList
    title={t`Your queries`}
    states={states}
    queryOf={ticketsQuery}
    columns={columns}
    isRowLink
    mobileRow={(row) => <RowOnMobile row={row} />}
    hidden={(state) => ({
      title: t`No query is “${state}”`,
      text: t`The filter hides queries in other states.`,
    })}
    empty={{
      icon: IconMessage,
      title: t`No queries yet`,
      text: t`Your questions to support and their replies appear here.`,
      action: <Button component={Link} to={paths.newQuery} variant="default">{t`Ask support`}</Button>,
    }}
  />
);
