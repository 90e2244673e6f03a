import { join } from 'node:path'
import * as z from 'zod/mini'
import { tokenUseOf } from '../src/shared/contract/by-token.ts'
import { type Endpoint, endpointsOf } from '../src/shared/contract/endpoint.ts'
import { api } from '../src/shared/contract/index.ts'
import { STATUS } from '../src/server/http/errors.ts'
import { indent, type TypeSchema, typeOf } from '../src/shared/type-text.ts'

const FILE = join(import.meta.dir, '../docs/wire.md')

/** `docs/wire.md`: every call and every error code, printed from the contract. */
export function wireDocument(): string {
  const calls = endpointsOf(api)
  const rows = calls.map(
    ({ name, call }) =>
      `| [\`${name}\`](#${anchor(name)}) | ${call.method} | \`${call.path}\` | ${call.by} | ${call.needs.join(', ')} | ${tokenUseOf(call)} |`,
  )
  return (
    [
      '# The wire',
      'Printed from `src/shared/contract/` by `npm run wire`; do not edit. Addresses follow the base URL. `*path` is a path of the tree, percent-encoded once. By token: whether an [API token](api-tokens.md) may make the call; `whole` only if it is for the whole tree.',
      `## Calls\n\n| call | method | address | who | rights | by token |\n| --- | --- | --- | --- | --- | --- |\n${rows.join('\n')}`,
      ...calls.map(({ name, call }) => section(name, call)),
      errorSection(),
    ].join('\n\n') + '\n'
  )
}

function section(name: string, call: Endpoint): string {
  const rights = call.needs.length === 0 ? '' : `, with the right ${call.needs.join(' and ')}`
  const only = [
    ...(call.accept === undefined ? [] : [`- only with \`Accept: ${call.accept}\``]),
    ...(call.withQuery === undefined ? [] : [`- only with \`?${call.withQuery}=\``]),
  ]
  return [
    `### ${name}\n`,
    `\`${call.method} ${call.path}\` by ${call.by}${rights}\n`,
    ...only,
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

function jsonSchema(shape: z.core.$ZodType, io: 'input' | 'output'): TypeSchema {
  // What zod writes is JSON Schema; we read no more of it than the interface says, and all of that as optional.
  return z.toJSONSchema(shape, { io, unrepresentable: 'any', reused: 'inline' }) as TypeSchema
}

function anchor(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9-]/g, '')
}

if (import.meta.main) await Bun.write(FILE, wireDocument())
