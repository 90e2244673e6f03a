import type { MiddlewareHandler } from 'hono'
import type { Env } from '../http/mount.ts'
import { exposition } from './exposition.ts'
import { createRequestMeter } from './requests.ts'
import { gauges, type GaugeOptions } from './gauges.ts'

/** Numbers for a monitoring system. They name no person, no file and no address. */
export interface Metrics {
  /** Counts every request. To stand before everything that answers. */
  readonly measure: MiddlewareHandler<Env>
  /** OpenMetrics text. */
  render(): Promise<string>
}

export function createMetrics(options: GaugeOptions): Metrics {
  const requests = createRequestMeter()
  return {
    measure: requests.measure,
    render: async () => exposition([...requests.families(), ...(await gauges(options))]),
  }
}
