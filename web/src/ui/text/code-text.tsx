import classes from './code-text.module.css';

/** An id, address or hash: letters that cannot be mixed up, hyphens that sit tight. */
export function CodeText({ children }: { children: string }) {
  return (
    <span translate="no" className={classes.code}>
      {children}
    </span>
  );
}
