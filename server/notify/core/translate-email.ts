import type { Texts } from '#contract/texts.ts';

type Words = { readonly subject: string; readonly text: string };

/**
 * An email in its reader's language, paragraph by paragraph or line by line, as the catalogue has them. What nobody translated,
 * and what members wrote, stays as it is.
 */
export const translateEmail = <Email extends Words>(email: Email, { translate }: Texts): Email => ({
  ...email,
  subject: translate(email.subject),
  text: email.text
    .split('\n\n')
    .map((paragraph) => {
      const body = paragraph.trimEnd();
      const translated = translate(body);
      const lines = translated === body ? body.split('\n').map(translate).join('\n') : translated;
      return `${lines}${paragraph.slice(body.length)}`;
    })
    .join('\n\n'),
});
