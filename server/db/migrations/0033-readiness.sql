-- What a process writes to see that the database takes writes (server/db/write-probe.ts): one row that is changed in its
-- place, and an empty table into which room is asked for while an outage stands. Neither grows.
create table http.readiness (
  one        boolean primary key default true constraint readiness_one check (one),
  written_at timestamptz not null default now()
) with (fillfactor = 10);
insert into http.readiness default values;

create table http.room (filler text not null);
-- A row takes a page for itself: neither compressed nor kept elsewhere.
alter table http.room alter column filler set storage plain;
