-- What operators see of the exchange, and fills that were made elsewhere (docs/operators-guide.md, "Exchange sales").

alter table trading.holding
  -- Orders that the exchange refused since the asset was first traded there.
  add column refused_total bigint not null default 0 constraint holding_refused check (refused_total >= 0);

alter table trading.venue
  -- The session day on which finance was last told that free funds are short.
  add column short_told_on date;

alter table trading.batch
  -- Of coins that were sold elsewhere: the proposal that two operators agreed on. It is booked once, and nothing was ordered for it.
  add column elsewhere_id bigint constraint batch_elsewhere_once unique,
  add constraint batch_elsewhere check (elsewhere_id is null
    or (kind = 'close' and side = 'sell' and sends = 0 and state in ('filled', 'booked') and filled = quantity));

alter table approvals.proposal drop constraint proposal_kind;
alter table approvals.proposal
  add constraint proposal_kind check (kind in
    ('adjustment', 'treasury', 'fee_plan', 'operator', 'email_change', 'loosening', 'announcement', 'reserve', 'venue_fill')),
  add constraint proposal_venue_fill check (kind <> 'venue_fill' or coalesce(
    payload->>'day' <> '' and payload->>'symbol' <> '' and payload->>'quantity' <> '' and payload->>'costMicros' <> ''
    and payload->>'feeMicros' <> '' and payload->>'where' <> '' and payload->>'transaction' <> '', false));
