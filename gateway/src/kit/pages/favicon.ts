/** A gold coin, as a data address, so that the icon needs no request. */
export const FAVICON =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 32 32'%3E%3Ccircle cx='16' cy='16' r='14' fill='%23c58b12'/%3E%3Cpath d='M12 24V8h9m-9 7h7' fill='none' stroke='%23fff' stroke-width='3'/%3E%3C/svg%3E";
