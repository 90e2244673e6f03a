import type { JsonSchema } from '../openapi/schemas.ts'

const PLACE = '#/components/schemas/'

/** A schema of the contract as a TypeScript type, with descriptions of fields as comments. */
export function typeOf(schema: JsonSchema, indent = ''): string {
  const name = nameIn(schema)
  if (name !== null) return name
  if ('const' in schema) return literal(schema['const'])
  if (Array.isArray(schema['enum'])) return schema['enum'].map(literal).join(' | ')
  const choices = schema['anyOf'] ?? schema['oneOf']
  if (Array.isArray(choices)) return unique(choices.map((one: JsonSchema) => typeOf(one, indent))).join(' | ')
  if (Array.isArray(schema['allOf'])) return schema['allOf'].map((one: JsonSchema) => grouped(typeOf(one, indent))).join(' & ')
  if (Array.isArray(schema['type'])) return schema['type'].map((type: string) => typeOf({ ...schema, type }, indent)).join(' | ')
  switch (schema['type']) {
    case 'string':
    case 'boolean':
    case 'null':
      return schema['type']
    case 'number':
    case 'integer':
      return 'number'
    case 'array':
      return arrayOf(schema, indent)
    case 'object':
      return objectOf(schema, indent)
    case undefined:
      return 'unknown'
    default:
      throw new Error(`no type for ${JSON.stringify(schema)}`)
  }
}

/** The named schema that a reference means; null if it is none. */
export function nameIn(schema: JsonSchema): string | null {
  return typeof schema['$ref'] === 'string' ? schema['$ref'].slice(PLACE.length) : null
}

/** A documentation comment with a line break at its end; empty without text. */
export function commentOf(text: string | undefined, indent: string): string {
  if (text === undefined || text.trim() === '') return ''
  const lines = text.replaceAll('*/', '*\\/').split('\n')
  if (lines.length === 1) return `${indent}/** ${text.trim()} */\n`
  return `${indent}/**\n${lines.map((line) => `${indent} * ${line}`.trimEnd()).join('\n')}\n${indent} */\n`
}

/** A name as the key of an object type: in quotes where it is no identifier. */
export function keyOf(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : `'${name}'`
}

function arrayOf(schema: JsonSchema, indent: string): string {
  const { prefixItems, items } = schema
  if (Array.isArray(prefixItems)) return `[${prefixItems.map((one: JsonSchema) => typeOf(one, indent)).join(', ')}]`
  // JSON Schema: what `items` holds is a schema.
  return `${grouped(typeOf((items ?? {}) as JsonSchema, indent))}[]`
}

function objectOf(schema: JsonSchema, indent: string): string {
  const { properties = {}, required, additionalProperties } = schema
  const needed = new Set(Array.isArray(required) ? required : [])
  const fields = Object.entries(properties)
  if (fields.length === 0) {
    const values = typeof additionalProperties === 'object' && additionalProperties !== null ? (additionalProperties as JsonSchema) : null
    return values === null ? 'Record<string, never>' : recordOf(schema['propertyNames'], values, indent)
  }
  const inner = `${indent}  `
  const lines = fields.map(
    ([name, field]) =>
      `${commentOf(field.description, inner)}${inner}${keyOf(name)}${needed.has(name) ? '' : '?'}: ${typeOf(field, inner)}`,
  )
  return `{\n${lines.join('\n')}\n${indent}}`
}

function recordOf(names: unknown, values: JsonSchema, indent: string): string {
  const listed = typeof names === 'object' && names !== null && 'enum' in names
  // Not every name has to be there.
  return listed ? `Partial<Record<${typeOf(names)}, ${typeOf(values, indent)}>>` : `Record<string, ${typeOf(values, indent)}>`
}

function grouped(type: string): string {
  return /^[\w']+$|^\{[^]*\}$|^\[/.test(type) ? type : `(${type})`
}

function literal(value: unknown): string {
  return typeof value === 'string' ? `'${value.replaceAll("'", "\\'")}'` : JSON.stringify(value)
}

function unique(types: string[]): string[] {
  return [...new Set(types)]
}
