import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const CONTRACT = join(import.meta.dir, '../../src/shared/contract')

/** What the comments of one file of the contract say. The formatter keeps the layout that is read here. */
export interface Comments {
  /** Of a call, by its name. */
  readonly calls: ReadonlyMap<string, string>
  /** Of a schema, by the name of its constant. */
  readonly schemas: ReadonlyMap<string, string>
  /** Of a field, by `Schema.field`. */
  readonly fields: ReadonlyMap<string, string>
}

const CALL = /\n {2}\/\*\*((?:(?!\*\/)[^])*)\*\/\n {2}(\w+): endpoint\(/g
const SCHEMA = /\n\/\*\*((?:(?!\*\/)[^])*)\*\/\nexport const (\w+) = z\b/g
const OBJECT = /\n(?:export )?const (\w+) = z[^\n]*\{\n([^]*?)\n(?: {2})?\}\)/g
const FIELD = /\/\*\*((?:(?!\*\/)[^])*)\*\/\n +'?([\w-]+)'?: /g

/** @param file name in `src/shared/contract`, without `.ts` */
export function readComments(file: string): Comments {
  const text = readFileSync(join(CONTRACT, `${file}.ts`), 'utf8')
  const fields = [...text.matchAll(OBJECT)].flatMap(([, name = '', body = '']) =>
    [...body.matchAll(FIELD)].map(([, comment = '', field = '']) => [`${name}.${field}`, plain(comment)] as const),
  )
  return { calls: byName(text.matchAll(CALL)), schemas: byName(text.matchAll(SCHEMA)), fields: new Map(fields) }
}

function byName(found: Iterable<RegExpExecArray>): Map<string, string> {
  return new Map(Array.from(found, ([, comment = '', name = '']) => [name, plain(comment)]))
}

/** One line, without stars and without what is meant for readers of the code. */
function plain(comment: string): string {
  return comment
    .replace(/\n\s*\*/g, ' ')
    .replace(/@see \w+/g, '')
    .replace(/\s+/g, ' ')
    .trim()
}
