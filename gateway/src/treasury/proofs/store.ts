import type {
  AddressSignature,
  ProofPath,
  SignedStatement,
  Statement,
} from '../../../../web/proof/statement.ts';
import { pathFormat, statementText } from '../../../../web/proof/statement.ts';
import { type Database, liftTimeLimits, type Reader, transaction } from '../../kit/db/db.ts';
import type { OwedKind } from '../../ledger/owed.ts';
import type { AssetCode } from '../../money/money.ts';
import { saltOf, siblingsOf, type Tree } from './tree.ts';

/** How many of the newest statements keep their leaves, so that owners can have their paths. */
const keptPaths = 12;
const rowsAtOnce = 10_000;
const chunksAtOnce = 500;

/** What is written of a statement. `seed`: of its salts. */
export type MadeProof = {
  signed: SignedStatement;
  seed: Buffer;
  /** The tree of each asset, and the leaves in the order of its places. */
  trees: { asset: AssetCode; tree: Tree; leaves: { account: bigint; units: bigint }[] }[];
};

/** Writes a statement in one commit, and removes the leaves of old ones. */
export async function keepProof(db: Database, { signed, seed, trees }: MadeProof): Promise<void> {
  const { statement, signature, addresses } = signed;
  const { id } = statement;
  await transaction(db, async (tx) => {
    // A million leaves take longer than a request may.
    await liftTimeLimits(tx);
    await tx.query(
      'INSERT INTO proofs (id, made_at, statement, signature, seed) VALUES ($1, $2, $3, $4, $5)',
      [id, statement.made_at, statementText(statement), signature, seed],
    );
    for (const each of addresses) await writeSignature(tx, id, each, new Date(statement.made_at));
    for (const { asset, tree, leaves } of trees) {
      for (let from = 0; from < tree.chunks.length; from += chunksAtOnce) {
        const part = tree.chunks.slice(from, from + chunksAtOnce);
        await tx.query(
          `INSERT INTO proof_nodes (proof_id, asset, level, chunk, nodes)
           SELECT $1, $2, * FROM unnest($3::smallint[], $4::int[], $5::bytea[])`,
          [
            ...[id, asset, part.map(({ level }) => level), part.map(({ chunk }) => chunk)],
            part.map(({ nodes }) => nodes),
          ],
        );
      }
      for (let from = 0; from < leaves.length; from += rowsAtOnce) {
        const part = leaves.slice(from, from + rowsAtOnce);
        await tx.query(
          `INSERT INTO proof_leaves (proof_id, account, place, units)
           SELECT $1, * FROM unnest($2::bigint[], $3::int[], $4::numeric[])`,
          [
            ...[id, part.map(({ account }) => account)],
            ...[tree.places.slice(from, from + rowsAtOnce), part.map(({ units }) => units)],
          ],
        );
      }
    }
    const old = '(SELECT id FROM proofs ORDER BY made_at DESC, id DESC OFFSET $1)';
    await tx.query(`DELETE FROM proof_leaves WHERE proof_id IN ${old}`, [keptPaths]);
    await tx.query(`DELETE FROM proof_nodes WHERE proof_id IN ${old}`, [keptPaths]);
  });
}

/** Writes a signature for an address of a statement, in place of an earlier one. */
export async function writeSignature(
  reader: Reader,
  id: string,
  { chain_id, address, by, signature }: AddressSignature,
  at: Date,
): Promise<void> {
  await reader.query(
    `INSERT INTO proof_signatures (proof_id, chain_id, address, by, signature, added_at)
     VALUES ($1, $2, $3, $4, $5, $6)
     ON CONFLICT (proof_id, chain_id, address) DO UPDATE SET by = $4, signature = $5, added_at = $6`,
    [id, chain_id, address, by, signature, at],
  );
}

type ProofRow = { statement: string; signature: string; addresses: AddressSignature[] };

const rowSql = `
SELECT statement, signature, (
  SELECT coalesce(json_agg(json_build_object('chain_id', s.chain_id, 'address', s.address, 'by', s.by,
    'signature', s.signature) ORDER BY s.chain_id, s.address), '[]')
  FROM proof_signatures s WHERE s.proof_id = p.id) AS addresses
FROM proofs p`;

const signedOf = ({ statement, signature, addresses }: ProofRow): SignedStatement => ({
  statement: JSON.parse(statement) as Statement,
  signature,
  addresses,
});

/** A statement as it is published; null: there is none with this id. */
export async function findProof(reader: Reader, id: string): Promise<SignedStatement | null> {
  const { rows } = await reader.query<ProofRow>(`${rowSql} WHERE id = $1`, [id]);
  return rows[0] ? signedOf(rows[0]) : null;
}

/** The newest statements, the newest first. */
export async function listProofs(reader: Reader, limit: number): Promise<SignedStatement[]> {
  const { rows } = await reader.query<ProofRow>(`${rowSql} ORDER BY made_at DESC, id DESC LIMIT $1`, [limit]);
  return rows.map(signedOf);
}

/** When the newest statement was made; null: there is none. */
export async function newestProofAt(reader: Reader): Promise<Date | null> {
  const { rows } = await reader.query<{ made_at: Date }>(
    'SELECT made_at FROM proofs ORDER BY made_at DESC LIMIT 1',
  );
  return rows[0]?.made_at ?? null;
}

/** The published statements, for pages. */
export type Proofs = {
  find(id: string): Promise<SignedStatement | null>;
  list(limit: number): Promise<SignedStatement[]>;
  /** See `pathOf`. */
  pathOf(id: string, owner: { kind: OwedKind; owner: string }): Promise<ProofPath | null>;
};

export function readProofs(reader: Reader): Proofs {
  return {
    find: (id) => findProof(reader, id),
    list: (limit) => listProofs(reader, limit),
    pathOf: (id, owner) => pathOf(reader, id, owner),
  };
}

type OwnLeaf = { asset: string; place: number; units: bigint; seed: Buffer };

/**
 * Where the balances of an owner are in the trees of a statement; null: they are in none, or the statement is too old to have
 * its leaves.
 */
export async function pathOf(
  reader: Reader,
  id: string,
  { kind, owner }: { kind: OwedKind; owner: string },
): Promise<ProofPath | null> {
  const { rows } = await reader.query<OwnLeaf>(
    `SELECT a.asset, l.place, l.units, p.seed
     FROM ledger_accounts a JOIN proof_leaves l ON l.account = a.id AND l.proof_id = $1
     JOIN proofs p ON p.id = l.proof_id
     WHERE a.owner = $2 AND a.kind = $3 AND a.mode = 'live' ORDER BY a.asset`,
    [id, owner, kind],
  );
  if (rows.length === 0) return null;
  const account = `${kind}:${owner}`;
  const leaves: ProofPath['leaves'] = [];
  for (const { asset, place, units, seed } of rows) {
    const siblings = await siblingsOf(place, (level, chunk) =>
      readNodes(reader, { id, asset, level, chunk }),
    );
    leaves.push({
      ...{ asset, account, units: units.toString(), salt: saltOf(seed, asset, account) },
      siblings: siblings.map(({ side, hash, sum }) => ({ side, hash, sum: sum.toString() })),
    });
  }
  return { format: pathFormat, statement: id, leaves };
}

type NodesPlace = { id: string; asset: string; level: number; chunk: number };

async function readNodes(reader: Reader, { id, asset, level, chunk }: NodesPlace): Promise<Buffer | null> {
  const { rows } = await reader.query<{ nodes: Buffer }>(
    'SELECT nodes FROM proof_nodes WHERE proof_id = $1 AND asset = $2 AND level = $3 AND chunk = $4',
    [id, asset, level, chunk],
  );
  return rows[0]?.nodes ?? null;
}
