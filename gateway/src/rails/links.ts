/** Where a block explorer shows a transaction and an account of a rail; null where there is none. */
export type Links = {
  transaction(rail: string, id: string): string | null;
  account(rail: string, address: string): string | null;
};
