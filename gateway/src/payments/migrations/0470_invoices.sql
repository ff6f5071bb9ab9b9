-- Payments that shops make by the BTCPay door (docs/contract.md#btcpay), and what such a payment may have of its own.
ALTER TABLE payments
  ADD COLUMN is_invoice boolean NOT NULL DEFAULT false,
  -- the assets that its customer may choose; NULL: all
  ADD COLUMN asset_codes text[],
  -- how much less than is due completes it, in percent; NULL: as its integration has it
  ADD COLUMN short_percent float8 CHECK (short_percent BETWEEN 0 AND 5),
  -- whether its page leads back to the shop by itself; NULL: it does
  ADD COLUMN redirects boolean;

CREATE TABLE payment_invoices (
  payment_id uuid PRIMARY KEY REFERENCES payments,
  -- 22 base-62 characters: who has it can pay
  id text NOT NULL UNIQUE,
  integration_id uuid NOT NULL,
  mode text NOT NULL,
  order_id text,
  -- a JSON object, as the shop wrote it last
  metadata text NOT NULL,
  -- the options of its page, as the shop asked for them
  checkout jsonb NOT NULL,
  -- what it is found by: values in metadata, and further terms
  terms bigint[] NOT NULL,
  archived boolean NOT NULL DEFAULT false,
  created_at timestamptz NOT NULL
);
CREATE INDEX payment_invoices_list ON payment_invoices (integration_id, mode, created_at DESC, payment_id DESC);
CREATE INDEX payment_invoices_order ON payment_invoices (integration_id, mode, order_id) WHERE order_id IS NOT NULL;
CREATE INDEX payment_invoices_terms ON payment_invoices USING gin (terms);
