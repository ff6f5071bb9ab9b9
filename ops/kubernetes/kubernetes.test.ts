import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { settings } from '../../gateway/src/config/settings.ts';

type Labels = Record<string, string>;
type Probe = { httpGet: { path: string; port: string } };
type Container = {
  name: string;
  image: string;
  args: string[];
  envFrom: { configMapRef: { name: string } }[];
  env?: { name: string; value: string }[];
  securityContext: object;
  resources: { requests: object; limits: { memory: string } };
  ports?: { name: string; containerPort: number }[];
  volumeMounts: { name: string; mountPath: string; readOnly?: boolean }[];
  readinessProbe?: Probe;
  livenessProbe?: Probe;
};
type Pod = {
  containers: Container[];
  initContainers?: Container[];
  volumes: { name: string; projected?: { sources: { secret: { name: string } }[] } }[];
};
type Manifest = {
  apiVersion: string;
  kind: string;
  metadata: { name: string; namespace?: string; labels?: Labels };
  data?: Record<string, string>;
  stringData?: Record<string, string>;
  spec: {
    replicas?: number;
    selector: Labels & { matchLabels?: Labels };
    podSelector?: { matchLabels: Labels };
    template: { metadata: { labels: Labels }; spec: Pod };
  };
};

const here = import.meta.dirname;
const read = (file: string): string => readFileSync(join(here, file), 'utf8');
// As Kubernetes reads it: there 0440 is octal.
const documentsOf = (file: string): Manifest[] =>
  parseAllDocuments(read(file), { version: '1.1' }).map((document) => {
    if ('errors' in document) expect([file, document.errors]).toEqual([file, []]);
    return document.toJS() as Manifest;
  });
const files = globSync('*.yaml', { cwd: here }).sort();
const kustomization = parse(read('kustomization.yaml')) as {
  resources: string[];
  images: { name: string; newTag: string }[];
};
const all = files.filter((file) => file !== 'kustomization.yaml').flatMap(documentsOf);
const named = (kind: string, name: string): Manifest => {
  const found = all.filter((each) => each.kind === kind && each.metadata.name === name);
  expect([kind, name, found.length]).toEqual([kind, name, 1]);
  return found[0]!;
};
const pods = all.flatMap(({ kind, metadata, spec }) =>
  kind === 'Deployment' || kind === 'Job' ? [{ name: metadata.name, pod: spec.template.spec }] : [],
);
const containers = pods.flatMap(({ name, pod }) =>
  [...(pod.initContainers ?? []), ...pod.containers].map((container) => ({ name, pod, container })),
);

const versions: Record<string, string> = {
  ConfigMap: 'v1',
  Deployment: 'apps/v1',
  Ingress: 'networking.k8s.io/v1',
  Job: 'batch/v1',
  Namespace: 'v1',
  NetworkPolicy: 'networking.k8s.io/v1',
  PodDisruptionBudget: 'policy/v1',
  Secret: 'v1',
  Service: 'v1',
};

test('each manifest is of a kind and version that clusters have, and no two are the same', () => {
  expect(all.filter(({ kind, apiVersion }) => versions[kind] !== apiVersion)).toEqual([]);
  const names = all.map(({ kind, metadata }) => `${kind} ${metadata.name}`);
  expect(new Set(names).size).toBe(names.length);
});

test('all but examples are applied together', () => {
  expect([...kustomization.resources].sort()).toEqual(
    files.filter((file) => file !== 'kustomization.yaml' && !file.includes('.example.')),
  );
  expect(kustomization.images.map(({ name }) => name)).toEqual([
    ...new Set(containers.map(({ container }) => container.image)),
  ]);
});

describe('pods', () => {
  test('are two that serve, one that works and a job that migrates', () => {
    const roles = ['api', 'worker'].map((role) => named('Deployment', `florin-${role}`).spec);
    expect(roles.map(({ replicas }) => replicas)).toEqual([2, 1]);
    expect(roles.map(({ template }) => template.spec.containers[0]?.args)).toEqual([
      ['start', '--role', 'api'],
      ['start', '--role', 'worker'],
    ]);
    expect(named('Job', 'florin-migrate').spec.template.spec.containers[0]?.args).toEqual(['migrate']);
  });

  test('are as strict as the image allows', () => {
    for (const { name, pod, container } of containers) {
      expect([name, pod]).toEqual([
        name,
        expect.objectContaining({
          automountServiceAccountToken: false,
          enableServiceLinks: false,
          securityContext: {
            runAsNonRoot: true,
            runAsUser: 1000,
            runAsGroup: 1000,
            fsGroup: 1000,
            seccompProfile: { type: 'RuntimeDefault' },
          },
        }),
      ]);
      expect([name, container.securityContext]).toEqual([
        name,
        {
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          privileged: false,
          capabilities: { drop: ['ALL'] },
        },
      ]);
      expect(container.resources.limits.memory).toMatch(/^\d+Mi$/);
    }
  });

  test('mount what they have, and find each file of their settings there', () => {
    for (const { name, pod, container } of containers) {
      const volumes = pod.volumes.map((volume) => volume.name).sort();
      expect([name, container.volumeMounts.map((mount) => mount.name).sort()]).toEqual([name, volumes]);
      const config = named('ConfigMap', container.envFrom[0]!.configMapRef.name).data ?? {};
      const secrets = pod.volumes
        .flatMap(({ projected }) => projected?.sources ?? [])
        .flatMap(({ secret }) => Object.keys(named('Secret', secret.name).stringData ?? {}));
      const { mountPath, readOnly } = container.volumeMounts.find((mount) => mount.name === 'secrets')!;
      expect(readOnly).toBe(true);
      const given = { ...config, ...Object.fromEntries((container.env ?? []).map((e) => [e.name, e.value])) };
      const wanted = Object.entries(given).filter(([key]) => key.endsWith('_FILE'));
      expect(wanted.map(([, path]) => path).sort()).toEqual(
        secrets.map((key) => `${mountPath}/${key}`).sort(),
      );
      const known = settings.map((setting) => setting.name);
      expect(Object.keys(given).filter((key) => !known.includes(key))).toEqual([]);
    }
  });

  test('only the job has the owner of the database', () => {
    const withOwner = pods.filter(({ pod }) => JSON.stringify(pod).includes('florin-owner'));
    expect(withOwner.map(({ name }) => name)).toEqual(['florin-migrate']);
  });

  test('are asked whether they live and whether they are ready, at ports that they name', () => {
    const [api, worker] = ['api', 'worker'].map(
      (role) => named('Deployment', `florin-${role}`).spec.template.spec.containers[0]!,
    );
    expect(api?.readinessProbe?.httpGet).toEqual({ path: '/ready', port: 'http' });
    expect(api?.livenessProbe?.httpGet).toEqual({ path: '/health', port: 'http' });
    expect(worker?.livenessProbe?.httpGet).toEqual({ path: '/metrics', port: 'metrics' });
    const fallbacks = new Map(settings.map(({ name, fallback }) => [name, fallback]));
    expect(api?.ports?.map(({ containerPort }) => `${containerPort}`)).toEqual([
      fallbacks.get('PORT'),
      fallbacks.get('METRICS_PORT'),
    ]);
  });
});

test('what selects pods selects some, by labels that they have', () => {
  const labels = all.flatMap(({ kind, spec }) =>
    kind === 'Deployment' || kind === 'Job' ? [spec.template.metadata.labels] : [],
  );
  for (const { kind, metadata, spec } of all) {
    const selector = {
      Deployment: spec?.selector?.matchLabels,
      PodDisruptionBudget: spec?.selector?.matchLabels,
      Service: spec?.selector,
      NetworkPolicy: spec?.podSelector?.matchLabels,
    }[kind];
    if (!selector) continue;
    const fits = labels.filter((each) =>
      Object.entries(selector).every(([key, value]) => each[key] === value),
    );
    expect([metadata.name, fits.length > 0]).toEqual([metadata.name, true]);
  }
});

test('the secrets of the example open nothing', () => {
  const key = named('Secret', 'florin').stringData?.['master-key'] ?? '';
  // Neither hexadecimal nor base64 of 32 bytes: a gateway refuses it.
  expect(key).toMatch(/ /);
});
