-- What waits for a person of one business, counted on every page of the dashboard.
CREATE INDEX payouts_awaiting ON payouts (integration_id, mode, id DESC) WHERE status = 'awaiting_approval';
