import { firstSentence, type Texts } from '#contract/texts.ts';

type Words = { readonly subject: string; readonly text: string };

/**
 * Translates an email by paragraph or line, as the catalogue contains them. Untranslated text and members' own words
 * stay unchanged. A subject without its own entry is taken from the translated text.
 */
export function translateEmail<Email extends Words>(email: Email, { translate }: Texts): Email {
  const text = email.text
    .split('\n\n')
    .map((paragraph) => {
      const body = paragraph.trimEnd();
      const translated = translate(body);
      const lines = translated === body ? body.split('\n').map(translate).join('\n') : translated;
      return `${lines}${paragraph.slice(body.length)}`;
    })
    .join('\n\n');
  const isCut = email.subject === firstSentence(email.text.trimEnd());
  const subject = translate(email.subject);
  return { ...email, text, subject: isCut && subject === email.subject ? firstSentence(text.trimEnd()) : subject };
}
