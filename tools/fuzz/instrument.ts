import { parseSync } from 'vite'

/** A module that counts how often it comes by each of its branches. */
export interface Instrumented {
  readonly code: string
  /** Branches of this module; the first counts in `first`. */
  readonly branches: number
  /** Texts and numbers that the module knows, and that input may have to hold to get on. */
  readonly words: readonly string[]
}

/** What is added to the text, in front of what stands at its place. */
interface Addition {
  readonly at: number
  readonly depth: number
  readonly text: string
  readonly isEnd: boolean
}

interface Node {
  readonly type: string
  readonly start: number
  readonly end: number
  readonly [key: string]: unknown
}

/** Where instrumented modules find their counters. */
export const COUNTERS = '__fuzzCounters'
const LONGEST_WORD = 40

/** @param first the number of the module's first counter */
export function instrument(file: string, source: string, first: number): Instrumented {
  const { program, errors } = parseSync(file, source)
  if (errors.length > 0) throw new Error(`${file}: ${errors[0]?.message ?? ''}`)
  const additions: Addition[] = []
  const words = new Set<string>()
  let branches = 0
  const count = (): string => `$fuzz[${first + branches++}]++`
  const insert = (at: number, depth: number, text: string, isEnd = false): void => void additions.push({ at, depth, text, isEnd })

  function expression(node: Node, depth: number): void {
    insert(node.start, depth, `(${count()},`)
    insert(node.end, depth, ')', true)
  }

  function statement(node: Node, depth: number): void {
    if (node.type === 'BlockStatement') return insert(node.start + 1, depth, `${count()};`)
    insert(node.start, depth, `{${count()};`)
    insert(node.end, depth, '}', true)
  }

  function visit(node: Node, depth: number): void {
    const part = (key: string): Node | null => (isNode(node[key]) ? node[key] : null)
    const [body, right, consequent, alternate] = ['body', 'right', 'consequent', 'alternate'].map(part)
    if (/Function|^ArrowFunction/.test(node.type) && body) (body.type === 'BlockStatement' ? statement : expression)(body, depth)
    else if (/^(For|While|DoWhile|ForIn|ForOf)Statement$/.test(node.type) && body) statement(body, depth)
    else if (node.type === 'CatchClause' && body) statement(body, depth)
    else if (/^(LogicalExpression|AssignmentPattern)$/.test(node.type) && right) expression(right, depth)
    else if (node.type === 'ConditionalExpression' && consequent && alternate) {
      expression(consequent, depth)
      expression(alternate, depth)
    } else if (node.type === 'IfStatement' && consequent) {
      statement(consequent, depth)
      if (alternate) statement(alternate, depth)
      else insert(node.end, depth, ` else {${count()}}`, true)
    } else if (node.type === 'SwitchCase' && Array.isArray(node.consequent) && isNode(node.consequent[0]))
      insert(node.consequent[0].start, depth, `${count()};`)
    if (node.type === 'Literal') note(words, node.value)
    if (node.type === 'TemplateElement') note(words, (node.value as { cooked?: unknown } | undefined)?.cooked)
    for (const value of Object.values(node))
      for (const child of Array.isArray(value) ? value : [value]) if (isNode(child)) visit(child, depth + 1)
  }

  visit(program as unknown as Node, 0)
  const code = `const $fuzz = globalThis.${COUNTERS};${applied(source, additions)}`
  return { code, branches, words: [...words] }
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string'
}

/** Ends come before beginnings, those of inner parts before those of outer ones. */
function applied(source: string, additions: readonly Addition[]): string {
  const ordered = additions.toSorted(
    (a, b) => a.at - b.at || Number(b.isEnd) - Number(a.isEnd) || (a.isEnd ? b.depth - a.depth : a.depth - b.depth),
  )
  let out = ''
  let copied = 0
  for (const { at, text } of ordered) {
    out += source.slice(copied, at) + text
    copied = at
  }
  return out + source.slice(copied)
}

function note(words: Set<string>, value: unknown): void {
  if (typeof value === 'string' && value !== '' && value.length <= LONGEST_WORD) words.add(Buffer.from(value).toString('latin1'))
  if (typeof value !== 'number' || !Number.isInteger(value) || Math.abs(value) < 10) return
  words.add(String(value))
  if (value < 0 || value > 0xffffffff) return
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value)
  const little = bytes.toString('latin1').slice(0, value > 0xffff ? 4 : value > 0xff ? 2 : 1)
  words.add(little)
  words.add([...little].toReversed().join(''))
}
