import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { isWhole, sealed } from '../../src/server/storage/test-sealed.ts'

/** Files and folders by their path below `here` or `there`: a file by the number of its sealed bytes, which tells one from another. */
export type Tree = Readonly<Record<string, number | 'folder'>>

export interface Expected {
  readonly before: Tree
  readonly after: Tree
  /** Nothing in between is ever seen; else each name by itself is old or new. */
  readonly atOnce: boolean
  /** Pairs of names of which one is there at every moment: what is moved is never gone. */
  readonly oneOf?: readonly (readonly [string, string])[]
}

/** Two folders of two file systems. */
export interface Places {
  readonly here: string
  readonly there: string
}

/** Files appear with sealed bytes, straight on the disk. */
export function plantTree(places: Places, tree: Tree): void {
  for (const folder of Object.values(places)) mkdirSync(folder, { recursive: true })
  for (const [name, what] of Object.entries(tree)) {
    const path = name.startsWith('there/') ? join(places.there, name.slice(6)) : join(places.here, name.slice(5))
    mkdirSync(what === 'folder' ? path : dirname(path), { recursive: true })
    if (what !== 'folder') writeFileSync(path, sealed(what))
  }
}

/** @returns what is wrong with a tree after its server was killed, in words */
export function wrongIn(places: Places, { before, after, atOnce, oneOf = [] }: Expected, acknowledged: boolean): string[] {
  const found = { ...readTree('here', places.here), ...readTree('there', places.there) }
  const wrong: string[] = []
  for (const [name, what] of Object.entries(found)) {
    if (what === 'torn') wrong.push(`${name} is neither old nor new`)
    else if (before[name] !== what && after[name] !== what) wrong.push(`${name} is ${what}, and was never to be`)
  }
  for (const [name, what] of Object.entries(before)) {
    if (after[name] !== undefined && found[name] === undefined) wrong.push(`${name} is gone`)
    else if (after[name] === what && found[name] !== what) wrong.push(`${name} was changed`)
  }
  for (const [one, other] of oneOf) if (found[one] === undefined && found[other] === undefined) wrong.push(`${one} and ${other} are gone`)
  if (acknowledged && !isSame(found, after)) wrong.push(`acknowledged, and not so: ${JSON.stringify(found)}`)
  if (atOnce && !isSame(found, before) && !isSame(found, after)) wrong.push(`half done: ${JSON.stringify(found)}`)
  return wrong
}

function readTree(prefix: string, folder: string): Record<string, number | 'folder' | 'torn'> {
  const found: Record<string, number | 'folder' | 'torn'> = {}
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    const path = join(folder, name)
    found[`${prefix}/${name}`] = statSync(path).isDirectory() ? 'folder' : sizeOf(readFileSync(path))
  }
  return found
}

function sizeOf(bytes: Uint8Array): number | 'torn' {
  return isWhole(bytes) ? bytes.length - sealed(0).length : 'torn'
}

function isSame(one: Record<string, unknown>, other: Record<string, unknown>): boolean {
  const names = Object.keys(one)
  return names.length === Object.keys(other).length && names.every((name) => one[name] === other[name])
}
