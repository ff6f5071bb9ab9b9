export type Json = Record<string, unknown>;

export type Links = (paths: Record<string, string>) => Json;

/** Makes `_links` of paths; those with a template in them say so. */
export function linksFrom(base: string): Links {
  return (paths) =>
    Object.fromEntries(
      Object.entries(paths).map(([name, path]) => [
        name,
        path.includes('{') ? { href: base + path, templated: true } : { href: base + path },
      ]),
    );
}

export const pageTemplate = '{?cursor,limit,order}';
