import type { OpenApi, Operation, Parameter } from '../openapi/document.ts'
import { type TypeSchema, typeOf } from '../../src/shared/type-text.ts'

export interface ApiPage {
  /** `links.md`, below `api/`. */
  readonly file: string
  readonly title: string
  readonly text: string
}

/** One page per area of the API, one with the schemas, and the overview, as Markdown. */
export function apiPages(api: OpenApi): ApiPage[] {
  const operations = Object.entries(api.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
  )
  const areas = api.tags.map(({ name, description }) => {
    const own = operations.filter(({ operation }) => operation.tags.includes(name))
    return { name, description, own, file: `${slug(name)}.md` }
  })
  const overview = [
    '# API',
    api.info.description,
    'The whole document for tools: <a href="./openapi.json" target="_self">openapi.json</a> (OpenAPI 3.1). It is made from the code, as are these pages.',
    '```sh\nTOKEN=$(curl -s https://files.example.org/api/login -d \'{"username":"ann","password":"…"}\')\n' +
      'curl -H "X-Auth: $TOKEN" https://files.example.org/api/resources/photos/\n```',
    ...areas.map(({ name, description, own, file }) => {
      const rows = own.map(
        ({ method, path, operation }) => `| \`${method}\` | [\`${path}\`](./${file}#${operation.operationId}) | ${operation.summary} |`,
      )
      return `## ${name}\n\n${description}\n\n| method | address | what it does |\n| --- | --- | --- |\n${rows.join('\n')}`
    }),
    '## Schemas\n\n[All schemas](./schemas.md) that several calls use.',
  ]
  return [
    { file: 'index.md', title: 'API', text: `${overview.join('\n\n')}\n` },
    ...areas.map(({ name, description, own, file }) => ({
      file,
      title: name,
      text: `# ${name}\n\n${description}\n\n${own.map((one) => operationText(one)).join('\n\n')}\n`,
    })),
    { file: 'schemas.md', title: 'Schemas', text: schemasText(api) },
  ]
}

function operationText({ path, method, operation }: { path: string; method: string; operation: Operation }): string {
  const { summary, description, operationId, parameters, requestBody, responses } = operation
  return [
    `## ${summary} {#${operationId}}`,
    `<code class="method">${method}</code> <code>${path}</code>`,
    ...(description === '' ? [] : [escaped(description)]),
    ...parametersText(parameters),
    ...bodiesText('Body', requestBody?.content ?? {}),
    ...bodiesText('Answer', responses[200]?.content ?? {}),
  ].join('\n\n')
}

function parametersText(parameters: readonly Parameter[]): string[] {
  if (parameters.length === 0) return []
  const rows = parameters.map(({ name, in: where, required, description, schema }) => {
    const type = typeOf(schema).replace(/\s+/g, ' ').replaceAll('|', '\\|')
    return `| \`${name}\` | ${where} | \`${type}\` | ${required ? 'required' : ''} | ${escaped(description ?? schema.description ?? '')} |`
  })
  return [`| parameter | in | type | | |\n| --- | --- | --- | --- | --- |\n${rows.join('\n')}`]
}

function bodiesText(title: string, content: Readonly<Record<string, { schema: TypeSchema; example?: unknown }>>): string[] {
  return Object.entries(content).map(([type, { schema, example }]) => {
    const isBytes = Object.keys(schema).length === 0
    const head = `**${title}**: \`${type === '*/*' ? 'bytes, or none' : type}\``
    const sample = example === undefined ? '' : `\n\n\`\`\`json\n${JSON.stringify(example, null, 2)}\n\`\`\``
    return isBytes ? head : `${head}\n\n\`\`\`ts\n${typeOf(schema)}\n\`\`\`${sample}${links(schema)}`
  })
}

function schemasText(api: OpenApi): string {
  const parts = Object.entries(api.components.schemas).map(([name, schema]) => {
    const fields = Object.entries(schema.properties ?? {}).filter(([, { description }]) => description !== undefined)
    const rows = fields.map(([field, { description = '' }]) => `| \`${field}\` | ${escaped(description)} |`)
    const table = rows.length === 0 ? '' : `\n\n| field | |\n| --- | --- |\n${rows.join('\n')}`
    return `## ${name} {#schema-${slug(name)}}\n\n${escaped(schema.description ?? '')}\n\n\`\`\`ts\n${typeOf(schema)}\n\`\`\`${table}`
  })
  return `# Schemas\n\n${parts.join('\n\n')}\n`
}

function links(schema: TypeSchema): string {
  const names = [...JSON.stringify(schema).matchAll(/#\/components\/schemas\/(\w+)/g)].map(([, name = '']) => name)
  if (names.length === 0) return ''
  return `\n\n${[...new Set(names)].map((name) => `[${name}](./schemas.md#schema-${slug(name)})`).join(', ')}`
}

/** Braces and angle brackets would be read as templates and tags. */
function escaped(text: string): string {
  return text
    .split(/(`[^`]*`)/)
    .map((part) => (part.startsWith('`') ? part : part.replaceAll('<', '&lt;').replaceAll('{{', '&#123;&#123;')))
    .join('')
}

function slug(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]+/g, '-')
}
