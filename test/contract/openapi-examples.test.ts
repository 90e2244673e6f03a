import { describe, expect, it, setDefaultTimeout } from 'bun:test'
import { join } from 'node:path'
import type * as z from 'zod/mini'
import { errorsOf } from '../../scripts/openapi/errors.ts'
import { readExamples, type Example } from '../../scripts/openapi/examples.ts'
import { type Endpoint, endpointsOf } from '../../src/shared/contract/endpoint.ts'
import { api } from '../../src/shared/contract/index.ts'
import { EVENTS_MEDIA_TYPE } from '../../src/shared/contract/live.ts'
import { type EndpointName, type LooseArgs, requestOf, SAMPLE_FILES, type Sample, samples } from './samples.ts'
import { startProduct, withToken } from './world.ts'

setDefaultTimeout(120_000)

const FILE = join(import.meta.dir, '../../scripts/openapi/examples.json')
/** `RECORD_EXAMPLES=1 npx bun test test/contract/openapi-examples.test.ts` records them anew. */
const isRecording = process.env['RECORD_EXAMPLES'] === '1'
const recorded: Record<string, Example> = {}

describe('examples of the OpenAPI document', () => {
  for (const { name, call } of endpointsOf(api))
    it(`${name}: a request that the server takes, errors that the document names, and examples of both`, async () => {
      // The table has a row for each name of the tree: its type says so.
      const [sample] = samples[name as EndpointName] as readonly Sample<Endpoint>[]
      if (sample === undefined) throw new Error('no sample')
      await using product = await startProduct()
      await product.seed(SAMPLE_FILES)
      const { given, before } = sample
      if (given !== undefined) await product.world.settings.change((now) => ({ ...now, ...given }))
      const { id } = await product.account('root')
      const found = await before?.(product.as('root')).catch(() => null)
      const args = sample.args(String(id), typeof found === 'string' ? found : undefined) as LooseArgs
      const { address, init } = requestOf(call, args)
      const token = await product.signIn('root')

      const documented = new Set<string>(errorsOf(name, call))
      const codeOf = async (response: Response): Promise<string | null> => {
        if (response.headers.get('content-type') === EVENTS_MEDIA_TYPE) return (await response.body?.cancel()) ?? null
        const answer: unknown = await response.json().catch(() => null)
        return response.ok && response.status !== 202 ? null : codeIn(answer)
      }
      const nobody = await codeOf(await product.ask(address, init))
      const damaged = { ...init, ...(call.body !== undefined && call.body !== 'bytes' && { body: '{"damaged":' }) }
      const wrong = await codeOf(await product.ask(address, withToken(damaged, token)))
      const response = await product.ask(address, withToken(init, token))
      const answer = await answerOf(call, response)
      for (const code of [nobody, wrong, codeIn(answer)]) if (code !== null) expect([...documented]).toContain(code)

      if (isRecording) recorded[name] = exampleFrom(call, args, response.ok && response.status !== 202 ? answer : undefined)
    })

  it('are there for every call, and have the form that the contract says', async () => {
    if (isRecording) await Bun.write(FILE, `${JSON.stringify(recorded, null, 1)}\n`)
    const examples = await readExamples()
    expect(Object.keys(examples)).toEqual(endpointsOf(api).map(({ name }) => name))
    const wrong = endpointsOf(api).flatMap(({ name, call }) => {
      const { body, query, answer } = examples[name] ?? {}
      const checks: [string, unknown, z.core.$ZodType | undefined][] = [
        ['body', body, schemaIn(call.body)],
        ['query', query, call.query],
        ['answer', answer, schemaIn(call.result)],
      ]
      return checks.flatMap(([what, value, schema]) =>
        value === undefined || schema === undefined || schema['~standard'] === undefined || isValid(schema, value)
          ? []
          : [`${name}: ${what}`],
      )
    })
    expect(wrong).toEqual([])
  })
})

function isValid(schema: z.core.$ZodType, value: unknown): boolean {
  const result = schema['~standard'].validate(value)
  return !(result instanceof Promise) && result.issues === undefined
}

function schemaIn(of: Endpoint['body'] | Endpoint['result']): z.core.$ZodType | undefined {
  return typeof of === 'object' ? of : undefined
}

function codeIn(answer: unknown): string | null {
  return typeof answer === 'object' && answer !== null && 'code' in answer && 'detail' in answer ? String(answer.code) : null
}

async function answerOf({ result }: Endpoint, response: Response): Promise<unknown> {
  if (typeof result === 'string' && response.ok && response.status !== 202) {
    await response.body?.cancel()
    return undefined
  }
  return response.json().catch(() => null)
}

/** Without what is secret or another one each time. */
function exampleFrom(call: Endpoint, { params, query, headers, body }: LooseArgs, answer: unknown): Example {
  const example: Example = {
    ...(params !== undefined && { params: Object.fromEntries(Object.entries(params).map(([key, value]) => [key, String(value)])) }),
    ...(query !== undefined && Object.keys(query).length > 0 && { query }),
    ...(headers !== undefined && { headers }),
    ...(body !== undefined && typeof call.body === 'object' && { body }),
    ...(answer !== undefined && answer !== null && { answer }),
  }
  const text = JSON.stringify(example).replace(/satchel_\w{20,}/g, 'satchel_TOKEN')
  // The text was JSON a line ago.
  return JSON.parse(text) as Example
}
