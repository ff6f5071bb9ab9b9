import { expect } from 'vitest';
import type { Api } from '../support/api.ts';
import { type OpenConsole, openConsole } from '../support/console.ts';
import { type RunningApp, startApp } from '../support/running.ts';

/** An endpoint as the dashboard's API shows it. */
export type EndpointView = {
  id: string;
  url: string;
  description: string;
  events: string[];
  status: string;
  headers: { name: string }[];
  old_secret_until: string | null;
  missing_since: string | null;
  missed_events: number;
  last_failure: { error: string; response: string | null } | null;
  replay: { status: string; count: number } | null;
  secret?: string;
};

export const goodEndpoint = { url: 'http://127.0.0.1:61999/hook', events: ['payment_completed'] };

export type WebhookConsole = {
  app: RunningApp;
  people: OpenConsole;
  /** Calls as the owner of the integration's business. */
  owner: Api;
  /** Where the routes of the integration's test mode are. */
  at: string;
  /** Makes an endpoint: a good one, but for what is given. */
  add(body?: object): Promise<EndpointView>;
};

/** A gateway of the test's own, whose webhooks are managed in the dashboard. */
export async function openWebhookConsole(): Promise<WebhookConsole> {
  const app = await startApp();
  const people = await openConsole(app);
  const owner = await people.as('owner');
  const at = people.test;
  return {
    app,
    people,
    owner,
    at,
    async add(body = {}) {
      const answer = await owner<EndpointView>('POST', `${at}/webhooks`, {
        body: { ...goodEndpoint, ...body },
      });
      expect(answer.status).toBe(200);
      return answer.body.data;
    },
  };
}
