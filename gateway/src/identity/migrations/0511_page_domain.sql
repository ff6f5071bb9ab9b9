-- A domain of the merchant's own, at which the hosted page of one integration is once it was proved.
ALTER TABLE integrations
  ADD COLUMN page_domain text,
  -- what the domain's owner publishes to prove that it is theirs
  ADD COLUMN page_domain_token text,
  ADD COLUMN page_domain_verified_at timestamptz,
  -- when its records were last looked for, and since when they are not found any more
  ADD COLUMN page_domain_checked_at timestamptz,
  ADD COLUMN page_domain_lost_at timestamptz,
  ADD CHECK ((page_domain IS NULL) = (page_domain_token IS NULL)),
  ADD CHECK (page_domain_verified_at IS NULL OR page_domain IS NOT NULL);
-- Several may ask for one domain, and one can have it.
CREATE UNIQUE INDEX integrations_page_domain ON integrations (page_domain) WHERE page_domain_verified_at IS NOT NULL;
