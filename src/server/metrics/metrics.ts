import type { Layer } from '../http/router.ts'
import { exposition } from './exposition.ts'
import { createRequestMeter } from './requests.ts'
import { gauges, type GaugeOptions } from './gauges.ts'

/** Metrics for a monitoring system. They identify no person, file or address. */
export interface Metrics {
  /** Counts every request. Mount it before everything that responds. */
  readonly measure: Layer
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
