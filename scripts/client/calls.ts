import type { Endpoint } from '../../src/shared/contract/endpoint.ts'
import { api } from '../../src/shared/contract/index.ts'
import { readContract } from '../openapi/contract.ts'
import { createSchemas, type Schemas } from '../openapi/schemas.ts'
import { TITLES, titleOf } from '../openapi/titles.ts'
import { commentOf, keyOf, nameIn, typeOf } from './types.ts'

interface Call {
  readonly area: string
  readonly name: string
  readonly call: Endpoint
}

/** What the client has to know of every call at run time: its address, and what is sent and answered. */
export function callTable(): Record<string, Record<string, object>> {
  const areas = Object.entries(api).map(([area, calls]) => {
    const bare = Object.entries(calls).map(([name, call]: [string, Endpoint]) => {
      const { method, path, accept, body, result } = call
      const sent = body === undefined ? {} : { body: body === 'bytes' ? 'bytes' : 'json' }
      return [
        name,
        { method, path, ...(accept !== undefined && { accept }), ...sent, result: typeof result === 'string' ? result : 'json' },
      ]
    })
    return [area, Object.fromEntries(bare)]
  })
  return Object.fromEntries(areas)
}

/** The type `Satchel` and all types that it is made of, written out with the comments of the contract. */
export async function satchelTypes(): Promise<string> {
  const { files, comments } = await readContract()
  const schemas = createSchemas(files)
  const areas = Object.entries(api).map(([area, calls]) => {
    const functions = Object.entries(calls).map(([name, call]) =>
      functionOf({ area, name, call }, schemas, comments.get(area)?.calls.get(name) ?? ''),
    )
    const about = Object.entries(TITLES).find(([key]) => key === area)?.[1].about
    return `${commentOf(about, '  ')}  readonly ${area}: {\n${functions.join('\n')}\n  }`
  })
  const satchel = `/** Every call of a server, by area and name. */\nexport interface Satchel {\n${areas.join('\n')}\n}\n`
  const text = [HEAD, ...usedTypes(satchel, schemas.components), satchel].join('\n')
  return text.replaceAll(/\bflagInput\b/g, 'Flag')
}

/** The named types that `text` uses, and those that they use. */
function usedTypes(text: string, components: Schemas['components']): string[] {
  const declarations = new Map(
    Object.entries(components).map(([name, schema]) => {
      const type = name === FLAG ? 'boolean | string' : typeOf(schema)
      const declared = type.startsWith('{') && !/^}./m.test(type) ? `interface ${name} ${type}` : `type ${name} = ${type}`
      return [name, `${commentOf(schema.description, '')}export ${declared}\n`]
    }),
  )
  const used = new Set<string>()
  const look = (at: string): void => {
    for (const [name] of at.matchAll(/\b\w+\b/g)) {
      const declaration = declarations.get(name)
      if (declaration === undefined || used.has(name)) continue
      used.add(name)
      look(declaration)
    }
  }
  look(text.replaceAll(/^ *(\/\*)?\*.*$/gm, ''))
  return [...used].toSorted().map((name) => declarations.get(name) ?? '')
}

/** The input of `flag`, which counts if it is `true`. */
const FLAG = 'flagInput'

const HEAD = `// Made from the contract of the server; changes here are lost.

/** What is sent as bytes. */
export type Bytes = Blob | ReadableStream<Uint8Array> | Uint8Array<ArrayBuffer> | string

export interface CallOptions {
  signal?: AbortSignal
  /** The request is sent although the page is left; 64 KiB at most. */
  keepalive?: boolean
  /** A UUID: several calls with the same one are undone together. */
  operation?: string
  /** Of the request, besides those of the call: \`Range\`, or a condition. */
  headers?: Record<string, string>
}
`

function functionOf({ area, name, call }: Call, schemas: Schemas, text: string): string {
  const indent = '    '
  const title = titleOf(`${area}.${name}`)
  const comment = commentOf([`${title}: \`${call.method} ${call.path}\`.`, text].filter(Boolean).join('\n\n'), indent)
  const parts = [
    part('params', paramsOf(call), true),
    part('query', inputOf(call.query, schemas, indent), isNeeded(call.query, schemas)),
    part('headers', inputOf(call.headers, schemas, indent), isNeeded(call.headers, schemas)),
    part('body', call.body === 'bytes' ? 'Bytes' : inputOf(call.body, schemas, indent), isNeeded(call.body, schemas)),
  ].filter((one) => one !== null)
  const optional = parts.some(({ needed }) => needed) ? '' : '?'
  const args = parts.length === 0 ? 'args?: object' : `args${optional}: { ${parts.map((one) => one.text).join('; ')} }`
  return `${comment}${indent}readonly ${keyOf(name)}: (${args}, options?: CallOptions) => Promise<${resultOf(call, schemas, indent)}>`
}

function part(name: string, type: string | null, needed: boolean): { text: string; needed: boolean } | null {
  return type === null ? null : { text: `${name}${needed ? '' : '?'}: ${type}`, needed }
}

function paramsOf({ path }: Endpoint): string | null {
  const names = Array.from(path.matchAll(/[:*](\w+)/g), ([, name = '']) => `${name}: string`)
  return names.length === 0 ? null : `{ ${names.join('; ')} }`
}

function inputOf(schema: Endpoint['body'], schemas: Schemas, indent: string): string | null {
  return schema === undefined || schema === 'bytes' ? null : typeOf(schemas.of(schema, 'input'), indent)
}

/** Whether something has to be given: not for an object whose fields may all be absent. */
function isNeeded(schema: Endpoint['body'], schemas: Schemas): boolean {
  if (schema === undefined || schema === 'bytes') return true
  const written = schemas.of(schema, 'input')
  const { type, properties, required } = schemas.components[nameIn(written) ?? ''] ?? written
  return type !== 'object' || properties === undefined || (Array.isArray(required) && required.length > 0)
}

function resultOf({ result }: Endpoint, schemas: Schemas, indent: string): string {
  if (result === 'empty') return 'undefined'
  if (result === 'text') return 'string'
  return result === 'response' ? 'Response' : typeOf(schemas.of(result, 'output'), indent)
}
