import { IconCircleCheck, IconCircleX, IconInfoCircle, IconX } from '@tabler/icons-react';
import { useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { toastMs } from '#contract/rules.ts';
import { t } from '../../api/texts.ts';
import { PlainIconButton } from '../plain/button.tsx';
import { currentToasts, dismissToast, MAX_TOASTS, subscribeToToasts, type Toast } from './toast.ts';
import classes from './toaster.module.css';

const colours = { success: 'var(--tw-gain)', error: 'var(--tw-loss)', info: 'var(--tw-info)' } as const;
const icons = { success: IconCircleCheck, error: IconCircleX, info: IconInfoCircle } as const;

/** Toasts are shown top right, on a mobile screen across the top. Rendered once, around all pages. */
export function Toaster() {
  const toasts = useSyncExternalStore(subscribeToToasts, currentToasts);
  return (
    <section className={classes.toaster} aria-label={t`Messages`}>
      {toasts
        .slice(0, MAX_TOASTS)
        .map((toast) =>
          toast.isAtField ? <RefusalCard key={toast.id} toast={toast} /> : <ToastCard key={toast.id} toast={toast} />,
        )}
    </section>
  );
}

/** By then the refusal is at its field, which has the focus. */
const DRAWN_MS = 100;

/** Screen readers that were told by the page are not told again. */
function RefusalCard({ toast }: { toast: Toast }) {
  const [isTold, setTold] = useState<boolean>();
  useEffect(() => {
    const timer = setTimeout(() => setTold(isToldOnPage(String(toast.title))), DRAWN_MS);
    return () => clearTimeout(timer);
  }, [toast.title]);
  return isTold === undefined ? null : <ToastCard toast={toast} isTold={isTold} />;
}

/** Whether screen readers were told: by an alert, or by the description of what has the focus. */
function isToldOnPage(text: string): boolean {
  const described = document.activeElement?.closest('[aria-describedby]')?.getAttribute('aria-describedby') ?? '';
  const told = ['[role="alert"]', ...described.split(' ').map((id) => `[id="${id}"]`)];
  return [...document.querySelectorAll(told.join())].some((one) => one.textContent?.includes(text));
}

function ToastCard({ toast, isTold = false }: { toast: Toast; isTold?: boolean }) {
  const [isHeld, setHeld] = useState(false);
  useTimeOut(toast.id, isHeld);
  const Icon = icons[toast.tone];
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: being looked at only holds the time
    <div
      className={classes.toast}
      data-tone={toast.tone}
      data-held={isHeld || undefined}
      role={isTold ? undefined : toast.tone === 'error' ? 'alert' : 'status'}
      onMouseEnter={() => setHeld(true)}
      onMouseLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
    >
      <Icon color={colours[toast.tone]} size={20} stroke={1.5} aria-hidden />
      <div className={classes.words}>
        {toast.text !== undefined && <b>{toast.title}</b>}
        <p data-quiet={toast.text !== undefined || undefined}>{toast.text ?? toast.title}</p>
      </div>
      <span className={classes.dismiss}>
        <PlainIconButton aria-label={t`Dismiss`} onClick={() => dismissToast(toast.id)}>
          <IconX size={16} stroke={1.5} aria-hidden />
        </PlainIconButton>
      </span>
      <i className={classes.time} style={{ animationDuration: `${toastMs}ms` }} />
    </div>
  );
}

/** Three seconds, not counting time with the pointer or the focus on the toast. */
function useTimeOut(id: number, isHeld: boolean) {
  const leftMs = useRef(toastMs);
  useEffect(() => {
    if (isHeld) return;
    const startedAt = Date.now();
    const timer = setTimeout(() => dismissToast(id), leftMs.current);
    return () => {
      clearTimeout(timer);
      leftMs.current = Math.max(0, leftMs.current - (Date.now() - startedAt));
    };
  }, [id, isHeld]);
}
