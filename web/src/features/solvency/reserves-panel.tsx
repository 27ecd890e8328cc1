import { Button, Code, Group, Stack, Text } from '@mantine/core';
import { IconSignature } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { ReserveStatement } from '#contract/solvency/reserves.ts';
import { t } from '../../api/texts.ts';
import { formatDate } from '../../ui/format/time.ts';
import { ModeNote } from '../../ui/frame/mode-label.tsx';
import { Panel, Rows } from '../../ui/layout/panel.tsx';
import { StateBadge } from '../../ui/state/state-badge.tsx';
import { TableError } from '../../ui/table/data-table-states.tsx';
import { ListState } from '../../ui/table/list-state.tsx';
import { Note } from '../../ui/text/paragraph.tsx';
import { reservesQuery } from './queries.ts';
import classes from './solvency.module.css';

const networkLabels: Readonly<Record<ReserveStatement['network'], string>> = {
  bitcoin: t`Bitcoin`,
  bitcoin_testnet: t`Bitcoin testnet`,
  ethereum: t`Ethereum`,
};

/** Signed statements of the company's address balances, each verified in the browser on request. */
export function ReservesPanel() {
  const query = useQuery(reservesQuery);
  const statements = query.data?.items;
  return (
    <Panel
      title={t`Signed statements of reserves`}
      padded={false}
      foot={t`A signature shows that the company controlled the address at that time only. Anyone can look up the amount at the address in a block explorer.`}
    >
      {query.isError && !statements && <TableError query={query} />}
      {statements?.length === 0 && (
        <ListState icon={IconSignature} title={t`No statements yet`}>
          {t`Addresses of the company appear here with a message signed by their key.`}
        </ListState>
      )}
      {statements && statements.length > 0 && (
        <Rows rule>
          {statements.map((statement) => (
            <Statement key={statement.id} statement={statement} />
          ))}
        </Rows>
      )}
    </Panel>
  );
}

function Statement({ statement }: { statement: ReserveStatement }) {
  const [isValid, setValid] = useState<boolean>();
  const check = async () => {
    // Loaded only for a verification.
    const { reserveFault } = await import('#contract/solvency/reserve-signature.ts');
    setValid(reserveFault(statement) === undefined);
  };
  const { amount, asset, network, address, message, signature, signed_on, simulated } = statement;
  return (
    <li>
      <div className={classes.head}>
        <div>
          <Text fw={600} fz="sm" lh="1.25rem">{`${amount} ${asset}`}</Text>
          <Note>{t`${networkLabels[network]}, signed ${formatDate(signed_on)}`}</Note>
        </div>
        <Group gap={12} wrap="nowrap">
          {simulated && <ModeNote>{t`Simulated`}</ModeNote>}
          {isValid !== undefined && (
            <StateBadge of="seal" state={isValid ? 'counted' : 'wrong'}>
              {isValid ? t`Valid signature` : t`Invalid signature`}
            </StateBadge>
          )}
          <Button size="compact-sm" variant="default" aria-label={t`Check ${address}`} onClick={() => void check()}>
            {t`Check`}
          </Button>
        </Group>
      </div>
      <code className={classes.address} translate="no">
        {address}
      </code>
      <details className={classes.signed}>
        <summary>{t`Message and signature`}</summary>
        <Stack gap={8} mt={8}>
          <Code block translate="no">
            {message}
          </Code>
          <Code block translate="no">
            {signature}
          </Code>
        </Stack>
      </details>
    </li>
  );
}
