import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, it } from 'bun:test'

const WEB = join(import.meta.dir, '../src/web')
const read = (path: string): string => readFileSync(join(WEB, path), 'utf8')
const classesIn = (css: string): Set<string> => new Set([...css.matchAll(/\.([A-Za-z_][\w-]*)/g)].map(([, name = '']) => name))
const components = [...new Bun.Glob('**/*.tsx').scanSync(WEB)].filter((path) => !path.endsWith('.test.tsx'))

// The compiler takes every class for one that is there: people-look-1 and people-look-2 were rows without their layout.
it('components use only classes that their stylesheet has', () => {
  const missing: string[] = []
  for (const path of components) {
    const source = read(path)
    for (const [, name = '', sheet = ''] of source.matchAll(/import (\w+) from '(\.[^']+\.module\.css)'/g)) {
      const there = classesIn(read(join(dirname(path), sheet)))
      // Not in addresses of modules.
      for (const [, used = ''] of source.matchAll(new RegExp(`(?<![/\\w-])${name}\\.(\\w+)`, 'g')))
        if (!there.has(used)) missing.push(`${path}: ${name}.${used}`)
    }
  }
  expect(missing).toEqual([])
})

it('shared classes that components name are there', () => {
  const there = classesIn(['shared', 'base', 'boot', 'tokens'].map((name) => read(`ui/${name}.css`)).join('\n'))
  const missing = components.flatMap((path) =>
    [...read(path).matchAll(/className="([^"]+)"/g)]
      .flatMap(([, names = '']) => names.split(/\s+/))
      .filter((name) => name !== '' && !there.has(name))
      .map((name) => `${path}: ${name}`),
  )
  expect(missing).toEqual([])
})
