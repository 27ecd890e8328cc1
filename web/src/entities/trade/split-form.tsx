import type { FormEvent, ReactNode, Ref } from 'react';
import classes from './split-form.module.css';

type SplitFormProps = {
  left: ReactNode;
  right: ReactNode;
  foot: ReactNode;
  onSubmit: (event: FormEvent) => void;
  ref?: Ref<HTMLFormElement>;
};

/** Choices left, amount and terms right; on a phone a sheet whose button stays above the app's bottom bar. */
export const SplitForm = ({ left, right, foot, ...form }: SplitFormProps) => (
  <form className={classes.form} noValidate {...form}>
    <div className={classes.left}>{left}</div>
    <div className={classes.right}>{right}</div>
    <div className={classes.foot} data-foot>
      {foot}
    </div>
  </form>
);
