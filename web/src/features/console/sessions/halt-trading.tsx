import { Button } from '@mantine/core';
import { IconHandStop } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Halt } from '#contract/trading/halt.ts';
import type { Operator } from '../../../api/operator-state.ts';
import { formatDateTime } from '../../../ui/format/time.ts';
import { Banner } from '../../../ui/frame/banner.tsx';
import { toast } from '../../../ui/frame/toast.ts';
import { DecisionDialog } from '../kit/decision-dialog.tsx';
import { payers } from '../roles.ts';
import { haltQuery, useHalt, useLift } from './queries.ts';

/** Halts trading at once: no code is asked for, since a stop must never wait for a phone. */
export function HaltTrading({ operator }: { operator: Operator }) {
  const { data } = useQuery(haltQuery);
  const halt = useHalt();
  const [isOpen, setOpen] = useState(false);
  if (!payers.includes(operator.role)) return null;
  return (
    <>
      {data?.halt === null && (
        <Button
          variant="danger"
          leftSection={<IconHandStop size={16} stroke={1.5} aria-hidden />}
          onClick={() => setOpen(true)}
        >
          Halt trading
        </Button>
      )}
      <DecisionDialog
        opened={isOpen}
        onClose={() => setOpen(false)}
        title="Halt trading"
        asks={{ reason: { label: 'Reason', hint: 'All members read it, on every page.' } }}
        confirm="Halt trading"
        busyLabel="Halting"
        danger
        isBusy={halt.isPending}
        onConfirm={({ reason }, onError) =>
          halt.mutate(
            { reason },
            {
              onSuccess: () => {
                setOpen(false);
                toast.success('Trading is halted');
              },
              onError,
            },
          )
        }
      >
        From now on nothing is placed and nothing opens. What is queued is given back whole, and plans do not buy. What
        is open goes on: members can close it, and stops and the end of the session sell it as ever.
      </DecisionDialog>
    </>
  );
}

/** Who halted trading, when and why; letting it go on takes a code. */
export function HaltStanding({ operator }: { operator: Operator }) {
  const { data } = useQuery(haltQuery);
  const lift = useLift();
  // What the dialog was opened on is what is lifted, and no later halt.
  const [seen, setSeen] = useState<Halt>();
  const [isOpen, setOpen] = useState(false);
  const halt = data?.halt;
  const open = () => {
    setSeen(halt ?? undefined);
    setOpen(true);
  };
  return (
    <>
      {halt && (
        <Banner
          tone="loss"
          icon={<IconHandStop size={20} stroke={1.5} />}
          title="Trading is halted"
          action={
            payers.includes(operator.role) && (
              <Button size="sm" variant="default" onClick={open}>
                Let it go on
              </Button>
            )
          }
        >
          {halt.by.name}, {formatDateTime(halt.at)}: {halt.reason}
        </Banner>
      )}
      {seen && (
        <DecisionDialog
          opened={isOpen}
          onClose={() => setOpen(false)}
          title="Let trading go on"
          asks={{ reason: { label: 'Why now', hint: 'All operators read it.' }, otp: true }}
          confirm="Let it go on"
          busyLabel="Saving"
          isBusy={lift.isPending}
          stale={
            isOpen && !lift.isPending && halt?.version !== seen.version
              ? 'This halt is over. Close this and look again.'
              : undefined
          }
          onConfirm={({ reason: note, otp }, onError) =>
            lift.mutate(
              { version: seen.version, note, otp },
              {
                onSuccess: () => {
                  setOpen(false);
                  toast.success('Trading goes on');
                },
                onError,
              },
            )
          }
        >
          Trades open again with the next price. Plans decide again at the next quarter of an hour.
        </DecisionDialog>
      )}
    </>
  );
}
