/** OpenMetrics 1.0 text (https://prometheus.io/docs/specs/om/open_metrics_spec/), as far as counters, gauges and histograms need it. */
export const OPENMETRICS = 'application/openmetrics-text; version=1.0.0; charset=utf-8'

export type Labels = Readonly<Record<string, string>>

export interface Sample {
  /** Suffix of the family's name: `_total`, `_bucket`, `_sum`, `_count`; empty for a gauge. */
  readonly suffix: string
  readonly labels: Labels
  readonly value: number
}

export interface Family {
  readonly name: string
  readonly type: 'counter' | 'gauge' | 'histogram'
  readonly help: string
  /** The last word of the name, if it has a unit. */
  readonly unit?: 'seconds' | 'bytes'
  readonly samples: readonly Sample[]
}

export function exposition(families: readonly Family[]): string {
  return `${families.flatMap(linesOf).join('\n')}\n# EOF\n`
}

export function single(family: Omit<Family, 'samples'>, value: number): Family {
  return { ...family, samples: [{ suffix: family.type === 'counter' ? '_total' : '', labels: {}, value }] }
}

function linesOf({ name, type, help, unit, samples }: Family): string[] {
  return [
    `# TYPE ${name} ${type}`,
    ...(unit === undefined ? [] : [`# UNIT ${name} ${unit}`]),
    `# HELP ${name} ${escaped(help)}`,
    ...samples.map(({ suffix, labels, value }) => `${name}${suffix}${labelsOf(labels)} ${numberOf(value)}`),
  ]
}

function labelsOf(labels: Labels): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escaped(value)}"`)
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`
}

function escaped(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n').replaceAll('"', '\\"')
}

function numberOf(value: number): string {
  return value === Number.POSITIVE_INFINITY ? '+Inf' : String(value)
}
