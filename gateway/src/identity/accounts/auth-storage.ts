import { hash } from 'node:crypto';
import type { DBAdapter, Where } from 'better-auth/adapters';
import type { Reader } from '../../kit/db/db.ts';

/** What the table of sessions keeps of a session's token: 190 random bits need no slow hash. */
export function tokenHash(token: string): string {
  return hash('sha256', token, 'base64url');
}

/** What better-auth keeps under this name, of which the table of verifications has the hash; null when it has expired. */
export async function verificationValue(reader: Reader, identifier: string): Promise<string | null> {
  const { rows } = await reader.query<{ value: string }>(
    `SELECT value FROM verifications WHERE identifier = $1 AND expires_at > now()
     ORDER BY created_at DESC LIMIT 1`,
    [hash('sha256', identifier, 'base64url')],
  );
  return rows[0]?.value ?? null;
}

const ofSession = 'session';

function hashedWhere<Conditions extends Where[] | undefined>(model: string, where: Conditions): Conditions {
  if (model !== ofSession || !where) return where;
  return where.map((condition) =>
    condition.field === 'token' ? { ...condition, value: hashedValue(condition.value) } : condition,
  ) as Conditions;
}

function hashedValue(value: Where['value']): Where['value'] {
  if (Array.isArray(value)) return value.map((each) => tokenHash(String(each)));
  return tokenHash(String(value));
}

/** The token that a condition asks for, so that the row it finds can carry it again. */
function askedToken(model: string, where: Where[]): { token?: string } {
  const asked = model === ofSession ? where.find(({ field }) => field === 'token')?.value : undefined;
  return typeof asked === 'string' ? { token: asked } : {};
}

/**
 * better-auth's storage, but with hashes of the tokens of sessions: a reader of the database, or of a backup, cannot
 * take over a session. Lists of sessions have the hashes too.
 */
export function withHashedTokens(storage: DBAdapter): DBAdapter {
  const hashed: DBAdapter = {
    ...storage,
    async create<T extends Record<string, unknown>, R = T>(input: Parameters<DBAdapter['create']>[0]) {
      const { token } = input.data as { token?: string };
      if (input.model !== ofSession || token === undefined) return await storage.create<T, R>(input as never);
      const data = { ...input.data, token: tokenHash(token) };
      return { ...(await storage.create<T, R>({ ...input, data } as never)), token };
    },
    async findOne<T>(input: Parameters<DBAdapter['findOne']>[0]) {
      const found = await storage.findOne<T>({ ...input, where: hashedWhere(input.model, input.where) });
      return found && { ...found, ...askedToken(input.model, input.where) };
    },
    findMany: (input) => storage.findMany({ ...input, where: hashedWhere(input.model, input.where) }),
    count: (input) => storage.count({ ...input, where: hashedWhere(input.model, input.where) }),
    async update<T>(input: Parameters<DBAdapter['update']>[0]) {
      const updated = await storage.update<T>({ ...input, where: hashedWhere(input.model, input.where) });
      return updated && { ...updated, ...askedToken(input.model, input.where) };
    },
    updateMany: (input) => storage.updateMany({ ...input, where: hashedWhere(input.model, input.where) }),
    delete: (input) => storage.delete({ ...input, where: hashedWhere(input.model, input.where) }),
    deleteMany: (input) => storage.deleteMany({ ...input, where: hashedWhere(input.model, input.where) }),
    // The storage has no transactions over a pool: each statement commits by itself.
    transaction: (work) => work(hashed),
  };
  return hashed;
}
