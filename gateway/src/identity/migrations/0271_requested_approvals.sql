-- Requests for live mode, counted on every page of an operator.
CREATE INDEX integrations_requested ON integrations (id DESC) WHERE approval = 'requested';
