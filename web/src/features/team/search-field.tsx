import { TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import { t } from '../../api/texts.ts';

/** A pause in typing after which the search starts. */
const PAUSE_MS = 300;
const MAX_LETTERS = 100;

type SearchFieldProps = {
  /** The current search. */
  value: string | undefined;
  onSearch: (search: string | undefined) => void;
};

/** Searches members by name or Registered Id once the typing pauses. */
export function SearchField({ value = '', onSearch }: SearchFieldProps) {
  const [text, setText] = useState(value);
  const sent = useRef(value);
  const search = useDebouncedCallback((next: string) => {
    sent.current = next.trim();
    onSearch(sent.current === '' ? undefined : sent.current);
  }, PAUSE_MS);

  // An external change (the filter was cleared) is taken over; an echo of a search sent from here may be older than the
  // text.
  useEffect(() => {
    if (value === sent.current) return;
    sent.current = value;
    setText(value);
  }, [value]);

  return (
    <TextInput
      type="search"
      size="md"
      flex={{ base: '1 1 220px', sm: '0 0 260px' }}
      miw={0}
      aria-label={t`Name or Registered Id`}
      placeholder={t`Name or Registered Id`}
      autoComplete="off"
      maxLength={MAX_LETTERS}
      leftSection={<IconSearch size={16} stroke={1.5} aria-hidden />}
      value={text}
      onChange={(event) => {
        setText(event.currentTarget.value);
        search(event.currentTarget.value);
      }}
    />
  );
}
