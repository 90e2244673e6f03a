import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as z from 'zod/mini'
import { HOME } from '../../src/server/entries/entries.ts'
import { buildFolder } from '../lib/server.mjs'
import { WEB_PACKAGES } from '../lib/web.mjs'

/** A package that Satchel contains, whole or as a part of a build. */
export interface Component {
  readonly name: string
  readonly version: string
  /** As SPDX writes it, or in words where that does not suffice. */
  readonly licence: string
  /** Identifies it for scanners. */
  readonly purl: string
  /** The texts of its licence, as far as it brings them. */
  readonly texts: readonly string[]
  readonly author?: string
  /** What was built into it, as it says itself. */
  readonly parts?: readonly Part[]
}

export interface Part {
  readonly name: string
  readonly version: string
}

const Manifest = z.object({
  name: z.string(),
  version: z.string(),
  license: z.optional(z.string()),
  author: z.optional(z.union([z.string(), z.object({ name: z.string() })])),
})
const TEXT_NAME = /^(licen[cs]e|copying|notice|unrarlicense|ofl)/i
const NODE_MODULES = join(HOME, 'node_modules')

/** Everything in an installed program that others wrote, with its runtime, by name. Needs the builds of web and server. */
export function componentsOf({ folder, runtime }: { folder: string; runtime: string }): Component[] {
  const whole = packageNames(join(folder, 'node_modules')).map((name) => componentAt(join(folder, 'node_modules', name)))
  const bundled = [...bundledInServer(), ...bundledInWeb()].map((name) => componentAt(join(NODE_MODULES, name)))
  const byName = new Map([...bundled, ...whole, runtimeComponent(runtime)].map((one) => [one.purl, one]))
  return [...byName.values()].toSorted((a, b) => (a.purl < b.purl ? -1 : 1))
}

/** @returns names such as `sharp` and `@img/colour` */
function packageNames(modules: string): string[] {
  return readdirSync(modules).flatMap((name) =>
    name.startsWith('@') ? readdirSync(join(modules, name)).map((one) => `${name}/${one}`) : [name],
  )
}

/** The maps of the build name its sources. */
function bundledInServer(): string[] {
  const build = buildFolder()
  const maps = readdirSync(build, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.map'))
  const sources = maps.flatMap((map) => z.parse(z.object({ sources: z.array(z.string()) }), readJson(join(build, map))).sources)
  return packagesAmong(sources)
}

function bundledInWeb(): string[] {
  if (!existsSync(WEB_PACKAGES)) throw new Error(`${WEB_PACKAGES} is missing: run npm run build`)
  return packagesAmong(z.parse(z.array(z.string()), readJson(WEB_PACKAGES)))
}

/** @returns folders below `node_modules`, such as `kysely` and `tar-stream/node_modules/b4a` */
function packagesAmong(files: readonly string[]): string[] {
  return [...new Set(files.flatMap((file) => /node_modules\/((?:.*\/node_modules\/)?(?:@[^/]+\/)?[^/?]+)/.exec(file)?.[1] ?? []))]
}

function componentAt(folder: string): Component {
  const { name, version, license, author } = z.parse(Manifest, readJson(join(folder, 'package.json')))
  const texts = readdirSync(folder)
    .filter((file) => TEXT_NAME.test(file))
    .toSorted()
    .map((file) => readFileSync(join(folder, file), 'utf8'))
  const parts = join(folder, 'versions.json')
  return {
    name,
    version,
    licence: name === '7z-wasm' ? 'LGPL-2.1-or-later with the unRAR restriction' : (license ?? 'see its text'),
    purl: `pkg:npm/${name.replace('@', '%40')}@${version}`,
    texts: existsSync(parts) ? [readFileSync(join(folder, 'README.md'), 'utf8')] : texts,
    author: typeof author === 'object' ? author.name : author,
    parts: existsSync(parts) ? partsOf(parts) : undefined,
  }
}

/** Libraries in the prebuilt libvips. */
function partsOf(file: string): Part[] {
  return Object.entries(z.parse(z.record(z.string(), z.string()), readJson(file))).map(([name, version]) => ({ name, version }))
}

/** Its package brings no text; that of its types does, for all that is linked into it. */
function runtimeComponent(runtime: string): Component {
  const { name, version } = z.parse(Manifest, readJson(join(runtime, '../../package.json')))
  return {
    name,
    version,
    licence: 'MIT',
    purl: `pkg:npm/${name.replace('@', '%40')}@${version}`,
    texts: [readFileSync(join(NODE_MODULES, 'bun-types/docs/project/license.mdx'), 'utf8')],
  }
}

function readJson(file: string): unknown {
  return JSON.parse(readFileSync(file, 'utf8'))
}
