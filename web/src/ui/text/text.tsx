import { type ComponentPropsWithoutRef, createElement, Fragment, type ReactNode } from 'react';
import { Link } from 'react-router';
import { formatDate, formatTime } from '../format/time.ts';
import classes from './text.module.css';

/** Secondary text in a line, cell or card, in the surrounding size. */
export const Quiet = ({ children }: { children: ReactNode }) => <span className={classes.quiet}>{children}</span>;

/** Up to this length an id has no line break; addresses and hashes are longer. */
const ID_LENGTH = 16;

/** An id, address or hash: unambiguous letterforms, tight hyphens. */
export function CodeText({ children }: { children: string }) {
  return (
    <span translate="no" className={classes.code} data-short={children.length <= ID_LENGTH || undefined}>
      {children}
    </span>
  );
}

/** A link in running text or beside a title. */
export function TextLink(props: ComponentPropsWithoutRef<typeof Link>) {
  return <Link {...props} className={classes.link} />;
}

/** `4 Mar 2026, 14:05` in a column whose head says UTC: never wrapped, digits aligned. */
export const When = ({ at }: { at: string }) => (
  <span style={{ whiteSpace: 'nowrap', fontVariantNumeric: 'tabular-nums' }}>
    {formatDate(at)}, {formatTime(at)}
  </span>
);

/** `4 Mar 2026`, likewise. */
export const Day = ({ on }: { on: string }) => (
  <span style={{ whiteSpace: 'nowrap', fontVariantNumeric: 'tabular-nums' }}>{formatDate(on)}</span>
);

/** First and last characters of an address or hash, for a list: `TKq8…QeAu`. Where it is compared, show all of it. */
export const shorten = (text: string, each = 4): string =>
  text.length <= 2 * each + 4 ? text : `${text.slice(0, each)}…${text.slice(-each)}`;

type Part = ReactNode | ((inner: ReactNode) => ReactNode);

/**
 * A text with elements in it, whose order another language may change:
 * `<Trans text={t`Read the <terms>terms</terms>, <name/>.`} terms={(inner) => <Link to={paths.terms}>{inner}</Link>}
 * name={<b>{name}</b>} />`
 */
export function Trans({ text, ...parts }: { readonly text: string } & Readonly<Record<string, Part>>): ReactNode {
  const pieces: ReactNode[] = [];
  let end = 0;
  for (const found of text.matchAll(/<(\w+)(?:\/>|>(.*?)<\/\1>)/gs)) {
    const [whole, name = '', inner] = found;
    if (!Object.hasOwn(parts, name)) continue;
    const part = parts[name];
    pieces.push(text.slice(end, found.index));
    pieces.push(
      typeof part === 'function' ? part(inner === undefined ? null : <Trans {...parts} text={inner} />) : part,
    );
    end = found.index + whole.length;
  }
  return createElement(Fragment, null, ...pieces, text.slice(end));
}
