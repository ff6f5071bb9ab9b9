-- The signature with which the owner of the address that the money came from chose where a refund goes: who signed, which
-- text, and the signature.
ALTER TABLE payment_refunds
  ADD COLUMN proved_by text,
  ADD COLUMN proof_statement text,
  ADD COLUMN proof_signature text,
  ADD CONSTRAINT payment_refunds_proof
    CHECK ((proved_by IS NULL) = (proof_statement IS NULL) AND (proved_by IS NULL) = (proof_signature IS NULL));
