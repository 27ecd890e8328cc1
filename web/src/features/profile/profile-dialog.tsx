import type { ReactNode } from 'react';
import { Dialog } from '../../ui/forms/dialog.tsx';
import { useNarrow } from '../../ui/use-narrow.ts';
import classes from './dialog.module.css';

type ProfileDialogProps = {
  opened: boolean;
  onClose: () => void;
  /** It is out of sight: what was in it can be forgotten without the words changing under the reader's eyes. */
  onGone?: () => void;
  title: string;
  /** While something is sent, and while codes are shown that are shown only once, it stays. */
  isHeld: boolean;
  children: ReactNode;
};

/** A step of account security: a dialog, and a sheet on a phone. Each brings its own way out. */
export function ProfileDialog({ opened, onClose, onGone, title, isHeld, children }: ProfileDialogProps) {
  const narrow = useNarrow();
  return (
    <Dialog
      opened={opened}
      onClose={onClose}
      {...(onGone ? { onExitTransitionEnd: onGone } : {})}
      title={title}
      size={480}
      padding={0}
      fullScreen={narrow}
      radius={narrow ? 0 : undefined}
      withCloseButton={false}
      isHeld={isHeld}
      classNames={{ inner: classes.inner, content: classes.content, body: classes.body }}
    >
      {children}
    </Dialog>
  );
}
