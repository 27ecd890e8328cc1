-- What emails to a member are written in; none is English.
alter table notify.recipient add column language text
  constraint recipient_language_is_a_tag check (language ~ '^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$');
