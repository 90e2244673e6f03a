import { join } from 'node:path'

/** A request that the server takes, and what it answered, as a test recorded it (`test/contract/openapi-examples.test.ts`). */
export interface Example {
  readonly params?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, unknown>>
  readonly headers?: Readonly<Record<string, string | undefined>>
  readonly body?: unknown
  /** Absent where the answer is no JSON, or the sample is about something that is not there. */
  readonly answer?: unknown
}

/** By the name of the call. */
export async function readExamples(): Promise<Readonly<Record<string, Example>>> {
  // Written by the test that checks it.
  return (await Bun.file(join(import.meta.dir, 'examples.json')).json()) as Record<string, Example>
}
