import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Attack, Verdict } from './attack.ts'
import type { Servers } from './test-server.ts'

export type Outcome = Verdict | 'not tried'

export interface Replayed {
  readonly row: string
  readonly outcome: Outcome
}

const ROW = /^([A-Z]\d+)\.ts$/

/** The attacks of a folder, by their rows: one in each file that is named after a row. */
export async function attacksIn(folder: string): Promise<Attack[]> {
  const files = readdirSync(folder).filter((name) => ROW.test(name))
  const attacks = await Promise.all(files.map((file) => attackOf(folder, file)))
  return attacks.toSorted((a, b) => a.row.localeCompare(b.row, 'en', { numeric: true }))
}

async function attackOf(folder: string, file: string): Promise<Attack> {
  const { attack } = (await import(join(folder, file))) as { attack?: Attack }
  const row = ROW.exec(file)?.[1]
  if (attack === undefined || attack.row !== row) throw new Error(`${file} exports no attack of the row ${row}`)
  return attack
}

/** Carries out one attack on servers of its own, and prints what was tried and what came of it. */
export async function replay(
  attack: Attack,
  serversFor: (note: (line: string) => void) => Servers,
  print: (line: string) => void,
): Promise<Replayed> {
  print(`\n${attack.row}: ${attack.title}`)
  const outcome = await tried(attack, serversFor, print)
  print(`   ${outcome === 'succeeded' ? 'SUCCEEDED' : outcome}`)
  return { row: attack.row, outcome }
}

async function tried(
  attack: Attack,
  serversFor: (note: (line: string) => void) => Servers,
  print: (line: string) => void,
): Promise<Outcome> {
  try {
    await using servers = serversFor((line) => print(`   ${line}`))
    return await attack.run(await servers.start(attack.server))
  } catch (error) {
    print(`   ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`)
    return 'not tried'
  }
}

/** The last line of the report. An attack that could not be tried shows nothing, so it is no success of ours. */
export function summaryOf(replayed: readonly Replayed[]): { readonly text: string; readonly fine: boolean } {
  const rows = (outcome: Outcome): string[] => replayed.filter((one) => one.outcome === outcome).map(({ row }) => row)
  const bad = (['succeeded', 'not tried'] as const)
    .map((outcome) => ({ outcome, named: rows(outcome) }))
    .filter(({ named }) => named.length > 0)
  const words = bad.map(({ outcome, named }) => `, ${named.length} ${outcome} (${named.join(', ')})`)
  return { text: `${rows('refused').length} refused${words.join('')}`, fine: bad.length === 0 && replayed.length > 0 }
}
