import type { ComponentPropsWithoutRef } from 'react';
import { Link } from 'react-router';
import classes from './text-link.module.css';

/** A link in running text or beside a title. */
export function TextLink(props: ComponentPropsWithoutRef<typeof Link>) {
  return <Link {...props} className={classes.link} />;
}
