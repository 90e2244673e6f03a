import { bodyBytesOf } from '../http/bytes.ts'
import { type Layer, after } from '../http/router.ts'
import type { Family, Labels } from './exposition.ts'

/** In seconds: from a cached response to a large folder. */
const BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
/** Clients choose the method, so all others are counted as one. */
const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])

export interface RequestMeter {
  /** Counts every request. Mount it before everything that responds. */
  readonly measure: Layer
  families(): Family[]
}

interface Durations {
  readonly labels: Labels
  /** Cumulative counts per bucket; the last is the total. */
  readonly counts: number[]
  seconds: number
}

/**
 * Requests by method, route pattern and status; time to the first byte; and the announced bytes in both directions. Patterns are ours, so clients
 * cannot increase the number of series.
 */
export function createRequestMeter({ now = () => performance.now() }: { now?: () => number } = {}): RequestMeter {
  const requests = new Map<string, { labels: Labels; count: number }>()
  const durations = new Map<string, Durations>()
  const bytes = { received: 0, sent: 0 }
  let running = 0

  function count(labels: Labels): void {
    const key = Object.values(labels).join(' ')
    const known = requests.get(key) ?? { labels, count: 0 }
    known.count += 1
    requests.set(key, known)
  }

  function observe(labels: Labels, seconds: number): void {
    const key = Object.values(labels).join(' ')
    const known = durations.get(key) ?? { labels, counts: [...BUCKETS, 0].map(() => 0), seconds: 0 }
    for (const [at, bucket] of [...BUCKETS, Number.POSITIVE_INFINITY].entries())
      if (seconds <= bucket) known.counts[at] = (known.counts[at] ?? 0) + 1
    known.seconds += seconds
    durations.set(key, known)
  }

  return {
    measure(c, next) {
      const start = now()
      running += 1
      return after(next(), (response) => {
        running -= 1
        const method = METHODS.has(c.request.method) ? c.request.method : 'other'
        count({ method, route: c.route, status: String(response.status) })
        observe({ method, route: c.route }, (now() - start) / 1000)
        bytes.received += lengthIn(c.request.headers)
        if (c.request.method !== 'HEAD') bytes.sent += bodyBytesOf(response) ?? 0
        return response
      })
    },

    families: () => [
      {
        name: 'satchel_http_requests',
        type: 'counter',
        help: 'Requests that were answered.',
        samples: [...requests.values()].map(({ labels, count: value }) => ({ suffix: '_total', labels, value })),
      },
      {
        name: 'satchel_http_request_duration_seconds',
        type: 'histogram',
        unit: 'seconds',
        help: 'Time until an answer began; sending its bytes comes after.',
        samples: [...durations.values()].flatMap(samplesOf),
      },
      {
        name: 'satchel_http_requests_running',
        type: 'gauge',
        help: 'Requests without an answer yet.',
        samples: [{ suffix: '', labels: {}, value: running }],
      },
      {
        name: 'satchel_http_transferred_bytes',
        type: 'counter',
        unit: 'bytes',
        help: 'Bytes of bodies, as they were announced before they moved.',
        samples: Object.entries(bytes).map(([direction, value]) => ({ suffix: '_total', labels: { direction }, value })),
      },
    ],
  }
}

function samplesOf({ labels, counts, seconds }: Durations) {
  const buckets = [...BUCKETS.map(String), '+Inf'].map((le, at) => ({
    suffix: '_bucket',
    labels: { ...labels, le },
    value: counts[at] ?? 0,
  }))
  return [...buckets, { suffix: '_sum', labels, value: seconds }, { suffix: '_count', labels, value: counts.at(-1) ?? 0 }]
}

function lengthIn(headers: Headers): number {
  const length = headers.get('content-length') ?? ''
  return /^\d{1,15}$/.test(length) ? Number(length) : 0
}
