-- Nothing reads these: the team's pages add up income lines, and weeks and months have their own sums.
alter table income.standing drop column team_volume, drop column bonus;
