import { useMemo } from 'react';
import { encode } from 'uqr';
import classes from './qr-code.module.css';
import { qrPath } from './qr-path.ts';

/** Modules of quiet around the code, as cameras expect it (ISO/IEC 18004). */
const QUIET_ZONE = 4;

/** A text for a camera. Its side is 160 px, or what `--qr-size` says. */
export function QrCode({ text, label }: { text: string; label: string }) {
  const { data, size } = useMemo(() => encode(text, { ecc: 'M', border: QUIET_ZONE }), [text]);
  return (
    <svg className={classes.qr} viewBox={`0 0 ${size} ${size}`} role="img" aria-label={label}>
      <path d={qrPath(data)} />
    </svg>
  );
}
