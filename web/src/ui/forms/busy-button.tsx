import { Button, type ButtonProps } from '@mantine/core';
import type { ComponentPropsWithoutRef } from 'react';
import { type Busy, BusyFace, busyProps } from '../plain/busy.tsx';

type BusyButtonProps = ButtonProps & Omit<ComponentPropsWithoutRef<'button'>, keyof ButtonProps> & Busy;

/**
 * A button that keeps its width while busy, shows a spinner and a verb instead of icon and label, and ignores further
 * presses.
 */
export function BusyButton(props: BusyButtonProps) {
  const { busy, busyLabel, leftSection, children, onClick, type, ...rest } = props;
  return (
    <Button {...rest} {...busyProps({ busy, type, onClick })}>
      <BusyFace busy={busy} busyLabel={busyLabel} icon={leftSection}>
        {children}
      </BusyFace>
    </Button>
  );
}
