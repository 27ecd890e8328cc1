import { notifications } from '@mantine/notifications';
import { IconCircleCheck, IconCircleX, IconInfoCircle } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import classes from './toast.module.css';

type Tone = 'success' | 'error' | 'info';

const icons = { success: IconCircleCheck, error: IconCircleX, info: IconInfoCircle } as const;

/** Without a second part the first is the whole fact: "Trade placed", "$550.00 in link/usdt from the Primary Wallet". */
function show(tone: Tone, title: ReactNode, text?: ReactNode) {
  const Icon = icons[tone];
  // The same words twice at once are one toast: two calls refused for one reason are one fact.
  const id = typeof title === 'string' ? `${tone} ${title}` : undefined;
  if (id !== undefined) notifications.hide(id);
  notifications.show({
    ...(id === undefined ? {} : { id }),
    title: text === undefined ? undefined : title,
    message: text ?? title,
    icon: <Icon size={20} stroke={1.5} aria-hidden />,
    role: tone === 'error' ? 'alert' : 'status',
    mod: { tone },
    className: classes.toast,
  });
}

/** Toasts of 3 seconds that wait on hover and focus; three at most. Words: visual.md section 8. */
export const toast = {
  success: (title: ReactNode, text?: ReactNode) => show('success', title, text),
  error: (title: ReactNode, text?: ReactNode) => show('error', title, text),
  info: (title: ReactNode, text?: ReactNode) => show('info', title, text),
};
