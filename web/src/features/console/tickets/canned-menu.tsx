import { ActionIcon, Menu } from '@mantine/core';
import { IconMessages } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { cannedRepliesQuery } from './queries.ts';

/** Puts an answer that is used often into the field, where it can still be changed. */
export function CannedMenu({ onChoose }: { onChoose: (text: string) => void }) {
  const { data } = useQuery(cannedRepliesQuery);
  if (data === undefined || data.items.length === 0) return null;
  return (
    <Menu position="top-start" width="max-content" returnFocus={false} withInitialFocusPlaceholder={false}>
      <Menu.Target>
        <ActionIcon size={36} aria-label="Insert a canned reply">
          <IconMessages size={20} stroke={1.5} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {data.items.map(({ id, title, text }) => (
          <Menu.Item key={id} onClick={() => onChoose(text)}>
            {title}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
