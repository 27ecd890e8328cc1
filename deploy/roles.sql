-- The roles of a Tradewind database (docs/operations.md, "Roles"). Run once by the superuser, before the first migration or
-- on an existing database; running it again changes nothing.
--   MIGRATOR_PASSWORD=… APP_PASSWORD=… READER_PASSWORD=… psql -d tradewind -f deploy/roles.sql
-- A password that is left out stays as it is.
\set ON_ERROR_STOP on
\getenv migrator_password MIGRATOR_PASSWORD
\getenv app_password APP_PASSWORD
\getenv reader_password READER_PASSWORD
-- No password reaches the server's log, and none is stored as anything but a SCRAM verifier.
set log_statement = 'none';
set log_min_duration_statement = -1;
set log_min_error_statement = 'panic';
set password_encryption = 'scram-sha-256';
begin;
select pg_advisory_xact_lock(7301010);

select format('create role %I', name)
from unnest(array['tradewind_owner', 'tradewind_migrator', 'tradewind_app', 'tradewind_reader']) as name
where not exists (select from pg_roles where rolname = name) \gexec

-- Owns everything, and nobody signs in as it.
alter role tradewind_owner nologin nosuperuser nocreatedb nocreaterole noreplication nobypassrls;
-- Becomes the owner as soon as it signs in, so that whatever it makes is the owner's, pg-boss's tables included.
alter role tradewind_migrator login noinherit nosuperuser nocreatedb nocreaterole noreplication nobypassrls;
grant tradewind_owner to tradewind_migrator;
alter role tradewind_migrator set role = 'tradewind_owner';
-- Servers and workers: rows, and no more of them than they need (server/db/grants.sql).
alter role tradewind_app login nosuperuser nocreatedb nocreaterole noreplication nobypassrls;
-- Metrics.
alter role tradewind_reader login nosuperuser nocreatedb nocreaterole noreplication nobypassrls;

\if :{?migrator_password}
alter role tradewind_migrator password :'migrator_password';
\endif
\if :{?app_password}
alter role tradewind_app password :'app_password';
\endif
\if :{?reader_password}
alter role tradewind_reader password :'reader_password';
\endif

select format('alter database %I owner to tradewind_owner', current_database()) \gexec
select format('revoke all on database %I from public, tradewind_app, tradewind_reader', current_database()) \gexec
select format('grant connect on database %I to tradewind_migrator, tradewind_app, tradewind_reader', current_database()) \gexec
revoke create on schema public from public;

-- For a database that another role has migrated so far: everything in it becomes the owner's.
do $$
declare
  statement text;
begin
  for statement in
    with own as (
      select oid, nspname from pg_namespace where nspname !~ '^pg_' and nspname not in ('information_schema', 'public')),
    place as (select oid, nspname from own union all select oid, nspname from pg_namespace where nspname = 'public'),
    -- An extension's objects stay with it.
    brought as (select classid, objid from pg_depend where deptype = 'e')
    select format('alter schema %I owner to tradewind_owner', nspname) from own
    union all
    select format('alter %s %I.%I owner to tradewind_owner',
      case c.relkind when 'v' then 'view' when 'm' then 'materialized view' when 'S' then 'sequence' else 'table' end,
      nspname, c.relname)
    from pg_class c join place on place.oid = c.relnamespace
    where c.relkind in ('r', 'p', 'v', 'm', 'S')
      and (c.relkind <> 'S' or not exists (
        select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype in ('a', 'i')))
      and ('pg_class'::regclass::oid, c.oid) not in (select classid, objid from brought)
    union all
    select format('alter routine %s owner to tradewind_owner', p.oid::regprocedure)
    from pg_proc p join place on place.oid = p.pronamespace
    where ('pg_proc'::regclass::oid, p.oid) not in (select classid, objid from brought)
    union all
    select format('alter %s %I.%I owner to tradewind_owner', case t.typtype when 'd' then 'domain' else 'type' end, nspname, t.typname)
    from pg_type t join place on place.oid = t.typnamespace left join pg_class c on c.oid = t.typrelid
    where (t.typtype in ('e', 'd', 'r') or t.typtype = 'c' and c.relkind = 'c')
      and ('pg_type'::regclass::oid, t.oid) not in (select classid, objid from brought)
  loop
    execute statement;
  end loop;
end $$;
commit;
