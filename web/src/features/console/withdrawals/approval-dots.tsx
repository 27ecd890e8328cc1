import classes from './approval-dots.module.css';

/** `1 of 2`, with a dot for each that is needed. */
export function ApprovalDots({ given, needed }: { given: number; needed: number }) {
  return (
    <span className={classes.dots}>
      {Array.from({ length: needed }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the dots never move
        <i key={index} data-given={index < given || undefined} />
      ))}
      <span>
        {given} of {needed}
      </span>
    </span>
  );
}
