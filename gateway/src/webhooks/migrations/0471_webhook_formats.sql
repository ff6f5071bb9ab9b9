-- Endpoints of shops that speak the BTCPay API (docs/contract.md#btcpay): their deliveries are sent as that API's.
ALTER TABLE webhook_endpoints
  ADD COLUMN format text NOT NULL DEFAULT 'florin' CHECK (format IN ('florin', 'greenfield')),
  -- whether a delivery that failed is tried again by itself
  ADD COLUMN retries boolean NOT NULL DEFAULT true;
