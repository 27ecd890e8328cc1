import { TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { useNavigate } from 'react-router';
import type { OperatorRole } from '#contract/endpoint.ts';
import { consolePath } from '../../../ui/paths.ts';
import { isTyping } from '../kit/is-typing.ts';
import { consolePages } from '../pages.ts';
import classes from './console-header.module.css';

const MEMBERS = 'members';

/** One field for whatever somebody quotes; `/` goes to it from anywhere. It leads to the members. */
export function ConsoleSearch({ role }: { role: OperatorRole }) {
  const navigate = useNavigate();
  const field = useRef<HTMLInputElement>(null);
  const [text, setText] = useState('');
  const isThere = consolePages.some(({ path, roles }) => path === MEMBERS && roles.includes(role));

  useEffect(() => {
    const focus = (event: KeyboardEvent) => {
      if (event.key !== '/' || isTyping(event)) return;
      event.preventDefault();
      field.current?.focus();
      field.current?.select();
    };
    window.addEventListener('keydown', focus);
    return () => window.removeEventListener('keydown', focus);
  }, []);

  if (!isThere) return null;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const asked = text.trim();
    if (asked !== '')
      navigate({ pathname: consolePath(MEMBERS), search: `?${new URLSearchParams({ search: asked })}` });
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: React does not know the element yet
    <form className={classes.search} role="search" onSubmit={submit}>
      <TextInput
        ref={field}
        type="search"
        aria-label="Member, reference, address"
        placeholder="Member, reference, address"
        autoComplete="off"
        spellCheck={false}
        leftSection={<IconSearch size={16} stroke={1.5} aria-hidden />}
        rightSection={<kbd className={classes.key}>/</kbd>}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        onKeyDown={(event) => event.key === 'Escape' && field.current?.blur()}
      />
    </form>
  );
}
