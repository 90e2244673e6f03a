import { BadValue } from './config-error.ts'
import { type KeyName, keyOf } from './settings-table.ts'
import type { Candidate } from './sources.ts'

/** A setting, its value and where it comes from; then everything that it overrides. */
export function explain(name: KeyName, candidates: readonly Candidate[], cwd: string): string {
  const [winner] = candidates
  const shown = (candidate: Candidate): string => show(name, candidate.text)
  const lines = candidates.map(
    (candidate, i) => `  ${i === 0 ? 'from' : 'over'} ${placeOf(candidate)}${i === 0 ? '' : `: ${shown(candidate)}`}`,
  )
  const head = winner === undefined ? name : `${name} = ${shown(winner)}${problemOf(name, winner, cwd)}`
  return [head, `  ${keyOf(name).about}`, ...lines].join('\n')
}

function placeOf({ from, name }: Candidate): string {
  if (from === 'flag') return `the flag ${name}`
  if (from === 'environment') return `the environment variable ${name}`
  return from === 'file' ? `the file ${name}` : 'the default'
}

function show(name: KeyName, text: string): string {
  if (text === '') return '(empty)'
  const { kind, secret } = keyOf(name)
  return secret === true ? '(hidden)' : (kind.shown?.(text) ?? text)
}

function problemOf(name: KeyName, { text }: Candidate, cwd: string): string {
  try {
    keyOf(name).kind.parse(text, cwd)
    return ''
  } catch (error) {
    if (error instanceof BadValue) return ` (refused: ${error.message} was expected)`
    throw error
  }
}
