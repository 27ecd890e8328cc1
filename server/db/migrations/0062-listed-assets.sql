-- Whether the venue trades an asset (docs/product.md, section 3); the worker that speaks to the exchange says so. On paper all are.
alter table market.asset add column listed boolean not null default true;
