-- Whose a memo is: `payment_id` is the id of an owner of this kind. Those of top-ups (integrations) and of users are
-- reusable.
ALTER TABLE pi_memos ADD COLUMN owner_kind text NOT NULL DEFAULT 'payment'
  CHECK (owner_kind IN ('payment', 'top-up', 'user'));
