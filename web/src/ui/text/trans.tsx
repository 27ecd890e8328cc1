import { createElement, Fragment, type ReactNode } from 'react';

type Part = ReactNode | ((inner: ReactNode) => ReactNode);

/**
 * A text with elements in it, which another language may order otherwise:
 * `<Trans text={t`Read the <terms>terms</terms>, <name/>.`} terms={(inner) => <Link to={paths.terms}>{inner}</Link>} name={<b>{name}</b>} />`
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
