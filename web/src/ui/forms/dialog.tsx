import { Modal, type ModalProps } from '@mantine/core';
import { Fragment, type SyntheticEvent, useEffect, useState } from 'react';
import { t } from '../../api/texts.ts';
import { useNarrow } from '../use-narrow.ts';
import classes from './dialog.module.css';

type DialogProps = ModalProps & {
  /** While a request is running, the dialog cannot be closed. */
  isHeld?: boolean;
  /** A step with a form: 480 px wide, full screen on a phone, with its actions at the foot, one of which closes it. */
  isSheet?: boolean;
};

/**
 * Every dialog of the app. A dialog that is fading out is still a form under the pointer: from the moment it starts to
 * close it ignores presses and submits nothing, so that a second click cannot move money twice. Its content is mounted
 * anew each time it opens, even when it reopens before it has faded. A press beside it does not close it once something
 * was typed, which would be lost.
 */
export function Dialog({ opened, isHeld = false, isSheet = false, children, ...rest }: DialogProps) {
  const fills = useNarrow() && isSheet;
  const isOpen = useOpenedAfterMount(opened);
  const [wasOpened, setWasOpened] = useState(opened);
  const [openings, setOpenings] = useState(0);
  const [isTyped, setTyped] = useState(false);
  if (wasOpened !== opened) {
    setWasOpened(opened);
    setTyped(false);
    if (opened) setOpenings(openings + 1);
  }
  return (
    // Swallowed rather than passed through: the second click would press something underneath.
    <Modal
      closeOnEscape={!isHeld}
      closeOnClickOutside={!isHeld && !isTyped}
      onInputCapture={() => setTyped(true)}
      closeButtonProps={{ 'aria-label': t`Close`, disabled: isHeld }}
      {...(isSheet && {
        size: 480,
        withCloseButton: false,
        fullScreen: fills,
        classNames: { inner: classes.inner, content: classes.content, body: classes.body },
      })}
      {...(fills && { radius: 0 })}
      {...rest}
      opened={isOpen}
      {...(!opened && { onClickCapture: swallow, onSubmitCapture: swallow, 'data-closing': true })}
    >
      <Fragment key={openings}>{children}</Fragment>
    </Modal>
  );
}

function swallow(event: SyntheticEvent) {
  event.preventDefault();
  event.stopPropagation();
}

/**
 * For a dialog that is mounted when it is first opened: it mounts closed and opens right after; otherwise it would not
 * know where to return the focus.
 */
export function useOpenedAfterMount(opened: boolean): boolean {
  const [isMounted, setMounted] = useState(false);
  useEffect(() => setMounted(true), []);
  return isMounted && opened;
}

/** What a dialog is about: kept in its text while it closes. */
export function useLast<Value>(value: Value | undefined): Value | undefined {
  const [last, setLast] = useState(value);
  if (value !== undefined && value !== last) setLast(value);
  return value ?? last;
}
