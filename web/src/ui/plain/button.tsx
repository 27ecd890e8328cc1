import type { ComponentPropsWithoutRef } from 'react';
import classes from './button.module.css';

type Look = {
  look?: 'filled' | 'default' | 'ghost';
  size?: 'sm' | 'md' | 'lg';
  /** As wide as what it stands in. */
  wide?: boolean;
};

/**
 * The buttons of what is on screen before the component library is there (the login page, messages, a page that broke):
 * they look like all others and bring nothing along.
 */
export function PlainButton(props: Look & ComponentPropsWithoutRef<'button'>) {
  const { look = 'filled', size = 'md', wide = false, type = 'button', ...rest } = props;
  return (
    <button
      type={type}
      {...rest}
      className={classes.button}
      data-look={look}
      data-size={size}
      data-wide={wide || undefined}
    />
  );
}

/** A button that is an icon; its name is heard only. */
export const PlainIconButton = (props: ComponentPropsWithoutRef<'button'>) => (
  <button type="button" {...props} className={`${classes.button} ${classes.icon}`} data-look="ghost" />
);
