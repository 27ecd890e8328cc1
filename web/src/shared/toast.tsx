import { type NotificationData, notifications } from '@mantine/notifications';
import { IconCircleCheck, IconCircleX, IconInfoCircle } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { toastMs } from '#contract/rules.ts';
import classes from './toast.module.css';

type Tone = 'success' | 'error' | 'info';

const icons = { success: IconCircleCheck, error: IconCircleX, info: IconInfoCircle } as const;

/** Without a second part the first is the whole fact: "Trade placed", "$550.00 in link/usdt from the Primary Wallet". */
function show(tone: Tone, title: ReactNode, text?: ReactNode) {
  const Icon = icons[tone];
  // A toast whose id is on screen is not shown again: two calls refused for one reason are one fact.
  const id = text === undefined && typeof title === 'string' ? `${tone} ${title}` : crypto.randomUUID();
  const data: NotificationData = {
    id,
    title: text === undefined ? undefined : title,
    message: text ?? title,
    icon: <Icon size={20} stroke={1.5} aria-hidden />,
    role: tone === 'error' ? 'alert' : 'status',
    mod: { tone },
    className: classes.toast,
  };
  notifications.show({
    ...data,
    // It waits on hover by itself; for the keyboard it has to be told.
    onFocus: () => notifications.update({ ...data, autoClose: false }),
    onBlur: () => notifications.update({ ...data, autoClose: toastMs }),
  });
}

/** Toasts of 3 seconds that wait on hover and focus; three at most. Words: visual.md section 8. */
export const toast = {
  success: (title: ReactNode, text?: ReactNode) => show('success', title, text),
  error: (title: ReactNode, text?: ReactNode) => show('error', title, text),
  info: (title: ReactNode, text?: ReactNode) => show('info', title, text),
};
