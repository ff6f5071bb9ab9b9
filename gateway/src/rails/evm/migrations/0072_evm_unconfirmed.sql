-- Blocks that were booked on one endpoint's word while no other one answered, until another one was asked:
-- [{after, to, endpoint, tries, dueAt, disputed}], where blocks are those after `after` up to `to`, `tries` counts
-- the looks that settled nothing, `dueAt` is when the next one is due, and `disputed` says that two differ.
ALTER TABLE evm_chains ADD COLUMN unconfirmed jsonb NOT NULL DEFAULT '[]';
