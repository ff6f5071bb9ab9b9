import type { DBAdapter, Where } from 'better-auth/adapters';
import { type Seal, type SealedColumn, sealedColumn } from '../../kit/seal.ts';

const ofFactor = 'twoFactor';

/** Secret and recovery codes of a second factor, which better-auth itself encrypts as well. */
export const sealedFactors: readonly SealedColumn[] = [
  sealedColumn('two_factors', 'secret', 'account_id'),
  sealedColumn('two_factors', 'recovery_codes', 'account_id'),
];
const columnOf: Readonly<Record<string, SealedColumn | undefined>> = {
  secret: sealedFactors[0],
  backupCodes: sealedFactors[1],
};

type Fields = Record<string, unknown>;
type Factor = Fields & { userId: string };

/** The fields of a second factor with what is secret sealed for the row of its account. */
function sealed(seal: Seal, account: string, fields: Fields): Fields {
  return mapped(fields, (column, value) => seal.seal(String(value), column.at(account)));
}

function opened(seal: Seal, factor: Fields): Factor {
  const open = (column: SealedColumn, value: unknown) =>
    seal.open(value as Buffer, column.at(String(factor.userId)));
  return mapped(factor, open) as Factor;
}

function mapped(fields: Fields, map: (column: SealedColumn, value: unknown) => unknown): Fields {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => {
      const column = columnOf[name];
      return [name, column && value !== null && value !== undefined ? map(column, value) : value];
    }),
  );
}

/** Tries of an update whose row was sealed anew in between, as it is while the master key is rotated. */
const updateTries = 3;

/**
 * better-auth's storage with sealed second factors. An update may name the codes that it replaces: they are compared in
 * the clear, and the value that was read is the condition of the statement.
 */
export function withSealedFactors(storage: DBAdapter, seal: Seal): DBAdapter {
  const find = (where: Where[]) => storage.findOne<Factor>({ model: ofFactor, where });

  async function update(where: Where[], fields: Fields): Promise<Factor | null> {
    for (let tries = 0; tries < updateTries; tries++) {
      const row = await find(where.filter(({ field }) => !columnOf[field]));
      if (!row) return null;
      const plain = opened(seal, row);
      if (where.some(({ field, value }) => columnOf[field] && plain[field] !== value)) return null;
      const asRead = where.map((condition) =>
        columnOf[condition.field]
          ? { ...condition, value: row[condition.field] as Where['value'] }
          : condition,
      );
      const change = { model: ofFactor, where: asRead, update: sealed(seal, row.userId, fields) };
      const changed = await storage.update<Factor>(change);
      if (changed) return opened(seal, changed);
    }
    return null;
  }

  const outer: DBAdapter = {
    ...storage,
    async create<T extends Record<string, unknown>, R = T>(input: Parameters<DBAdapter['create']>[0]) {
      if (input.model !== ofFactor) return await storage.create<T, R>(input as never);
      const data = sealed(seal, String(input.data.userId), input.data);
      return opened(seal, await storage.create<Fields, Factor>({ ...input, data })) as R;
    },
    async findOne<T>(input: Parameters<DBAdapter['findOne']>[0]) {
      const found = await storage.findOne<T>(input);
      return found && input.model === ofFactor ? (opened(seal, found as Fields) as T) : found;
    },
    async findMany<T>(input: Parameters<DBAdapter['findMany']>[0]) {
      const found = await storage.findMany<T>(input);
      return input.model === ofFactor ? found.map((each) => opened(seal, each as Fields) as T) : found;
    },
    async update<T>(input: Parameters<DBAdapter['update']>[0]) {
      if (input.model !== ofFactor) return await storage.update<T>(input);
      return (await update(input.where, input.update)) as T | null;
    },
    async updateMany(input) {
      if (input.model === ofFactor) throw new Error('Second factors are changed one by one');
      return await storage.updateMany(input);
    },
    transaction: (work) => work(outer),
  };
  return outer;
}
