import { tokenUseOf } from '../../src/shared/contract/by-token.ts'
import type * as z from 'zod/mini'
import { type Endpoint, endpointsOf } from '../../src/shared/contract/endpoint.ts'
import { api } from '../../src/shared/contract/index.ts'
import type { ErrorCode } from '../../src/shared/errors.ts'
import { STATUS } from '../../src/server/http/errors.ts'
import packageJson from '../../package.json'
import { readContract } from './contract.ts'
import { ERROR_EXAMPLES, errorsOf } from './errors.ts'
import { type Example, readExamples } from './examples.ts'
import { createSchemas, type JsonSchema, type Schemas } from './schemas.ts'
import { TITLES, titleOf } from './titles.ts'

/** An operation of OpenAPI 3.1, as far as this product needs it. */
export interface Operation {
  operationId: string
  tags: string[]
  summary: string
  description: string
  parameters: Parameter[]
  requestBody?: { required: boolean; content: Content }
  responses: Record<string, { description: string; content?: Content }>
  security?: Record<string, string[]>[]
  /** Another method for the sake of older clients. */
  deprecated?: true
}

/** By media type. */
type Content = Record<string, { schema: JsonSchema; example?: unknown; examples?: Record<string, { $ref: string }> }>

export interface Parameter {
  name: string
  in: 'path' | 'query' | 'header'
  required: boolean
  description?: string
  schema: JsonSchema
  example?: unknown
}

export interface OpenApi {
  openapi: '3.1.1'
  info: { title: string; version: string; description: string; license: { name: string; identifier: string } }
  servers: { url: string; description: string }[]
  tags: { name: string; description: string }[]
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, JsonSchema>; examples: Record<string, { value: unknown }>; securitySchemes: Record<string, object> }
}

const ANSWERS: Readonly<Partial<Record<ErrorCode, string>>> = {
  'sign-in-needed': 'Not signed in, or the session has ended',
  forbidden: 'The account lacks a right, or the path is denied by a rule',
  'not-found': 'There is no such path, or it is hidden from this account',
  'invalid-input': 'The request is malformed; `detail.issues` lists the problems',
}

/** The API as OpenAPI 3.1, made from the contract; nothing in it is written by hand but titles. */
export async function openApi(): Promise<OpenApi> {
  const { comments, files } = await readContract()
  const examples = await readExamples()
  const schemas = createSchemas(files)
  const paths: OpenApi['paths'] = {}
  for (const { name, call } of endpointsOf(api)) {
    const [area = '', verb = ''] = name.split('.')
    const tag = Object.entries(TITLES).find(([key]) => key === area)?.[1].title ?? area
    const text = comments.get(area)?.calls.get(verb) ?? ''
    const operation = operationOf(name, call, { schemas, tag, text, example: examples[name] ?? {} })
    const at = (paths[addressOf(call)] ??= {})
    const method = call.method.toLowerCase()
    at[method] = at[method] === undefined ? operation : bothOf(at[method], operation)
    for (const other of call.alsoMethods ?? [])
      at[other.toLowerCase()] ??= { ...operation, operationId: `${operation.operationId}_${other.toLowerCase()}`, deprecated: true }
  }
  for (const { name, call } of endpointsOf(api)) addRoot(paths, name, call)
  return {
    openapi: '3.1.1',
    info: {
      title: 'Satchel',
      version: packageJson.version,
      description:
        'Sign in with `POST /api/login`; its answer is the token. Send it as `X-Auth: TOKEN`. An API token (`POST /api/tokens`) is sent as `X-Auth`, as `Authorization: Bearer TOKEN`, or as the password of Basic. Paths of files ' +
        'are percent-encoded segment by segment; a final slash means a folder. With `Accept: application/json` errors are objects with `code` and `detail`.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/', description: 'This server; add its base URL if it has one' }],
    tags: Object.values(TITLES).map(({ title, about }) => ({ name: title, description: about })),
    paths,
    components: {
      schemas: { ...schemas.components, Error: errorSchema() },
      examples: Object.fromEntries(Object.entries(ERROR_EXAMPLES).map(([code, detail]) => [code, { value: { code, detail } }])),
      securitySchemes: {
        token: { type: 'apiKey', in: 'header', name: 'X-Auth' },
        bearer: { type: 'http', scheme: 'bearer', description: 'An API token' },
        basic: { type: 'http', scheme: 'basic', description: 'The name of a user and one of their API tokens' },
        cookie: { type: 'apiKey', in: 'cookie', name: 'satchel' },
      },
    },
  }
}

interface Describing {
  readonly schemas: Schemas
  readonly tag: string
  readonly text: string
  readonly example: Example
}

function operationOf(name: string, call: Endpoint, { schemas, tag, text, example }: Describing): Operation {
  const body = bodyOf(call, schemas, example)
  const { params, query, headers, answer } = example
  return {
    operationId: name.replace('.', '_'),
    tags: [tag],
    summary: titleOf(name),
    description: [text, ...remarks(call)].filter(Boolean).join('\n\n'),
    parameters: [
      ...pathParameters(call.path).map((one) => withExample(one, params)),
      ...fieldsAs('query', call.query, schemas).map((one) => withExample(one, query)),
      ...fieldsAs('header', call.headers, schemas).map((one) => withExample(one, headers)),
    ],
    ...(body !== undefined && { requestBody: body }),
    responses: { ...successOf(call, schemas, answer), ...failuresOf(name, call) },
    security: securityOf(call),
  }
}

function withExample(parameter: Parameter, values: Readonly<Record<string, unknown>> = {}): Parameter {
  const value = values[parameter.name]
  if (value === undefined) return parameter
  return { ...parameter, example: typeof value === 'string' && parameter.name === 'path' ? value.replace(/^\//, '') : value }
}

function addressOf(call: Endpoint): string {
  return call.path.replace(/\*path$/, '{path}').replace(/:(\w+)/g, '{$1}')
}

/** A parameter of OpenAPI is never empty: where an address without the path has calls of its own, those of the root are among them. */
function addRoot(paths: OpenApi['paths'], name: string, call: Endpoint): void {
  const [method, root] = [call.method.toLowerCase(), addressOf(call).replace(/\/\{path\}$/, '')]
  const [operation, at] = [paths[addressOf(call)]?.[method], paths[root]]
  if (root === addressOf(call) || operation === undefined || at === undefined || at[method] !== undefined) return
  const parameters = operation.parameters.filter((one) => one.name !== 'path')
  at[method] = { ...operation, operationId: `${name.replace('.', '_')}_root`, summary: `${operation.summary}: the root`, parameters }
}

function securityOf(call: Endpoint): Record<string, string[]>[] {
  if (call.by === 'anyone') return []
  const byToken: Record<string, string[]>[] = tokenUseOf(call) === 'no' ? [] : [{ bearer: [] }, { basic: [] }]
  return [{ token: [] }, ...byToken, { cookie: [] }]
}

/** Two calls at one address differ by what they answer: by the Accept header, or a parameter that only one of them has. */
function bothOf(first: Operation, second: Operation): Operation {
  const content = { ...first.responses[200]?.content, ...second.responses[200]?.content }
  const known = new Set(first.parameters.map(({ name }) => name))
  const common = new Set(second.parameters.filter(({ name }) => known.has(name)).map(({ name }) => name))
  const parameters = [...first.parameters, ...second.parameters.filter(({ name }) => !known.has(name))]
  return {
    ...second,
    description: [first.description, second.description].filter(Boolean).join('\n\n'),
    parameters: parameters.map((one) => ({ ...one, required: one.required && common.has(one.name) })),
    responses: { ...bothFailures(first.responses, second.responses), 200: { description: 'Success', content } },
  }
}

/** Each status with what both calls say of it. */
function bothFailures(first: Operation['responses'], second: Operation['responses']): Operation['responses'] {
  const both = { ...first, ...second }
  for (const [status, { description, content }] of Object.entries(first)) {
    const other = second[status]
    const [one, another] = [content?.['application/json']?.examples, other?.content?.['application/json']]
    if (one === undefined || another === undefined) continue
    const texts = new Set([...description.split('; '), ...(other?.description.split('; ') ?? [])])
    both[status] = {
      description: [...texts].join('; '),
      content: { 'application/json': { ...another, examples: { ...one, ...another.examples } } },
    }
  }
  return both
}

function remarks(call: Endpoint): string[] {
  const rights = call.needs.map((right) => `\`${right}\``).join(' and ')
  return [
    ...(call.by === 'admin' ? ['Administrators only.'] : []),
    ...(rights === '' ? [] : [`Needs the right ${rights}.`]),
    ...(call.accept === undefined ? [] : [`With \`Accept: ${call.accept}\`.`]),
    ...(call.withQuery === undefined ? [] : [`With the parameter \`${call.withQuery}\`.`]),
    ...(call.alsoMethods === undefined ? [] : [`Also as ${call.alsoMethods.join(', ')}.`]),
  ]
}

function pathParameters(path: string): Parameter[] {
  const names = Array.from(path.matchAll(/[:*](\w+)/g), ([, name = '']) => name)
  return names.map((name) => ({
    name,
    in: 'path',
    required: true,
    ...(name === 'path' && { description: 'Path of a file or folder: segments percent-encoded, joined by slashes' }),
    schema: { type: 'string' },
  }))
}

function fieldsAs(where: 'query' | 'header', schema: z.core.$ZodType | undefined, schemas: Schemas): Parameter[] {
  if (schema === undefined) return []
  const { properties = {}, required } = schemas.of(schema, 'input')
  const needed = Array.isArray(required) ? required : []
  return Object.entries(properties).map(([name, field]) => ({ name, in: where, required: needed.includes(name), schema: field }))
}

function bodyOf({ body }: Endpoint, schemas: Schemas, example: Example): Operation['requestBody'] {
  if (body === undefined) return undefined
  if (body === 'bytes') return { required: false, content: { 'application/octet-stream': { schema: {} } } }
  const schema = schemas.of(body, 'input')
  return { required: true, content: { 'application/json': { schema, ...(example.body !== undefined && { example: example.body }) } } }
}

/** Of what has a status of its own, the contract does not say which. */
function successOf(call: Endpoint, schemas: Schemas, example: unknown): Operation['responses'] {
  const success = { description: 'Success', ...resultOf(call, schemas, example) }
  if (call.result !== 'response') return { 200: success }
  return { 200: success, '2XX': { description: 'Success, by its status' }, '3XX': { description: 'Elsewhere, or unchanged' } }
}

function resultOf({ result, accept }: Endpoint, schemas: Schemas, example: unknown): { content?: Content } {
  if (result === 'empty') return {}
  if (result === 'text') return { content: { 'text/plain': { schema: { type: 'string' } } } }
  if (result === 'response') return { content: { [accept ?? '*/*']: { schema: {} } } }
  return {
    content: { [accept ?? 'application/json']: { schema: schemas.of(result, 'output'), ...(example !== undefined && { example }) } },
  }
}

/** By status; each error has an example. */
function failuresOf(name: string, call: Endpoint): Operation['responses'] {
  const schema = { $ref: '#/components/schemas/Error' }
  const byStatus = Map.groupBy(errorsOf(name, call), (code) => String(STATUS[code]))
  const failures = [...byStatus].map(([status, codes]) => {
    const examples = Object.fromEntries(codes.map((code) => [code, { $ref: `#/components/examples/${code}` }]))
    const description = codes.map((code) => ANSWERS[code] ?? `\`${code}\``).join('; ')
    return [status, { description, content: { 'application/json': { schema, examples } } }] as const
  })
  // As OpenID Connect Back-Channel Logout 1.0 says it, not as our other errors.
  const refused = { description: 'The logout token does not count; `error` says so' }
  const others = { description: 'Another error; `code` says which', content: { 'application/json': { schema } } }
  return { ...Object.fromEntries(failures), ...(name === 'oidc.backchannel' && { 400: refused }), default: others }
}

function errorSchema(): JsonSchema {
  return {
    type: 'object',
    required: ['code', 'detail'],
    properties: {
      code: { type: 'string', enum: Object.keys(STATUS) },
      detail: { type: 'object', description: 'Facts about the error; which ones depends on `code`' },
    },
  }
}
