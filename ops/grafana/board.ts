/** What a panel shows of one expression; the legend may name labels, such as `{{route}}`. */
type Line = { expr: string; legend: string };

/** A colour that a value has from `from` on; the first has no bound. */
type Threshold = { color: 'green' | 'yellow' | 'red' | 'blue'; from?: number };

export type Panel = {
  title: string;
  /** What it shows, and where a number comes from; shown at the panel's title. */
  about: string;
  /** A curve over time, one number, or a row for each label. */
  kind: 'curve' | 'number' | 'list';
  /** As Grafana names it: reqps, ops, s, bytes, percentunit, short. */
  unit: string;
  lines: Line[];
  thresholds?: Threshold[];
  /** Words for single values, such as 1: up. */
  words?: Record<string, { text: string; color: Threshold['color'] }>;
  /** Of the 24 columns of a board; by default 4 for a number, else 8. */
  columns?: number;
  isStacked?: boolean;
};

export type Board = {
  name: string;
  title: string;
  about: string;
  /** Labels beside `instance` by which a board is narrowed: the label, and a metric that has it. */
  narrowedBy?: { label: string; metric: string }[];
  rows: { title: string; panels: Panel[] }[];
};

const example = 'https://pay.example.com';
// biome-ignore lint/suspicious/noTemplateCurlyInString: Grafana puts in the value of its variable.
const source = { type: 'prometheus', uid: '${source}' };
const boardColumns = 24;
const heights = { curve: 8, number: 4, list: 8 };

/** The board as Grafana 10 and later imports it. */
export function boardOf(board: Board): object {
  return {
    uid: `florin-${board.name}`,
    title: `Florin: ${board.title}`,
    description: board.about,
    tags: ['florin'],
    schemaVersion: 39,
    editable: true,
    graphTooltip: 1,
    refresh: '30s',
    timezone: 'utc',
    time: { from: 'now-6h', to: 'now' },
    annotations: { list: [firingAlerts] },
    links: [
      { ...link('Florin', 'dashboards'), tags: ['florin'], includeVars: true, keepTime: true },
      // biome-ignore lint/suspicious/noTemplateCurlyInString: the same.
      { ...link('What to do', 'link'), url: '${florin}/docs/watching', targetBlank: true },
    ],
    templating: { list: variablesOf(board) },
    panels: placed(board),
  };
}

const firingAlerts = {
  name: 'Alerts',
  datasource: source,
  enable: true,
  iconColor: 'red',
  expr: 'ALERTS{alertname=~"Florin.*",alertstate="firing"}',
  titleFormat: '{{alertname}}',
};

const link = (title: string, type: 'dashboards' | 'link') => ({
  ...{ title, type, tags: [] as string[], icon: type === 'link' ? 'doc' : 'external link', tooltip: '' },
  ...{ url: '', asDropdown: type === 'dashboards', targetBlank: false, includeVars: false, keepTime: false },
});

function variablesOf({ narrowedBy = [] }: Board): object[] {
  const labels = [{ label: 'instance', metric: 'up{job="florin"}' }, ...narrowedBy];
  return [
    { name: 'source', label: 'Prometheus', type: 'datasource', query: 'prometheus', hide: 0 },
    ...labels.map(({ label, metric }) => ({
      ...{ name: label, label, type: 'query', datasource: source, current: { text: 'All', value: '$__all' } },
      ...{ query: { query: `label_values(${metric}, ${label})`, refId: label }, refresh: 2, sort: 1 },
      ...{ multi: true, includeAll: true, allValue: '.*', hide: 0 },
    })),
    {
      ...{ name: 'florin', label: 'Address of the gateway', type: 'textbox', hide: 0 },
      ...{ query: example, current: { text: example, value: example } },
    },
  ];
}

/** The panels below each other: a row's title, then its panels from the left, as many as fit beside each other. */
function placed({ rows }: Board): object[] {
  const found: object[] = [];
  let y = 0;
  for (const { title, panels } of rows) {
    const gridPos = { h: 1, w: boardColumns, x: 0, y };
    found.push({ id: found.length + 1, type: 'row', title, gridPos, collapsed: false, panels: [] });
    y += 1;
    let [x, high] = [0, 0];
    for (const panel of panels) {
      const { kind, columns = kind === 'number' ? 4 : 8 } = panel;
      if (x + columns > boardColumns) [x, y, high] = [0, y + high, 0];
      found.push({
        id: found.length + 1,
        gridPos: { h: heights[kind], w: columns, x, y },
        ...panelOf(panel),
      });
      [x, high] = [x + columns, Math.max(high, heights[kind])];
    }
    y += high;
  }
  return found;
}

function panelOf(panel: Panel): object {
  const { title, about, kind, unit, thresholds, words = {}, isStacked = false } = panel;
  const steps = (thresholds ?? [{ color: 'green' }]).map(({ color, from = null }) => ({
    color,
    value: from,
  }));
  return {
    title,
    description: about,
    type: { curve: 'timeseries', number: 'stat', list: 'table' }[kind],
    datasource: source,
    targets: panel.lines.map((line, index) => targetOf(line, index, kind)),
    fieldConfig: {
      defaults: {
        ...{ unit, noValue: kind === 'curve' ? undefined : 'none', min: kind === 'curve' ? 0 : undefined },
        thresholds: { mode: 'absolute', steps },
        mappings: [{ type: 'value', options: words }].filter(() => Object.keys(words).length > 0),
        custom: kind === 'curve' ? curveStyle(isStacked, thresholds !== undefined) : {},
      },
      overrides: [],
    },
    ...{ options: optionsOf[kind], transformations: kind === 'list' ? listColumns : [] },
  };
}

function targetOf({ expr, legend }: Line, index: number, kind: Panel['kind']): object {
  const refId = String.fromCharCode('A'.charCodeAt(0) + index);
  const isNow = kind === 'list';
  return {
    ...{ refId, datasource: source, expr, legendFormat: legend },
    ...{ instant: isNow, range: !isNow, format: isNow ? 'table' : 'time_series' },
  };
}

const curveStyle = (isStacked: boolean, hasLimits: boolean) => ({
  ...{
    drawStyle: 'line',
    lineWidth: 1,
    fillOpacity: isStacked ? 30 : 5,
    showPoints: 'never',
    spanNulls: false,
  },
  stacking: { mode: isStacked ? 'normal' : 'none', group: 'A' },
  thresholdsStyle: { mode: hasLimits ? 'line' : 'off' },
});

const optionsOf = {
  curve: {
    legend: { displayMode: 'table', placement: 'bottom', showLegend: true, calcs: ['lastNotNull', 'max'] },
    tooltip: { mode: 'multi', sort: 'desc' },
  },
  number: {
    ...{ colorMode: 'value', graphMode: 'area', justifyMode: 'auto', orientation: 'auto', textMode: 'auto' },
    ...{ showPercentChange: false, percentChangeColorMode: 'standard', wideLayout: true },
    ...{ reduceOptions: { calcs: ['lastNotNull'], fields: '', values: false } },
  },
  list: { showHeader: true, cellHeight: 'sm' },
};

// A table has the labels and the newest value; its time says nothing.
const listColumns = [
  { id: 'organize', options: { excludeByName: { Time: true }, indexByName: {}, renameByName: {} } },
];
