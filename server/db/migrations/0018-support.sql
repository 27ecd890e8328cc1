create schema support;

-- A question of a member to the people who run the product (product.md section 9).
create table support.ticket (
  id              bigint generated always as identity primary key,
  member_id       bigint not null,
  -- What a person quotes: Q-7M2QX4.
  reference       text not null constraint ticket_reference_unique unique,
  subject         text not null constraint ticket_subject_is_one_line check (subject <> '' and subject !~ '[[:cntrl:]]'),
  category        text not null constraint ticket_category check (category in
                    ('deposit', 'withdrawal', 'trade', 'income', 'account', 'other')),
  state           text not null constraint ticket_state check (state in ('open', 'answered', 'closed')),
  -- What it is about: a line of the statement, a trade, a deposit or a withdrawal of the same member.
  about_kind      text constraint ticket_about_kind check (about_kind in ('movement', 'trade', 'deposit', 'withdrawal')),
  about_id        bigint,
  -- As people quote it, `DP-7M2QX4`; what it names never changes.
  about_label     text,
  assigned_to     bigint,
  -- The newest message that each side has seen; unread is what came after it from the other.
  member_read_id  bigint not null default 0,
  support_read_id bigint not null default 0,
  version         integer not null default 1,
  created_at      timestamptz not null,
  updated_at      timestamptz not null,
  -- Since when the member waits for an answer: writing again does not put them to the end of the queue.
  waiting_since   timestamptz,
  closed_at       timestamptz,
  constraint ticket_about_whole check (num_nonnulls(about_kind, about_id, about_label) in (0, 3)),
  constraint ticket_waiting_since check ((state = 'open') = (waiting_since is not null)),
  constraint ticket_closed_at check ((state = 'closed') = (closed_at is not null))
);
create index ticket_of_member on support.ticket (member_id, updated_at desc, id desc);
create index ticket_waiting on support.ticket (waiting_since, id) where state = 'open';
create index ticket_changed on support.ticket (updated_at desc, id desc);
create index ticket_assigned on support.ticket (assigned_to, updated_at desc, id desc) where assigned_to is not null;

create table support.message (
  id          bigint generated always as identity primary key,
  ticket_id   bigint not null constraint message_ticket references support.ticket,
  author      text not null constraint message_author check (author in ('member', 'support')),
  operator_id bigint,
  -- A note that only operators see.
  is_private  boolean not null default false,
  text        text not null constraint message_has_text check (length(text) between 1 and 5000),
  created_at  timestamptz not null,
  constraint message_by_operator check ((author = 'support') = (operator_id is not null)),
  constraint message_private_by_support check (not is_private or author = 'support')
);
create index message_of_ticket on support.message (ticket_id, id);

-- The bytes stand apart, so that a thread is read without them. The type is what the content says, not what its sender said.
create table support.attachment (
  id         bigint generated always as identity primary key,
  message_id bigint not null constraint attachment_message references support.message,
  name       text not null constraint attachment_name_is_plain check (name ~ '^[A-Za-z0-9][A-Za-z0-9 ._()-]{0,99}$'),
  type       text not null constraint attachment_type check (type in ('image/png', 'image/jpeg', 'application/pdf')),
  bytes      integer not null constraint attachment_size check (bytes between 1 and 5242880)
);
create index attachment_of_message on support.attachment (message_id);

create table support.attachment_content (
  attachment_id bigint primary key constraint attachment_content_attachment references support.attachment,
  content       bytea not null
);

-- Answers that operators write once and use often.
create table support.canned_reply (
  id         bigint generated always as identity primary key,
  title      text not null constraint canned_reply_title unique constraint canned_reply_title_has_text check (title <> ''),
  text       text not null constraint canned_reply_text check (length(text) between 1 and 5000),
  updated_by bigint not null,
  updated_at timestamptz not null
);

create function support.refuse_change() returns trigger language plpgsql as $$
begin
  raise exception 'what was written in a ticket is not changed' using errcode = 'TWS01';
end $$;
create trigger message_append_only before update or delete or truncate on support.message
  for each statement execute function support.refuse_change();
create trigger attachment_append_only before update or delete or truncate on support.attachment
  for each statement execute function support.refuse_change();
create trigger attachment_content_append_only before update or delete or truncate on support.attachment_content
  for each statement execute function support.refuse_change();
