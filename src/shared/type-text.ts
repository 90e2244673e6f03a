/** The part of JSON Schema that zod writes. */
export interface TypeSchema {
  readonly $ref?: string
  readonly description?: string
  readonly $defs?: Record<string, TypeSchema>
  readonly type?: string | readonly string[]
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly TypeSchema[]
  readonly oneOf?: readonly TypeSchema[]
  readonly allOf?: readonly TypeSchema[]
  readonly items?: TypeSchema
  readonly prefixItems?: readonly TypeSchema[]
  readonly properties?: Record<string, TypeSchema>
  readonly additionalProperties?: TypeSchema | boolean
  readonly required?: readonly string[]
}

/** As TypeScript would say it. */
export function typeOf(schema: TypeSchema): string {
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

function arrayOf({ items, prefixItems }: TypeSchema): string {
  if (prefixItems !== undefined) return `[${prefixItems.map(typeOf).join(', ')}]`
  const inner = items === undefined ? 'unknown' : typeOf(items)
  return /[|&\n]/.test(inner) && !inner.startsWith('{') ? `(${inner})[]` : `${inner}[]`
}

function objectOf({ properties = {}, additionalProperties, required = [] }: TypeSchema): string {
  const lines = Object.entries(properties).map(([key, value]) => `${quoted(key)}${required.includes(key) ? '' : '?'}: ${typeOf(value)}`)
  if (typeof additionalProperties === 'object' && Object.keys(additionalProperties).length > 0)
    lines.push(`[key: string]: ${typeOf(additionalProperties)}`)
  return lines.length === 0 ? '{}' : `{\n${indent(lines.join('\n'), '  ')}\n}`
}

function quoted(key: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(key) ? key : `'${key}'`
}

export function indent(text: string, by: string): string {
  return text.replace(/^/gm, by)
}
