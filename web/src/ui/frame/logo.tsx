import { appInfo } from '../../api/app-info.ts';
import classes from './logo.module.css';

/** Two sails and a wave. Never below 20 px. */
export function Mark({ size = 26 }: { size?: number }) {
  return (
    <svg className={classes.mark} viewBox="0 0 28 28" width={size} height={size} aria-hidden="true">
      <path
        d="M13.6 2.800c5.600 4.100 9.200 9.300 10.100 15.400-3.200.9-6.600 1.200-10.100 1z"
        fill="var(--tw-accent)"
      />
      <path
        d="M11.2 8.400v10.600c-2.500-.2-4.800-.6-6.900-1.200 3.300-2.300 5.600-5.400 6.900-9.400z"
        fill="var(--tw-accent)"
        opacity=".5"
      />
      <path
        d="M3.5 23.200c3.600-1.600 6.700-1.500 10 0s6.900 1.600 11-.6"
        fill="none"
        stroke="var(--tw-text)"
        strokeWidth="1.9"
        strokeLinecap="round"
      />
    </svg>
  );
}

export function Logo() {
  return (
    <span className={classes.logo}>
      <Mark />
      <b>{appInfo.brandName}</b>
    </span>
  );
}
