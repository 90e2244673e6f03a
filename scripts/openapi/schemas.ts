import * as z from 'zod/mini'
import { LEFT_OUT } from '../../src/shared/archive-format.ts'
import { STATUS } from '../../src/server/http/errors.ts'
import type { Comments } from './comments.ts'

/** JSON Schema 2020-12, as OpenAPI 3.1 uses it. */
export interface JsonSchema {
  [keyword: string]: unknown
  description?: string
  properties?: Record<string, JsonSchema>
}

type Io = 'input' | 'output'
const PLACE = '#/components/schemas/'

const MARK = { type: 'array', prefixItems: [{ type: 'integer' }, { type: 'integer' }], items: false, minItems: 2, maxItems: 2 }
/** What is meant by schemas that are functions, which JSON Schema cannot express. */
const MEANT: Readonly<Record<string, JsonSchema>> = {
  Numbers: { type: 'array', items: { type: 'number' } },
  Strings: { type: 'array', items: { type: 'string' } },
  SearchMark: MARK,
  SearchMarks: { type: 'array', items: MARK },
  LeftOutReason: { type: 'string', enum: [...LEFT_OUT] },
  JobErrorCode: { type: 'string', enum: Object.keys(STATUS) },
}

/** The schemas that several calls use, by name, and how any schema of the contract refers to them. */
export interface Schemas {
  readonly components: Record<string, JsonSchema>
  /** `input`: what a client sends, before defaults. */
  readonly of: (schema: z.core.$ZodType, io: Io) => JsonSchema
}

/** A file of the contract, as it is loaded, and its comments. */
export interface ContractFile {
  readonly exports: Readonly<Record<string, unknown>>
  readonly comments: Comments
}

/** @param files all of the contract; two schemas with the same name are an error */
export function createSchemas(files: readonly ContractFile[]): Schemas {
  const registry = z.registry<{ id: string }>()
  const described = new Map<string, Comments>()
  for (const { exports, comments } of files) {
    for (const [name, value] of Object.entries(exports)) {
      if (!isSchema(value) || registry.has(value)) continue
      if (described.has(name)) throw new Error(`two schemas are called ${name}`)
      registry.add(value, { id: name })
      described.set(name, comments)
    }
  }
  const output = componentsOf('output')
  const input = componentsOf('input')
  const differing = namesThatDiffer(output, input)
  const components = { ...output }
  for (const name of differing) components[`${name}Input`] = renamed(input[name] ?? {}, differing)

  function componentsOf(io: Io): Record<string, JsonSchema> {
    const { schemas } = z.toJSONSchema(registry, { io, unrepresentable: 'any', reused: 'inline', uri: (id) => PLACE + id })
    return Object.fromEntries(
      Object.entries(schemas).map(([name, schema]) => [name, withComments(name, { ...bare(schema), ...MEANT[name] })]),
    )
  }

  function withComments(name: string, schema: JsonSchema): JsonSchema {
    const comments = described.get(name)
    for (const [field, property] of Object.entries(schema.properties ?? {})) {
      const text = comments?.fields.get(`${name}.${field}`)
      if (text !== undefined) property.description = text
    }
    const text = comments?.schemas.get(name)
    return text === undefined ? schema : { description: text, ...schema }
  }

  return {
    components,
    of(schema, io) {
      const id = registry.get(schema)?.id
      if (id !== undefined) return renamed({ $ref: PLACE + id }, io === 'input' ? differing : new Set())
      const written = bare(z.toJSONSchema(schema, { io, unrepresentable: 'any', reused: 'inline', metadata: registry }))
      const text = JSON.stringify(written).replaceAll('"#/$defs/', `"${PLACE}`)
      // The text was JSON a line ago.
      const { $defs: _, ...rest } = JSON.parse(text) as JsonSchema
      return renamed(rest, io === 'input' ? differing : new Set())
    },
  }
}

function isSchema(value: unknown): value is z.core.$ZodType {
  return typeof value === 'object' && value !== null && '_zod' in value
}

/** Without the keywords that only a document of its own has. */
function bare(schema: object): JsonSchema {
  const { $schema: _, $id: __, ...rest } = { $schema: '', $id: '', ...schema }
  return rest
}

/** Names whose input is not their output, or that contain one of those. */
function namesThatDiffer(output: Record<string, JsonSchema>, input: Record<string, JsonSchema>): ReadonlySet<string> {
  const differing = new Set(Object.keys(output).filter((name) => JSON.stringify(output[name]) !== JSON.stringify(input[name])))
  for (let before = -1; before !== differing.size;) {
    before = differing.size
    for (const [name, schema] of Object.entries(input)) {
      const text = JSON.stringify(schema)
      if ([...differing].some((other) => text.includes(`"${PLACE}${other}"`))) differing.add(name)
    }
  }
  return differing
}

function renamed(schema: JsonSchema, names: ReadonlySet<string>): JsonSchema {
  let text = JSON.stringify(schema)
  for (const name of names) text = text.replaceAll(`"${PLACE}${name}"`, `"${PLACE}${name}Input"`)
  // The text was JSON two lines ago.
  return JSON.parse(text) as JsonSchema
}
