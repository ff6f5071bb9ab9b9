/**
 * Checksums of earlier forms of a released migration, by its name. A database that was migrated by one of them has the
 * same schema and stays as it is. A released migration never changes; this is the whole list of exceptions
 * (contract.md#upgrades).
 */
const earlierForms: ReadonlyMap<string, readonly string[]> = new Map([
  // By SET EXPRESSION, which PostgreSQL 15 and 16 do not have.
  ['0135_evm_moves.sql', ['2b3b88a7ad071b5f498aa1b08a16b488a7fec419d86bd1cea4988a6bcab5c576']],
]);

/** Whether a checksum belongs to the migration, or to an earlier form of it. */
export function isFormOf({ name, checksum }: { name: string; checksum: string }, other: string): boolean {
  return other === checksum || (earlierForms.get(name)?.includes(other) ?? false);
}
