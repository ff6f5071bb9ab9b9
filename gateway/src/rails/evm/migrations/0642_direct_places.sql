-- The addresses that a merchant's own money passes: the splitter of (merchant, host, basis points), and where a part waits
-- that could not be paid (docs/contracts.md). They are the same on every chain.
CREATE TABLE evm_direct_places (
  address text COLLATE "C" PRIMARY KEY,
  kind text NOT NULL CHECK (kind IN ('splitter', 'merchant', 'host')),
  splitter text COLLATE "C" NOT NULL,
  integration_id uuid NOT NULL,
  merchant text COLLATE "C" NOT NULL,
  host text COLLATE "C" NOT NULL,
  basis_points integer NOT NULL CHECK (basis_points BETWEEN 0 AND 9999),
  is_test boolean NOT NULL,
  created_at timestamptz NOT NULL,
  CHECK ((kind = 'splitter') = (address = splitter))
);
CREATE INDEX evm_direct_places_integration ON evm_direct_places (integration_id) WHERE kind = 'splitter';
