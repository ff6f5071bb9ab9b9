/** A person at the wallet's pages without a browser: keeps cookies, and sends forms as a browser does. */
export type WalletPerson = {
  get(path: string): Promise<WalletAnswer>;
  /** Sends a form; `headers` replace those of a browser. */
  send(path: string, fields: Record<string, string>, headers?: Record<string, string>): Promise<WalletAnswer>;
  cookies: Map<string, string>;
};

/** `to` is where a redirect leads, `words` what a page says. */
export type WalletAnswer = {
  status: number;
  to: string | null;
  words: string;
  text: string;
  headers: Headers;
};

export function walletPerson(baseUrl: string): WalletPerson {
  const cookies = new Map<string, string>();
  async function call(path: string, init: RequestInit): Promise<WalletAnswer> {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await fetch(`${baseUrl}/wallet/${path}`, {
      ...init,
      redirect: 'manual',
      headers: { 'accept-language': 'en', ...(cookie === '' ? {} : { cookie }), ...init.headers },
    });
    for (const line of response.headers.getSetCookie()) {
      const [pair = ''] = line.split(';');
      const at = pair.indexOf('=');
      if (line.includes('Max-Age=0')) cookies.delete(pair.slice(0, at));
      else cookies.set(pair.slice(0, at), pair.slice(at + 1));
    }
    const text = await response.text();
    const words = (/<body.*<\/body>/s.exec(text)?.[0] ?? '')
      .replace(/<[^>]*>/g, ' ')
      .replace(/\s+/g, ' ')
      .trim();
    const { status, headers } = response;
    return { status, to: headers.get('location'), words, text, headers };
  }
  return {
    cookies,
    get: (path) => call(path, {}),
    send: (path, fields, headers = { origin: baseUrl }) =>
      call(path, { method: 'POST', body: new URLSearchParams(fields), headers }),
  };
}
