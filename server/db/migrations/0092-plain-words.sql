-- Names are found without their accents, and with them (docs/incomes.md, "Team"): José Łoś by "jose los".

-- A text as searches compare it: in lower case, without accents. Letters that do not decompose become the plain one.
create function team.plain(given text) returns text language sql immutable strict parallel safe as $$
  select lower(translate(regexp_replace(normalize(given, nfkd), '[\u0300-\u036f]', '', 'g'), 'ØøŁłĐđı', 'OoLlDdi'))
$$;

create or replace function team.write_words(member bigint, member_name text, code text) returns void language sql as $$
  insert into team.search_word (word, member_id)
  select distinct word, member
  from regexp_split_to_table(team.plain(member_name || ' ' || code), '\s+') as word
  where word <> ''
$$;

-- Members who were there before.
insert into team.search_word (word, member_id)
select distinct plain, w.member_id
from team.search_word w cross join regexp_split_to_table(team.plain(w.word), '\s+') as plain
where w.word ~ '[^\x01-\x7f]' and plain <> ''
on conflict do nothing;
delete from team.search_word where word ~ '[^\x01-\x7f]' and word <> team.plain(word);
