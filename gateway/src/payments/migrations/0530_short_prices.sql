-- Sums of prices count of a payment that was completed short what came of its price. The hours in which such payments were
-- created are counted again.
DELETE FROM payment_hours k USING payments p
WHERE p.short_units IS NOT NULL AND p.price_amount IS NOT NULL AND k.integration_id = p.integration_id AND k.mode = p.mode
  AND k.hour = date_trunc('hour', p.created_at, 'UTC');
