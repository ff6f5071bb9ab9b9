/**
 * The first row of a query that always returns one, such as an aggregate or an INSERT ... RETURNING.
 * `query` names it in the error that is thrown when there is no row.
 */
export function oneRow<Row>(result: { rows: readonly Row[] }, query: string): Row {
  const [row] = result.rows;
  if (row === undefined) throw new Error(`The query "${query}" returned no row`);
  return row;
}
