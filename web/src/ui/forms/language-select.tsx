import { appInfo } from '../../api/app-info.ts';
import { changeLanguage, language, t } from '../../api/texts.ts';
import { PlainSelect } from '../plain/field.tsx';

/** A language's own name: `Deutsch`. */
const ownName = (code: string) => new Intl.DisplayNames([code], { type: 'language' }).of(code) ?? code;

type Props = { readonly disabled?: boolean; readonly onChoose?: (language: string) => void };

/** Renders nothing where English is the only language. */
export function LanguageSelect({ disabled = false, onChoose = changeLanguage }: Props) {
  if (appInfo.languages.length < 2) return null;
  return (
    <PlainSelect
      label={t`Language`}
      disabled={disabled}
      value={language}
      onChange={(event) => onChoose(event.currentTarget.value)}
    >
      {appInfo.languages.map((code) => (
        <option key={code} value={code}>
          {ownName(code)}
        </option>
      ))}
    </PlainSelect>
  );
}
