-- Whose an address is: `payment_id` is the id of an owner of this kind. Those of top-ups (integrations) and of users
-- are reusable, and watched for ever.
ALTER TABLE evm_addresses ADD COLUMN owner_kind text NOT NULL DEFAULT 'payment'
  CHECK (owner_kind IN ('payment', 'top-up', 'user'));
CREATE INDEX evm_addresses_reusable ON evm_addresses (owner_kind, payment_id) WHERE owner_kind <> 'payment';
-- Below an extended key an owner has one address that is reusable.
CREATE UNIQUE INDEX evm_addresses_reusable_key ON evm_addresses (owner_kind, payment_id, xpub)
  WHERE owner_kind <> 'payment' AND xpub IS NOT NULL;

-- Owners as rails/owner.ts writes them: a payment's id, or `top-up:` and `user:` before theirs.
ALTER TABLE evm_transactions ALTER COLUMN payments TYPE text[] USING payments::text[];
