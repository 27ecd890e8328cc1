import { ActionIcon, Box, Button, Group, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { IconMessages, IconPencil, IconTrash } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import type { CannedReply } from '#contract/tickets/tickets.ts';
import { CallError } from '../../../api/call.ts';
import { faultOfMessage } from '../../../entities/ticket/check-message.ts';
import { BusyButton } from '../../../ui/forms/busy-button.tsx';
import { Dialog } from '../../../ui/forms/dialog.tsx';
import { Rows } from '../../../ui/frame/rows.tsx';
import { toast } from '../../../ui/frame/toast.ts';
import { DeskError } from '../kit/list-table.tsx';
import { cannedRepliesQuery, useDeleteCannedReply, useSaveCannedReply } from './queries.ts';

const TITLE_MAX_LENGTH = 80;

/** The answers that are used often: read, written, changed and deleted by everybody who answers. */
export function CannedReplies() {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button
        variant="default"
        leftSection={<IconMessages size={16} stroke={1.5} aria-hidden />}
        onClick={() => setOpen(true)}
      >
        Canned replies
      </Button>
      <Dialog opened={isOpen} onClose={() => setOpen(false)} title="Canned replies" size={560}>
        <Replies />
      </Dialog>
    </>
  );
}

/** Written anew, or the one that is changed. */
type Edited = { title: string; text: string; isNew: boolean };
const blank: Edited = { title: '', text: '', isNew: true };

function Replies() {
  const query = useQuery(cannedRepliesQuery);
  const [edited, setEdited] = useState<Edited>();
  if (query.data === undefined) return query.isError ? <DeskError query={query} /> : null;
  if (edited !== undefined) return <Editor edited={edited} onDone={() => setEdited(undefined)} />;
  return (
    <Stack py={4}>
      {query.data.items.length === 0 ? (
        <Text size="sm" c="var(--tw-text-2)">
          None yet. What you write often can be put into an answer from here.
        </Text>
      ) : (
        <Rows aria-label="Canned replies">
          {query.data.items.map((reply) => (
            <Reply
              key={reply.id}
              reply={reply}
              onEdit={() => setEdited({ title: reply.title, text: reply.text, isNew: false })}
            />
          ))}
        </Rows>
      )}
      <Button style={{ alignSelf: 'flex-start' }} variant="default" onClick={() => setEdited(blank)}>
        Write one
      </Button>
    </Stack>
  );
}

function Reply({ reply, onEdit }: { reply: CannedReply; onEdit: () => void }) {
  const [isAsking, setAsking] = useState(false);
  const remove = useDeleteCannedReply();
  return (
    <Group component="li" gap="sm" align="flex-start" wrap="nowrap" fz="sm">
      <Box flex={1} miw={0}>
        <Text size="sm" fw={600}>
          {reply.title}
        </Text>
        <Text size="sm" c="dimmed" lineClamp={2} style={{ overflowWrap: 'anywhere' }}>
          {reply.text}
        </Text>
      </Box>
      {isAsking ? (
        <Group gap={4} flex="none">
          <Button size="sm" variant="subtle" onClick={() => setAsking(false)}>
            Keep
          </Button>
          <BusyButton
            size="sm"
            variant="danger"
            busy={remove.isPending}
            busyLabel="Deleting"
            onClick={() => remove.mutate(reply.id)}
          >
            Delete
          </BusyButton>
        </Group>
      ) : (
        <Group gap={4} flex="none">
          <ActionIcon aria-label={`Change ${reply.title}`} onClick={onEdit}>
            <IconPencil size={16} stroke={1.5} aria-hidden />
          </ActionIcon>
          <ActionIcon aria-label={`Delete ${reply.title}`} onClick={() => setAsking(true)}>
            <IconTrash size={16} stroke={1.5} aria-hidden />
          </ActionIcon>
        </Group>
      )}
    </Group>
  );
}

/** A reply is known by its title, so that of one that is there stays as it is. */
function Editor({ edited, onDone }: { edited: Edited; onDone: () => void }) {
  const [title, setTitle] = useState(edited.title);
  const [text, setText] = useState(edited.text);
  const [faults, setFaults] = useState<{ title?: string | undefined; text?: string | undefined }>({});
  const save = useSaveCannedReply();

  const submit = (event: FormEvent) => {
    event.preventDefault();
    const missing = {
      title: title.trim() === '' ? 'Give it a title.' : undefined,
      text: faultOfMessage(text).message,
    };
    setFaults(missing);
    if (missing.title !== undefined || missing.text !== undefined) return;
    save.mutate(
      { title: title.trim(), text: text.trim() },
      {
        onSuccess: () => {
          toast.success('Canned reply saved');
          onDone();
        },
        onError: (error) => {
          if (error instanceof CallError) setFaults({ title: error.fields.title, text: error.fields.text });
        },
      },
    );
  };

  return (
    <Stack
      py={4}
      renderRoot={(props) => <form {...props} onSubmit={submit} noValidate />}
      aria-label={edited.isNew ? 'New reply' : edited.title}
    >
      <TextInput
        label="Title"
        description={edited.isNew ? 'One that is there already is replaced.' : undefined}
        maxLength={TITLE_MAX_LENGTH}
        readOnly={!edited.isNew}
        value={title}
        error={faults.title}
        {...(edited.isNew && { 'data-autofocus': true })}
        onChange={(event) => setTitle(event.currentTarget.value)}
      />
      <Textarea
        label="Text"
        autosize
        minRows={4}
        maxRows={14}
        value={text}
        error={faults.text}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      <Group justify="flex-end" gap="xs">
        <Button variant="subtle" disabled={save.isPending} onClick={onDone}>
          Back
        </Button>
        <BusyButton type="submit" busy={save.isPending} busyLabel="Saving">
          Save
        </BusyButton>
      </Group>
    </Stack>
  );
}
