import type { Deposit } from '#contract/funds/deposits.ts';
import { wordsOfDeposit } from './deposit-labels.ts';
import classes from './deposit-page.module.css';

/** What the server last said in words, told to screen readers when it changes, and what a person added to it. */
export function StateWords({ deposit, timeIsUp = false }: { deposit: Deposit; timeIsUp?: boolean }) {
  const words = wordsOfDeposit(deposit.state, timeIsUp);
  return (
    <div className={classes.words} role="status">
      <b>{words.title}</b>
      <p>{words.next}</p>
      {deposit.note !== null && <p className={classes.said}>“{deposit.note}”</p>}
    </div>
  );
}
