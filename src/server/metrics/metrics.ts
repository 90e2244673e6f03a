import { exposition } from './exposition.ts'
import { createRequestMeter } from './requests.ts'
import { gauges, type GaugeOptions } from './gauges.ts'

/** Metrics for a monitoring system. They identify no person, file or address. */
export type Metrics = ReturnType<typeof createMetrics>

export function createMetrics(options: GaugeOptions) {
  const requests = createRequestMeter()
  return {
    /** Counts every request. Mount it before everything that responds. */
    measure: requests.measure,
    render: async (): Promise<string> => exposition([...requests.families(), ...(await gauges(options))]),
  }
}
