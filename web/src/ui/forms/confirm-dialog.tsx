import { Button, Group, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { Refusal } from '../plain/refusal.tsx';
import { BusyButton } from './busy-button.tsx';
import classes from './confirm-dialog.module.css';
import { Dialog } from './dialog.tsx';

type ConfirmDialogProps = {
  opened: boolean;
  onClose: () => void;
  title: string;
  /** What will happen, with its current figures. */
  children: ReactNode;
  keep: string;
  confirm: string;
  busy: boolean;
  busyLabel: string;
  /** Keeps the dialog open, with its message. */
  refused: Error | null;
  onConfirm: () => void;
};

/** Asks for confirmation before something that cannot be undone, naming what goes where. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { opened, onClose, title, children, keep, confirm, busy, busyLabel, refused, onConfirm } = props;
  return (
    <Dialog opened={opened} onClose={onClose} title={title} size={420} withCloseButton={false} isHeld={busy}>
      <Stack gap={8} fz="md" c="var(--tw-text-2)" className={classes.text}>
        {children}
      </Stack>
      <Refusal error={refused} />
      <Group className={classes.actions} justify="flex-end" gap={8} mt={20}>
        <Button variant="subtle" disabled={busy} onClick={onClose} data-autofocus>
          {keep}
        </Button>
        <BusyButton busy={busy} busyLabel={busyLabel} onClick={onConfirm}>
          {confirm}
        </BusyButton>
      </Group>
    </Dialog>
  );
}
