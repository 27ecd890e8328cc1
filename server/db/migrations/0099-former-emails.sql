-- All addresses of the last seven days hear of what changes in an account, not only the one before the present. Whoever
-- changed the address twice cut off the first mailbox.
create table identity.former_email (
  member_id  bigint not null constraint former_email_member references identity.member,
  email      text not null,
  changed_at timestamptz not null,
  primary key (member_id, email)
);
insert into identity.former_email (member_id, email, changed_at)
select id, email_before, email_changed_at from identity.member where email_before is not null;
alter table identity.member drop column email_before, drop column email_changed_at;
