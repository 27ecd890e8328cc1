import { Modal, type ModalProps } from '@mantine/core';
import { Fragment, type SyntheticEvent, useEffect, useState } from 'react';
import { t } from '../../api/texts.ts';
import { focusPage } from '../focus-page.ts';
import { useNarrow } from '../use-narrow.ts';
import classes from './dialog.module.css';

type DialogProps = ModalProps & {
  /** While something is sent, there is no way out of it. */
  isHeld?: boolean;
  /** A step with a form: 480 wide, and on a phone as large as the screen, with its actions at the foot, one of which closes it. */
  isSheet?: boolean;
};

/**
 * Every dialog of the app. A dialog that fades out is still a form under the pointer: from the moment it is told to
 * close it takes no press and sends nothing, so that a second click cannot move money twice. What is in it begins anew
 * each time it opens, also when it opens again before it has faded.
 */
export function Dialog({ opened, isHeld = false, isSheet = false, children, ...rest }: DialogProps) {
  const fills = useNarrow() && isSheet;
  const isOpen = useOpenedAfterMount(opened);
  useFocusWithoutOpener(isOpen);
  const [wasOpened, setWasOpened] = useState(opened);
  const [openings, setOpenings] = useState(0);
  if (wasOpened !== opened) {
    setWasOpened(opened);
    if (opened) setOpenings(openings + 1);
  }
  return (
    // Taken here and not let through to what lies below: the second click would press something else there.
    <Modal
      closeOnEscape={!isHeld}
      closeOnClickOutside={!isHeld}
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
      {...(!opened && { onClickCapture: swallow, onSubmitCapture: swallow })}
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
 * For what may come into the page when it is first opened: it comes closed and opens right after, or it would not know
 * whom to give the focus back to.
 */
export function useOpenedAfterMount(opened: boolean): boolean {
  const [isMounted, setMounted] = useState(false);
  useEffect(() => setMounted(true), []);
  return isMounted && opened;
}

/** After this Mantine has given the focus back to the button that opened it. */
const GIVEN_BACK_MS = 20;

/** That button may be gone with what was confirmed, and a dialog may go together with its button. */
function useFocusWithoutOpener(isOpen: boolean): void {
  useEffect(() => {
    if (!isOpen) return;
    const opener = document.activeElement;
    return () => {
      const atClose = document.activeElement;
      setTimeout(() => {
        const now = document.activeElement;
        if (!opener?.isConnected && (now === document.body || now === atClose)) focusPage();
      }, GIVEN_BACK_MS);
    };
  }, [isOpen]);
}
