import { HEADS_FORMAT, type PublishedHeads, publishedHeads, type SealChain } from '#contract/solvency/heads.ts';

/** A stored seal, for comparison with a published head. */
type StoredHead = { readonly hash: string };
type Discrepancy = { readonly subject: string; readonly message: string };

/**
 * Parses heads from a saved text: any number of documents as published, downloaded, emailed or returned by the API,
 * with any surrounding text. Ignores line breaks and quote marks added by mail programs.
 *
 * @returns undefined when a document is incomplete or malformed; an empty list without any
 */
export function parseSavedHeads(text: string): PublishedHeads[] | undefined {
  const bare = text.replaceAll(/^[\s>]+/gm, '').replaceAll(/\s+/g, '');
  const documents = bare.split(START).slice(1);
  const parsed = documents.map((rest) => parseOne(START + rest));
  return parsed.every((one) => one !== undefined) ? parsed : undefined;
}

const START = `{"format":"${HEADS_FORMAT}"`;

function parseOne(text: string): PublishedHeads | undefined {
  const end = /"signature":"[0-9a-f]*"\}/.exec(text);
  if (end === null) return undefined;
  try {
    return publishedHeads.safeParse(JSON.parse(text.slice(0, end.index + end[0].length))).data;
  } catch {
    return undefined;
  }
}

/**
 * Compares published heads with the stored seals. A missing seal, or another hash, shows that the chain was truncated
 * or rewritten; this proves nothing about seals after the last published head.
 *
 * @param find the stored seal of a chain and number
 */
export function compareHeads(
  saved: readonly PublishedHeads[],
  find: (chain: SealChain, no: string) => StoredHead | undefined,
): Discrepancy[] {
  const wrong = new Map<string, Discrepancy>();
  for (const { published_at: at, heads } of saved) {
    for (const { chain, no, hash } of heads) {
      const subject = `${chainNames[chain]} ${no}`;
      const stored = find(chain, no);
      if (wrong.has(subject) || stored?.hash === hash) continue;
      const message =
        stored === undefined
          ? `was published at ${at} and is missing: it was removed, with all that came after it`
          : `has another hash than was published at ${at}: it, or a seal before it, was replaced`;
      wrong.set(subject, { subject, message });
    }
  }
  return [...wrong.values()];
}

/** Names of a seal of each chain in reports. */
export const chainNames: Readonly<Record<SealChain, string>> = {
  ledger: 'seal',
  audit: 'audit seal',
  liabilities: 'snapshot',
};
