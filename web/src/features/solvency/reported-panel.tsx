import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { DataOf } from '#contract/endpoint.ts';
import type { solvencySeal } from '#contract/solvency/proof.ts';
import { formatDateTime } from '../../ui/format/time.ts';
import { Panel } from '../../ui/frame/panel.tsx';
import { TableError } from '../../ui/table/data-table-states.tsx';
import { KeyValues } from '../../ui/table/key-values.tsx';
import { Money } from '../../ui/text/money.tsx';
import classes from './check-panels.module.css';
import { reportedQuery } from './queries.ts';

type Holding = DataOf<typeof solvencySeal.getReported>['gateway'];

/** What gateway and exchange say they hold, each with the time of its answer; only where real money is held. */
export function ReportedPanel() {
  const query = useQuery(reportedQuery);
  const reported = query.data;
  return (
    <Panel title="What holders report">
      {query.isError && !reported && <TableError query={query} />}
      {reported && (
        <>
          <KeyValues
            rule
            items={[
              ['Payment gateway', <Report key="gateway" holding={reported.gateway} />],
              ['Trading venue', <Report key="venue" holding={reported.venue} />],
              ['Together', <Money key="total" value={reported.total} />],
              ['Counts for the alarm', <Money key="counted" value={reported.counted} />],
            ]}
          />
          <Text mt={12} c="dimmed" fz="xs" lh="16px">
            The lower of what the books say and what is reported counts. When more is owed than that, no money is paid
            out until somebody has looked. A report older than an hour is not known.
          </Text>
        </>
      )}
    </Panel>
  );
}

function Report({ holding: { state, reported, at } }: { holding: Holding }) {
  if (state === 'simulated') return 'Simulated';
  return (
    <>
      <Money value={reported} />
      <small className={classes.heard}>
        {at ? (state === 'reported' ? formatDateTime(at) : `last heard ${formatDateTime(at)}`) : 'not heard yet'}
      </small>
    </>
  );
}
