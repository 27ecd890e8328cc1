import { type Icon, IconEye, IconEyeOff } from '@tabler/icons-react';
import { type ComponentPropsWithoutRef, type ReactNode, useId, useState } from 'react';
import { t } from '../../api/texts.ts';
import { PlainIconButton } from './button.tsx';
import classes from './field.module.css';

type FieldProps = Omit<ComponentPropsWithoutRef<'input'>, 'className'> & {
  label: string;
  error: string | undefined;
  /** Inside the field, left. */
  icon: Icon;
};

type AroundField = Pick<FieldProps, 'error' | 'icon'> & {
  /** Inside the field, right. */
  control?: ReactNode;
  /** Announced when it appears. */
  isAlert?: boolean;
};

/** A field of the login page, which loads no component library; it looks like those of other pages. */
export function PlainField(props: FieldProps & AroundField) {
  const { label, error, icon: FieldIcon, control, isAlert = false, ...input } = props;
  const id = useId();
  const errorId = `${id}-error`;
  return (
    <div>
      <label className={classes.label} htmlFor={id}>
        {label}
      </label>
      <div className={classes.box} data-left data-right={control !== undefined || undefined}>
        <span className={classes.side} data-side="left">
          <FieldIcon size={20} stroke={1.5} aria-hidden />
        </span>
        <input
          {...input}
          className={classes.input}
          id={id}
          aria-invalid={error !== undefined || undefined}
          aria-describedby={error === undefined ? undefined : errorId}
        />
        {control !== undefined && (
          <span className={classes.side} data-side="right">
            {control}
          </span>
        )}
      </div>
      {error !== undefined && (
        <p className={classes.error} id={errorId} role={isAlert ? 'alert' : undefined}>
          {error}
        </p>
      )}
    </div>
  );
}

/** A password with its toggle. */
export function PlainPasswordField(props: FieldProps) {
  const [isShown, setShown] = useState(false);
  const Eye = isShown ? IconEyeOff : IconEye;
  return (
    <PlainField
      {...props}
      type={isShown ? 'text' : 'password'}
      isAlert
      control={
        <PlainIconButton
          aria-label={t`Show or hide ${props.label.toLowerCase()}`}
          aria-pressed={isShown}
          // The field being typed in keeps the focus.
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => setShown(!isShown)}
        >
          <Eye size={20} stroke={1.5} aria-hidden />
        </PlainIconButton>
      }
    />
  );
}

/** A checkbox and its label. */
export function PlainCheckbox({
  label,
  ...input
}: Omit<ComponentPropsWithoutRef<'input'>, 'className'> & { label: string }) {
  const id = useId();
  return (
    <div className={classes.tick}>
      <div className={classes.ticked}>
        <input {...input} id={id} type="checkbox" />
        <svg viewBox="0 0 10 7" aria-hidden="true">
          <path
            d="M4 4.586 1.707 2.293A1 1 0 1 0 .293 3.707l3 3a.997.997 0 0 0 1.414 0l5-5A1 1 0 1 0 8.293.293L4 4.586z"
            fill="currentColor"
          />
        </svg>
      </div>
      <label htmlFor={id}>{label}</label>
    </div>
  );
}

type SelectProps = Omit<ComponentPropsWithoutRef<'select'>, 'className'> & { label: string };

/** The browser's native select. */
export function PlainSelect({ label, ...select }: SelectProps) {
  const id = useId();
  return (
    <div>
      <label className={classes.label} htmlFor={id}>
        {label}
      </label>
      <div className={classes.box} data-right>
        <select {...select} className={classes.input} id={id} />
        <svg className={classes.arrows} viewBox="0 0 15 15" aria-hidden="true">
          <path d="M4.932 5.432a.45.45 0 1 0 .636.636L7.500 4.136l1.932 1.932a.45.45 0 1 0 .636-.636l-2.250-2.250a.45.45 0 0 0-.636 0zM10.068 9.568a.45.45 0 1 0-.636-.636L7.500 10.864 5.568 8.932a.45.45 0 1 0-.636.636l2.250 2.250a.45.45 0 0 0 .636 0z" />
        </svg>
      </div>
    </div>
  );
}
