import { Button } from '@mantine/core';
import { IconHandStop } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Operator } from '../../../api/operator-state.ts';
import { formatDateTime } from '../../../ui/format/time.ts';
import { Banner } from '../../../ui/frame/banner.tsx';
import { toast } from '../../../ui/frame/toast.ts';
import { DecisionDialog } from '../kit/decision-dialog.tsx';
import { payers } from '../roles.ts';
import { payoutSwitchQuery, useTurnSwitch } from './queries.ts';

const reason = { label: 'Reason', hint: 'All operators read it.' };

/** Stops everything that goes out, at once: no code is asked for, since a stop must never wait for a phone. */
export function StopPayouts({ operator }: { operator: Operator }) {
  const { data } = useQuery(payoutSwitchQuery);
  const turn = useTurnSwitch();
  const [isOpen, setOpen] = useState(false);
  if (!payers.includes(operator.role)) return null;
  return (
    <>
      {data?.stopped === false && (
        <Button
          variant="danger"
          leftSection={<IconHandStop size={16} stroke={1.5} aria-hidden />}
          onClick={() => setOpen(true)}
        >
          Stop payouts
        </Button>
      )}
      <DecisionDialog
        opened={isOpen}
        onClose={() => setOpen(false)}
        title="Stop all payouts"
        asks={{ reason }}
        confirm="Stop payouts"
        busyLabel="Stopping"
        danger
        isBusy={turn.isPending}
        onConfirm={({ reason: why }, onError) =>
          turn.mutate(
            { stopped: true, why },
            {
              onSuccess: () => {
                setOpen(false);
                toast.success('Payouts are stopped');
              },
              onError,
            },
          )
        }
      >
        From now on nothing is approved, taken or paid. Members may still ask; their requests wait. What was sent before
        goes on.
      </DecisionDialog>
    </>
  );
}

/** Who stopped payouts, when and why; letting them go on takes a code. */
export function PayoutSwitchBanner({ operator }: { operator: Operator }) {
  const { data } = useQuery(payoutSwitchQuery);
  const turn = useTurnSwitch();
  const [isOpen, setOpen] = useState(false);
  const mayTurn = payers.includes(operator.role);
  return (
    <>
      {data?.stopped && (
        <Banner
          tone="loss"
          icon={<IconHandStop size={20} stroke={1.5} />}
          title="Payouts are stopped"
          action={
            mayTurn && (
              <Button size="sm" variant="default" onClick={() => setOpen(true)}>
                Let them go on
              </Button>
            )
          }
        >
          {data.operator ?? 'The system'}
          {data.at !== null && `, ${formatDateTime(data.at)}`}
          {data.why !== null && `: ${data.why}`}
        </Banner>
      )}
      <DecisionDialog
        opened={isOpen}
        onClose={() => setOpen(false)}
        title="Let payouts go on"
        asks={{ reason, otp: true }}
        confirm="Let them go on"
        busyLabel="Saving"
        isBusy={turn.isPending}
        onConfirm={({ reason: why, otp }, onError) =>
          turn.mutate(
            { stopped: false, why, otp },
            {
              onSuccess: () => {
                setOpen(false);
                toast.success('Payouts go on');
              },
              onError,
            },
          )
        }
      >
        What is approved is paid next, and withdrawals can be approved again.
      </DecisionDialog>
    </>
  );
}
