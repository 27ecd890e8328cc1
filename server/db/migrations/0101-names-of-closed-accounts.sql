-- Closing an account takes the member's name out of the notification of the sponsor, written in one transaction with the
-- audit entry of the registration. Here for those that were closed before.
update notify.notification n set message = 'Closed account joined your team.'
from identity.member m join audit.entry e on e.subject = 'member:' || m.id and e.action = 'member.register'
where m.closed_at is not null and n.member_id = m.sponsor_id and n.kind = 'team_joined' and n.created_at = e.created_at;
