import { join } from 'node:path'
import * as z from 'zod/mini'
import { type Endpoint, endpointsOf } from '../src/shared/contract/endpoint.ts'
import { api } from '../src/shared/contract/index.ts'
import { STATUS } from '../src/server/http/errors.ts'

const FILE = join(import.meta.dir, '../docs/wire.md')

/** `docs/wire.md`: every call and every error code, printed from the contract. */
export function wireDocument(): string {
  const calls = endpointsOf(api)
  const rows = calls.map(
    ({ name, call }) => `| [\`${name}\`](#${anchor(name)}) | ${call.method} | \`${call.path}\` | ${call.by} | ${call.needs.join(', ')} |`,
  )
  return (
    [
      '# The wire',
      'Printed from `src/shared/contract/` by `npm run wire`; do not edit. Addresses follow the base URL. `*path` is a path of the tree, percent-encoded once.',
      `## Calls\n\n| call | method | address | who | rights |\n| --- | --- | --- | --- | --- |\n${rows.join('\n')}`,
      ...calls.map(({ name, call }) => section(name, call)),
      errorSection(),
    ].join('\n\n') + '\n'
  )
}

function section(name: string, call: Endpoint): string {
  const rights = call.needs.length === 0 ? '' : `, with the right ${call.needs.join(' and ')}`
  const accept = call.accept === undefined ? [] : [`- only with \`Accept: ${call.accept}\``]
  return [
    `### ${name}\n`,
    `\`${call.method} ${call.path}\` by ${call.by}${rights}\n`,
    ...accept,
    ...part('query', call.query),
    ...part('headers', call.headers),
    ...part('body', call.body),
    ...part('result', call.result),
  ].join('\n')
}

const PLAIN = { bytes: 'bytes', text: 'text', empty: 'nothing', response: 'status, headers and bytes' }

function part(title: string, shape: Endpoint['body'] | Endpoint['result']): string[] {
  if (shape === undefined) return []
  if (typeof shape === 'string') return [`- ${title}: ${PLAIN[shape]}`]
  return [`- ${title}:\n\n  \`\`\`ts\n${indent(typeOf(jsonSchema(shape, title === 'result' ? 'output' : 'input')), '  ')}\n  \`\`\``]
}

function errorSection(): string {
  const rows = Object.entries(STATUS).map(([code, status]) => `| \`${code}\` | ${status} |`)
  return `## Errors\n\nWith \`Accept: application/json\` a failure is \`{ "code": …, "detail": … }\`, otherwise text: \`409 Conflict\`.\n\n| code | status |\n| --- | --- |\n${rows.join('\n')}`
}

/** The part of JSON Schema that zod writes. */
interface JsonSchema {
  readonly $ref?: string
  readonly $defs?: Record<string, JsonSchema>
  readonly type?: string | readonly string[]
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly JsonSchema[]
  readonly oneOf?: readonly JsonSchema[]
  readonly allOf?: readonly JsonSchema[]
  readonly items?: JsonSchema
  readonly prefixItems?: readonly JsonSchema[]
  readonly properties?: Record<string, JsonSchema>
  readonly additionalProperties?: JsonSchema | boolean
  readonly required?: readonly string[]
}

function jsonSchema(shape: z.core.$ZodType, io: 'input' | 'output'): JsonSchema {
  // What zod writes is JSON Schema; we read no more of it than the interface says, and all of that as optional.
  return z.toJSONSchema(shape, { io, unrepresentable: 'any', reused: 'inline' }) as JsonSchema
}

/** As TypeScript would say it. */
function typeOf(schema: JsonSchema): string {
  if (schema.$ref !== undefined) return schema.$ref.split('/').at(-1) ?? 'unknown'
  if ('const' in schema) return JSON.stringify(schema.const)
  if (schema.enum !== undefined) return schema.enum.map((value) => JSON.stringify(value)).join(' | ')
  const union = schema.anyOf ?? schema.oneOf
  if (union !== undefined) return [...new Set(union.map(typeOf))].join(' | ')
  if (schema.allOf !== undefined) return schema.allOf.map(typeOf).join(' & ')
  if (schema.type === 'array') return arrayOf(schema)
  if (schema.type === 'object') return objectOf(schema)
  const types = schema.type === undefined ? ['unknown'] : [schema.type].flat()
  return types.map((type) => (type === 'integer' ? 'number' : type)).join(' | ')
}

function arrayOf({ items, prefixItems }: JsonSchema): string {
  if (prefixItems !== undefined) return `[${prefixItems.map(typeOf).join(', ')}]`
  const inner = items === undefined ? 'unknown' : typeOf(items)
  return /[|&\n]/.test(inner) && !inner.startsWith('{') ? `(${inner})[]` : `${inner}[]`
}

function objectOf({ properties = {}, additionalProperties, required = [] }: JsonSchema): string {
  const lines = Object.entries(properties).map(([key, value]) => `${quoted(key)}${required.includes(key) ? '' : '?'}: ${typeOf(value)}`)
  if (typeof additionalProperties === 'object' && Object.keys(additionalProperties).length > 0)
    lines.push(`[key: string]: ${typeOf(additionalProperties)}`)
  return lines.length === 0 ? '{}' : `{\n${indent(lines.join('\n'), '  ')}\n}`
}

function quoted(key: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(key) ? key : `'${key}'`
}

function indent(text: string, by: string): string {
  return text.replace(/^/gm, by)
}

function anchor(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9-]/g, '')
}

if (import.meta.main) await Bun.write(FILE, wireDocument())
