import { IconMessageQuestion } from '@tabler/icons-react';
import { Link } from 'react-router';
import type { TicketAbout } from '#contract/tickets/tickets.ts';
import { t } from '../../api/texts.ts';
import { paths } from '../paths.ts';
import { TextLink } from '../text/text.tsx';
import classes from './ask-about.module.css';

type AskAboutProps = TicketAbout & {
  /** Its public reference: `DP-7M2QX4`, `Trade 17`. */
  label: string;
};

/** A quiet link from one of the member's records to a new query about it. */
export function AskAbout(props: AskAboutProps) {
  return (
    <TextLink aria-label={t`Ask about this: ${props.label}`} {...linkOf(props)}>
      {t`Ask about this`}
    </TextLink>
  );
}

/** The same in a list row: an icon only. */
export function AskAboutIcon(props: AskAboutProps) {
  return (
    <Link className={classes.icon} aria-label={t`Ask about ${props.label}`} {...linkOf(props)}>
      <IconMessageQuestion size={16} stroke={1.5} aria-hidden />
    </Link>
  );
}

const linkOf = ({ kind, id, label }: AskAboutProps) => ({
  to: { pathname: paths.newQuery, search: `?about=${kind}:${id}` },
  state: { aboutLabel: label },
});

/** The subject that the link passed in the location state. */
export function labelOf(state: unknown): string | undefined {
  if (typeof state !== 'object' || state === null || !('aboutLabel' in state)) return undefined;
  return typeof state.aboutLabel === 'string' ? state.aboutLabel : undefined;
}
