-- Only what a member chose; the defaults are the code's. Mails about sign-in, addresses and withdrawals are no choice.
create table notify.mail_preference (
  member_id bigint not null,
  topic     text not null constraint mail_preference_topic check (topic in ('deposits', 'tickets', 'incomes', 'trading')),
  is_wanted boolean not null,
  primary key (topic, member_id)
);
