import { useQuery } from '@tanstack/react-query'
import * as z from 'zod/mini'
import type { TypeSchema } from '../../shared/type-text.ts'
import { errorFrom } from '../../shared/contract/invoke.ts'
import { address, send } from './client.ts'

/** The document is ours; what is in a schema is only shown. */
const Schema = z.custom<TypeSchema>((value) => typeof value === 'object' && value !== null)
const Content = z.record(z.string(), z.object({ schema: Schema }))
const Parameter = z.object({
  name: z.string(),
  in: z.enum(['path', 'query', 'header']),
  required: z.boolean(),
  description: z.optional(z.string()),
  schema: Schema,
})
const Operation = z.object({
  operationId: z.string(),
  tags: z.array(z.string()),
  summary: z.string(),
  description: z.string(),
  deprecated: z.optional(z.boolean()),
  parameters: z.array(Parameter),
  requestBody: z.optional(z.object({ content: Content })),
  responses: z.record(z.string(), z.object({ description: z.string(), content: z.optional(Content) })),
})
const Document = z.object({
  info: z.object({ version: z.string() }),
  tags: z.array(z.object({ name: z.string(), description: z.string() })),
  paths: z.record(z.string(), z.record(z.string(), Operation)),
  components: z.object({ schemas: z.record(z.string(), Schema) }),
})

export type ApiParameter = z.infer<typeof Parameter>
export interface ApiOperation extends z.infer<typeof Operation> {
  readonly method: string
  readonly path: string
}
export interface ApiArea {
  readonly name: string
  readonly about: string
  readonly operations: readonly ApiOperation[]
}
export interface ApiReference {
  readonly areas: readonly ApiArea[]
  readonly schemas: Readonly<Record<string, TypeSchema>>
}

export const API_DOCUMENT = '/api/openapi.json'

/** The calls of this server, by area. */
export function useApiReference() {
  return useQuery({
    queryKey: ['api-document'] as const,
    queryFn: async ({ signal }): Promise<ApiReference> => {
      const response = await send(API_DOCUMENT, { signal, headers: { accept: 'application/json' } })
      if (!response.ok) throw await errorFrom(response)
      const { tags, paths, components } = Document.parse(await response.json())
      const operations = Object.entries(paths).flatMap(([path, methods]) =>
        Object.entries(methods).map(([method, operation]) => ({ ...operation, path, method: method.toUpperCase() })),
      )
      const areas = tags.map(({ name, description }) => ({
        name,
        about: description,
        operations: operations.filter((one) => one.tags[0] === name && one.deprecated !== true),
      }))
      return { areas, schemas: components.schemas }
    },
    staleTime: Infinity,
    throwOnError: false,
  })
}

export interface ApiAnswer {
  readonly status: number
  readonly type: string
  readonly milliseconds: number
  /** The beginning of the body as text; empty for other types. */
  readonly text: string
  readonly isCut: boolean
}

export interface ApiRequest {
  readonly method: string
  /** With its query, without the base URL. */
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | null
}

const MOST_SHOWN = 100_000
const TEXT = /^text\/|json|xml/

/** Makes a call as the signed-in user. */
export async function sendApiRequest({ method, path, headers, body }: ApiRequest, signal: AbortSignal): Promise<ApiAnswer> {
  const begun = performance.now()
  const response = await send(path, { method, headers: { accept: 'application/json', ...headers }, body, signal })
  const type = response.headers.get('content-type') ?? ''
  const milliseconds = Math.round(performance.now() - begun)
  const { text, isCut } = TEXT.test(type) ? await beginning(response) : { text: '', isCut: false }
  if (!TEXT.test(type)) await response.body?.cancel()
  return { status: response.status, type, milliseconds, text, isCut }
}

/** An event stream has no end. */
async function beginning(response: Response): Promise<{ text: string; isCut: boolean }> {
  let text = ''
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
  for (;;) {
    const { value, done } = (await reader?.read()) ?? { value: undefined, done: true }
    if (done) return { text, isCut: false }
    text += value
    if (text.length <= MOST_SHOWN) continue
    await reader?.cancel()
    return { text: text.slice(0, MOST_SHOWN), isCut: true }
  }
}

/** The same call for a terminal; the token stands for itself. */
export function curlOf({ method, path, headers, body }: ApiRequest): string {
  const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`
  return [
    `curl -X ${method} ${quoted(new URL(address(path), location.href).href)}`,
    `-H 'Authorization: Bearer satchel_…'`,
    ...Object.entries(headers).map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    ...(body === null ? [] : [`--data-binary ${quoted(body)}`]),
  ].join(' ')
}
