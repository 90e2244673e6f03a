import type { Attack } from './attack.ts'
import { isNamed } from './titles.ts'

export interface Outcome {
  /** The whole title, with the groups it stands in. */
  readonly title: string
  readonly passed: boolean
}

/** From the JUnit file of `bun test`; what was not asked for is not in it, or skipped. */
export function outcomesOfBun(xml: string): Outcome[] {
  const cases = xml.matchAll(/<testcase\b([^>]*?)(\/>|>([^]*?)<\/testcase>)/g)
  return [...cases].flatMap(([, attributes = '', , inner = '']) => {
    if (inner.includes('<skipped')) return []
    const title = `${valueOf(attributes, 'classname')} ${valueOf(attributes, 'name')}`
    return [{ title, passed: !/<(failure|error)\b/.test(inner) }]
  })
}

interface Suite {
  readonly title: string
  readonly specs?: readonly { readonly title: string; readonly ok: boolean }[]
  readonly suites?: readonly Suite[]
}

/** From the JSON of Playwright. */
export function outcomesOfPlaywright(json: string): Outcome[] {
  const { suites } = JSON.parse(json) as { suites: readonly Suite[] }
  const inside = ({ title, specs = [], suites: inner = [] }: Suite, before: string): Outcome[] => [
    ...specs.map((spec) => ({ title: `${before} ${title} ${spec.title}`, passed: spec.ok })),
    ...inner.flatMap((suite) => inside(suite, `${before} ${title}`)),
  ]
  return suites.flatMap((suite) => inside(suite, ''))
}

/** A row for each attack, and their sum. An attack of which nothing ran has failed. */
export function tableOf(attacks: readonly Attack[], outcomes: readonly Outcome[]): { text: string; fine: boolean } {
  const rows = attacks.map((attack) => {
    const ran = outcomes.filter(({ title }) => isNamed({ text: title }, attack))
    const passed = ran.filter((one) => one.passed).length
    return { id: attack.id, passed, failed: ran.length === 0 ? 1 : ran.length - passed }
  })
  const failed = outcomes.filter((one) => !one.passed).length
  const unproven = rows.filter((row) => row.failed > 0).length
  const lines = rows.map(({ id, ...row }) => `${id.padEnd(24)}${String(row.passed).padStart(8)}${String(row.failed).padStart(8)}`)
  const sum = `${attacks.length} attacks, ${unproven} of them not shown impossible; ${outcomes.length - failed} tests passed, ${failed} failed`
  return { text: [`${'attack'.padEnd(24)}  passed  failed`, ...lines, sum].join('\n'), fine: unproven === 0 && failed === 0 }
}

function valueOf(attributes: string, name: string): string {
  const value = new RegExp(`(?:^|\\s)${name}="([^"]*)"`).exec(attributes)?.[1] ?? ''
  return value
    .replace(/&lt;/g, '<')
    .replace(/&gt;/g, '>')
    .replace(/&quot;/g, '"')
    .replace(/&apos;/g, "'")
    .replace(/&amp;/g, '&')
}
