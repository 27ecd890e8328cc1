import type { Deposit } from '#contract/funds.ts';
import classes from './deposit-page.module.css';
import { depositWords } from './deposit-words.ts';

/** What the server last said in words, told to screen readers when it changes. */
export function StateWords({ deposit }: { deposit: Deposit }) {
  const words = depositWords[deposit.state];
  return (
    <div className={classes.words} role="status">
      <b>{words.title}</b>
      <p>{words.next}</p>
    </div>
  );
}
