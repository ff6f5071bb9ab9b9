-- A live reference is unique over the installation. A test reference is unique within its integration alone, and never
-- equals a live one of the same integration: nobody takes another merchant's reference with a test key (contract.md 2).
ALTER TABLE payments DROP CONSTRAINT payments_reference;
CREATE UNIQUE INDEX payments_own_reference ON payments (reference, integration_id);
CREATE UNIQUE INDEX payments_live_reference ON payments (reference) WHERE mode = 'live';
