import type { TicketAbout } from '#contract/support.ts';
import { paths } from '../paths.ts';
import { TextLink } from './text-link.tsx';

type AskAboutProps = TicketAbout & {
  /** What people know it by: `DP-7M2QX4`, `Trade 17`. */
  label: string;
};

/** A quiet link from something of the member's to a new query about it. */
export function AskAbout({ kind, id, label }: AskAboutProps) {
  return (
    <TextLink
      to={{ pathname: paths.newQuery, search: `?about=${kind}:${id}` }}
      state={{ aboutLabel: label }}
      aria-label={`Ask about ${label}`}
    >
      Ask about this
    </TextLink>
  );
}

/** The words that the link brought, out of the state of the place it led to. */
export function labelOf(state: unknown): string | undefined {
  if (typeof state !== 'object' || state === null || !('aboutLabel' in state)) return undefined;
  return typeof state.aboutLabel === 'string' ? state.aboutLabel : undefined;
}
