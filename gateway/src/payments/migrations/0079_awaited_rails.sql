-- The rails whose destination the payment was shown, or that brought it a transfer: before each of them has read past
-- a deadline, that deadline moves nothing.
ALTER TABLE payments ADD COLUMN awaited_rails text[] NOT NULL DEFAULT '{}';
-- Which of them it waits for, and since which moment it is due; NULL: it does not wait.
ALTER TABLE payments ADD COLUMN unread_rails text[], ADD COLUMN unread_since timestamptz,
  ADD CHECK ((unread_rails IS NULL) = (unread_since IS NULL));
CREATE INDEX payments_unread ON payments (unread_since) WHERE unread_since IS NOT NULL;

UPDATE payments p SET awaited_rails = ARRAY(
  SELECT 'evm:' || c.chain_id FROM evm_chains c WHERE p.method = ANY (c.verified_assets)
  UNION SELECT 'pi' WHERE p.method = 'pi'
  UNION SELECT t.rail FROM payment_transfers t WHERE t.payment_id = p.id AND (t.rail LIKE 'evm:%' OR t.rail = 'pi'))
WHERE mode = 'live' AND status IN ('unlinked', 'linked', 'pending', 'cancelled');
