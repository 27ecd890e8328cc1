import { Box, Group, Stack } from '@mantine/core';
import { IconRefresh } from '@tabler/icons-react';
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useOperator } from '../../../api/operator-state.ts';
import { formatDateTime } from '../../../ui/format/time.ts';
import { BusyButton } from '../../../ui/forms/busy-button.tsx';
import { Banner } from '../../../ui/frame/banner.tsx';
import { toast } from '../../../ui/frame/toast.ts';
import { PageHead } from '../../../ui/layout/page-head.tsx';
import { Panel, Rows } from '../../../ui/layout/panel.tsx';
import { financeRoles } from '../roles.ts';
import { Quiet } from './detail-panel.tsx';
import { Loaded } from './list-table.tsx';
import { useOperatorMutation } from './use-operator-mutation.ts';

/** Why an entry of a statement is open. */
export const kindLabels = { unmatched: 'Unmatched', missing: 'Missing in the statement', differs: 'Differs' } as const;

type StatementHeadProps<Statement> = {
  title: string;
  facts: string;
  query: UseQueryResult<Statement>;
  /** The query key of its lists. */
  queryKey: string;
  /** Requests an import; a worker runs it within a minute. */
  onImport: () => Promise<unknown>;
  /** Whether there is something to import, and whether it was requested already. */
  importOf: (statement: Statement) => { can: boolean; isRequested: boolean };
  /** The toast after the request. */
  asked: string;
  /** The last import. */
  children: (statement: Statement) => ReactNode;
};

/** The top of a page that compares an external statement with the ledger: its imports, and a button to request one. */
export function StatementHead<Statement>(props: StatementHeadProps<Statement>) {
  const { title, facts, query, queryKey, onImport, importOf, asked, children } = props;
  const { role } = useOperator();
  const { data } = query;
  const { can, isRequested } = data === undefined ? { can: false, isRequested: false } : importOf(data);
  const ask = useOperatorMutation(onImport, [queryKey], () => toast.success('Import requested', asked));
  return (
    <>
      <PageHead title={title} facts={facts}>
        {can && financeRoles.includes(role) && (
          <BusyButton
            variant="default"
            leftSection={<IconRefresh size={16} stroke={1.5} aria-hidden />}
            disabled={isRequested}
            busy={ask.isPending}
            busyLabel="Requesting"
            onClick={() => ask.mutate()}
          >
            {isRequested ? 'Import requested' : 'Import now'}
          </BusyButton>
        )}
      </PageHead>
      <Loaded query={query} title="The statement could not be loaded">
        {(statement) => (
          <Stack gap="md" flex="none">
            {children(statement)}
          </Stack>
        )}
      </Loaded>
    </>
  );
}

/** Why the newest attempt failed; nothing where it succeeded. */
export const FailedImport = ({ of, fault, at }: { of?: string; fault: string | null; at: string | null }) =>
  fault !== null &&
  at !== null && (
    <Banner tone="amber" title={`${of === undefined ? 'The' : `${of}: the`} import of ${formatDateTime(at)} failed`}>
      {fault}
    </Banner>
  );

type ImportRow = { key: string; what: string; detail: string; count: string; countDetail?: string };

/** The imports, or why there are none. */
export const Imports = ({ rows, none }: { rows: readonly ImportRow[]; none: string }) => (
  <Panel title="Imports" rule={rows.length > 0} padded={rows.length === 0}>
    {rows.length === 0 ? (
      none
    ) : (
      <Rows>
        {rows.map(({ key, what, detail, count, countDetail }) => (
          <Group key={key} component="li" gap="sm" wrap="nowrap" fz="sm" align="start">
            <Box flex={1} miw={0}>
              {what}
              <Quiet>{detail}</Quiet>
            </Box>
            <Box ta="right">
              {count}
              {countDetail !== undefined && <Quiet>{countDetail}</Quiet>}
            </Box>
          </Group>
        ))}
      </Rows>
    )}
  </Panel>
);
