import { useMemo } from 'react';
import { encode } from 'uqr';
import classes from './invitation.module.css';
import { qrPath } from './qr-path.ts';

/** Modules of quiet around the code, as cameras expect it (ISO/IEC 18004). */
const QUIET_ZONE = 4;

/** Dark on white in both themes: many cameras do not read a code the other way round. */
export function QrCode({ text, label }: { text: string; label: string }) {
  const { data, size } = useMemo(() => encode(text, { ecc: 'M', border: QUIET_ZONE }), [text]);
  return (
    <svg className={classes.qr} viewBox={`0 0 ${size} ${size}`} role="img" aria-label={label}>
      <path d={qrPath(data)} />
    </svg>
  );
}
