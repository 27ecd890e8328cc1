import { TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import classes from './search-field.module.css';

/** A pause in typing that says the word is meant. */
const PAUSE_MS = 300;
const MOST_LETTERS = 100;

type SearchFieldProps = {
  /** What is looked for now. */
  value: string | undefined;
  onSearch: (search: string | undefined) => void;
};

/** Looks for members by name or Registered Id once the typing pauses. */
export function SearchField({ value = '', onSearch }: SearchFieldProps) {
  const [text, setText] = useState(value);
  const told = useRef(value);
  const tell = useDebouncedCallback((next: string) => {
    told.current = next.trim();
    onSearch(told.current === '' ? undefined : told.current);
  }, PAUSE_MS);

  // What was changed elsewhere (the filter cleared) is taken over; what was told from here may be older than the text.
  useEffect(() => {
    if (value === told.current) return;
    told.current = value;
    setText(value);
  }, [value]);

  return (
    <TextInput
      type="search"
      size="md"
      className={classes.field}
      aria-label="Name or Registered Id"
      placeholder="Name or Registered Id"
      autoComplete="off"
      maxLength={MOST_LETTERS}
      leftSection={<IconSearch size={16} stroke={1.5} aria-hidden />}
      value={text}
      onChange={(event) => {
        setText(event.currentTarget.value);
        tell(event.currentTarget.value);
      }}
    />
  );
}
