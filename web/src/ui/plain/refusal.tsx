import { useEffect, useRef, useState } from 'react';
import { ToldError } from '../../api/call.ts';
import classes from './field.module.css';

/**
 * A refusal that names no field, above the button that was pressed: its toast is gone after three seconds, and this
 * stays until something in the form is changed or sent again. Screen readers were told by the toast.
 *
 * @param error of the mutation that the form or dialog sends, or of the device's passkey
 */
export function Refusal({ error }: { error: Error | null }) {
  const line = useRef<HTMLParagraphElement>(null);
  // A dialog opened again does not show what was refused before.
  const [outdated, setOutdated] = useState(error);
  const isShown = error instanceof ToldError && error !== outdated && Object.keys(error.fields).length === 0;
  useEffect(() => {
    const form = line.current?.closest('form');
    if (!isShown || !form) return;
    const drop = () => setOutdated(error);
    form.addEventListener('input', drop);
    return () => form.removeEventListener('input', drop);
  }, [isShown, error]);
  if (!isShown || error.message === '') return null;
  return (
    <p className={classes.error} ref={line}>
      {error.message}
    </p>
  );
}
