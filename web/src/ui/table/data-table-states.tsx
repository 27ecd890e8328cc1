import { Box, Button, Group, Text } from '@mantine/core';
import { type Icon, IconAlertTriangle, IconClock, IconFilter, IconRefresh } from '@tabler/icons-react';
import { type ReactNode, useEffect, useState } from 'react';
import { CallError } from '../../api/call.ts';
import { t } from '../../api/texts.ts';
import { formatTime } from '../format/time.ts';
import { SupportLink } from '../frame/support-link.tsx';
import { Panel } from '../layout/panel.tsx';
import { CodeText, Trans } from '../text/text.tsx';
import classes from './data-table.module.css';
import { ListState } from './list-state.tsx';
import { TryAgain } from './try-again.tsx';

/** What a list uses of its TanStack query. */
export type ListQuery = {
  isError: boolean;
  isFetching: boolean;
  /** True while the rows are still those of the previous query. */
  isPlaceholderData?: boolean;
  error: unknown;
  /** When the shown rows arrived, in real milliseconds. */
  dataUpdatedAt: number;
  refetch: () => unknown;
};

/** For rows that arrived with something else: never loading, never failed. */
export const arrived: ListQuery = {
  isError: false,
  isFetching: false,
  error: null,
  dataUpdatedAt: 0,
  refetch: () => undefined,
};

export type Empty = { icon: Icon | null; title: ReactNode; text?: ReactNode; action?: ReactNode };

/** The message when a filter hides every row. */
export type Filtered = { title: ReactNode; text?: ReactNode; onClear: () => void };

/** Whether a query failed and has loaded nothing yet, also while it is tried again. */
export const isUnknown = (query: { data: unknown; errorUpdateCount: number }): boolean =>
  query.data === undefined && query.errorUpdateCount > 0;

const LATE_MS = 200;

/** True once `waiting` has lasted long enough to be noticed. */
export function useLate(waiting: boolean): boolean {
  const [late, setLate] = useState(false);
  useEffect(() => {
    if (!waiting) return setLate(false);
    const timer = setTimeout(() => setLate(true), LATE_MS);
    return () => clearTimeout(timer);
  }, [waiting]);
  return late && waiting;
}

type Bar = { align?: 'left' | 'right'; from?: string };

/** Static placeholder bars for the rows; the head is real. Without columns they are rows of the narrow list. */
export function LoadingRows({ columns }: { columns?: readonly Bar[] }) {
  const widths = ['72%', '60%', '80%', '66%', '54%'];
  if (!columns) {
    return widths.map((width) => (
      <li key={width}>
        <i className={classes.bar} style={{ width }} />
      </li>
    ));
  }
  return widths.map((width, row) => (
    <tr key={width}>
      {columns.map(({ align, from }, column) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the bars never move
        <td key={column} data-align={align} data-from={from}>
          <i className={classes.bar} style={{ width: widths[(row + column) % widths.length] }} />
        </td>
      ))}
    </tr>
  ));
}

type LoadErrorProps = {
  query: Pick<ListQuery, 'error' | 'isFetching' | 'refetch'>;
  title: string;
  /** With the call's request id, if there was a response. */
  children: (requestId: ReactNode) => ReactNode;
};

/** What could not be loaded, and Try again. */
export function LoadError({ query, title, children }: LoadErrorProps) {
  const requestId = query.error instanceof CallError ? query.error.requestId : undefined;
  return (
    <ListState
      error
      icon={IconAlertTriangle}
      title={title}
      action={<TryAgain query={query} leftSection={<IconRefresh size={16} stroke={1.5} aria-hidden />} />}
    >
      {children(requestId && <CodeText>{requestId}</CodeText>)}
    </ListState>
  );
}

/** What failed (the list or what replaces it), that money is safe, the request id for support, and Try again. */
export const TableError = ({ query, isList = true }: { query: ListQuery; isList?: boolean }) => (
  <LoadError query={query} title={isList ? t`The list could not be loaded` : t`This could not be loaded`}>
    {(requestId) => (
      <>
        {t`Your money is not affected.`}{' '}
        {requestId ? (
          <Trans
            text={t`Try again, or contact <support/> with the ID <id/>.`}
            support={<SupportLink />}
            id={requestId}
          />
        ) : (
          t`Check your connection and try again.`
        )}
      </>
    )}
  </LoadError>
);

export const ClearFilter = ({ onClear }: Pick<Filtered, 'onClear'>) => (
  <Button variant="default" onClick={onClear}>
    {t`Clear filter`}
  </Button>
);

/** Empty list, or no match for the filter. */
export function EmptyList({ empty, filtered }: { empty: Empty; filtered: Filtered | false | undefined }) {
  const { icon, title, text, action } = filtered
    ? { ...filtered, icon: IconFilter, action: <ClearFilter onClear={filtered.onClear} /> }
    : empty;
  return (
    <ListState icon={icon} title={title} action={action}>
      {text}
    </ListState>
  );
}

/** Keeps the rows, under a line that says how old they are. */
export function StaleLine({ query }: { query: ListQuery }) {
  return (
    <Group className={classes.stale} role="status" wrap="nowrap" gap="sm" px={{ base: 'md', sm: 20 }} py="xs" fz="sm">
      <IconClock size={20} stroke={1.5} aria-hidden />
      <Box flex={1} c="var(--tw-text-2)">
        <Text component="b" fz="sm" fw={600} c="var(--tw-text)">
          {t`No connection since ${formatTime(query.dataUpdatedAt)} UTC.`}
        </Text>{' '}
        {t`Showing data from that time.`}
      </Box>
      <TryAgain query={query} size="sm" />
    </Group>
  );
}

type QueryFaultProps = { query: ListQuery & { data?: unknown }; isList?: boolean };

/** If a query failed: that nothing could be loaded, or how old the data is. */
export const QueryFault = ({ query, isList = true }: QueryFaultProps) =>
  query.isError &&
  (query.data === undefined ? <TableError isList={isList} query={query} /> : <StaleLine query={query} />);

/** The same in a panel of its own, above or instead of what a page shows. */
export const FaultPanel = ({ query }: Pick<QueryFaultProps, 'query'>) =>
  query.isError && (
    <Panel padded={false}>
      <QueryFault isList={false} query={query} />
    </Panel>
  );
