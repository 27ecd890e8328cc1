import { HEADS_FORMAT, type PublishedHeads, publishedHeads, type SealChain } from '#contract/solvency/heads.ts';

/** A seal as the database has it, for comparison with a published head. */
type StoredHead = { readonly hash: string };
type Found = { readonly subject: string; readonly message: string };

/**
 * The heads in a text that somebody kept: one or many documents as they are published, downloaded, emailed or answered by the
 * API, with whatever stands around them. Line breaks and quote marks that a mail program put in are taken out.
 *
 * @returns undefined when one of them is incomplete or was changed so that it is none any more; none is an empty list
 */
export function parseKeptHeads(text: string): PublishedHeads[] | undefined {
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
 * Compares heads that were published with the seals there are now. One that is gone, or has another hash, says that the
 * chain was cut or rewritten since; what came after the last published head is not known from it.
 *
 * @param find the stored seal of a chain and number
 */
export function compareHeads(
  kept: readonly PublishedHeads[],
  find: (chain: SealChain, no: string) => StoredHead | undefined,
): Found[] {
  const wrong = new Map<string, Found>();
  for (const { published_at: at, heads } of kept) {
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

/** How reports name a seal of each chain. */
export const chainNames: Readonly<Record<SealChain, string>> = {
  ledger: 'seal',
  audit: 'audit seal',
  liabilities: 'snapshot',
};
