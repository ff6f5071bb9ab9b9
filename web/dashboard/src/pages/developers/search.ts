import { choiceParam, dayParam, given, type RawSearch, textParam } from '../../api/search.ts';

export type DevelopersSearch = ReturnType<typeof readDevelopersSearch>;

const developersTabs = ['requests', 'clock', 'listen', 'snippets'] as const;
export type DevelopersTab = (typeof developersTabs)[number];

export const frameworks = ['express', 'fastify', 'hono', 'next'] as const;
export type Framework = (typeof frameworks)[number];

export const languages = ['curl', 'node', 'python', 'php', 'go'] as const;
export type Language = (typeof languages)[number];

/** Reads what the address of this page says. */
export function readDevelopersSearch(raw: RawSearch) {
  return given({
    tab: choiceParam(raw.tab, developersTabs),
    status: choiceParam(raw.status, ['2xx', '4xx', '5xx']),
    method: choiceParam(raw.method, ['GET', 'PUT', 'POST', 'PATCH', 'DELETE']),
    key: textParam(raw.key, 40),
    q: textParam(raw.q, 300),
    from: dayParam(raw.from),
    to: dayParam(raw.to),
    cursor: textParam(raw.cursor),
    open: textParam(raw.open, 40),
    language: choiceParam(raw.language, languages),
    framework: choiceParam(raw.framework, frameworks),
  });
}
