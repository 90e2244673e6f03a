import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { HOME } from '../../src/server/entries/entries.ts'
import type { Component } from './components.ts'

export const LICENCES_FILE = 'THIRD-PARTY-LICENSES'
/** Texts that packages refer to without bringing them. */
const COMMON = ['LGPL-3.0', 'GPL-3.0', 'LGPL-2.1', 'LGPL-2.0']
const RULE = '='.repeat(80)

/** One text with everything that others wrote and what they ask for. Equal licences stand once. */
export function licencesText(components: readonly Component[]): string {
  const groups = new Map<string, Component[]>()
  for (const component of components) {
    const text = component.texts.map((one) => one.replaceAll('\r\n', '\n').trim()).join('\n\n')
    groups.set(text, [...(groups.get(text) ?? []), component])
  }
  const sections = [...groups].map(([text, members]) => section(members.map(titleOf), text || WITHOUT_TEXT))
  const common = COMMON.map((name) => section([name], readFileSync(join(HOME, 'packaging/licences', `${name}.txt`), 'utf8').trim()))
  return [INTRODUCTION, ...sections, ...common].join('\n\n')
}

const INTRODUCTION = `Satchel is licensed under the Apache License 2.0 (see LICENSE). It contains the following software of others, each under its own licence.
The sources of every package are in the npm registry under the name and version given here.`

const WITHOUT_TEXT =
  'The package brings no text of its own: the licence named above applies, in its standard wording (https://spdx.org/licenses).'

function titleOf({ name, version, licence, author }: Component): string {
  return `${name} ${version}: ${licence}${author ? `, by ${author}` : ''}`
}

function section(titles: readonly string[], text: string): string {
  return `${RULE}\n${titles.join('\n')}\n${RULE}\n\n${text}`
}
