import type { ComponentPropsWithoutRef } from 'react';
import classes from './button.module.css';

type Look = {
  variant?: 'filled' | 'default' | 'ghost';
  size?: 'sm' | 'md' | 'lg';
  /** As wide as its container. */
  wide?: boolean;
};

/**
 * Buttons for what is shown before the component library has loaded (the login page, messages, the error page): they
 * look like all others without its code.
 */
export function PlainButton(props: Look & ComponentPropsWithoutRef<'button'>) {
  const { variant = 'filled', size = 'md', wide = false, type = 'button', ...rest } = props;
  return (
    <button
      type={type}
      {...rest}
      className={classes.button}
      data-variant={variant}
      data-size={size}
      data-wide={wide || undefined}
    />
  );
}

/** An icon button; its name is for screen readers. */
export const PlainIconButton = (props: ComponentPropsWithoutRef<'button'>) => (
  <button type="button" {...props} className={`${classes.button} ${classes.icon}`} data-variant="ghost" />
);
