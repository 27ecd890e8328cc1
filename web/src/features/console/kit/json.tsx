import classes from './json.module.css';

/** A record as it was written down. */
export const Json = ({ value }: { value: unknown }) => (
  <pre className={classes.json}>{JSON.stringify(value, null, 2)}</pre>
);
