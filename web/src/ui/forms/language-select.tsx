import { NativeSelect, type NativeSelectProps } from '@mantine/core';
import { appInfo } from '../../api/app-info.ts';
import { changeLanguage, language, t } from '../../api/texts.ts';

/** What a language calls itself: `Deutsch`. */
const ownName = (code: string) => new Intl.DisplayNames([code], { type: 'language' }).of(code) ?? code;

type Props = Pick<NativeSelectProps, 'mt' | 'size' | 'disabled'> & { readonly onChoose?: (language: string) => void };

/** Nothing where English is the only language. */
export function LanguageSelect({ onChoose = changeLanguage, ...props }: Props) {
  if (appInfo.languages.length < 2) return null;
  return (
    <NativeSelect
      label={t`Language`}
      {...props}
      data={appInfo.languages.map((code) => ({ value: code, label: ownName(code) }))}
      value={language}
      onChange={(event) => onChoose(event.currentTarget.value)}
    />
  );
}
