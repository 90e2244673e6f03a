import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'bun:test'
import { claimedBy, nativeCodeOf } from './native-code.ts'

const HOME = join(import.meta.dir, '..')

interface Package {
  readonly dev?: boolean
  readonly os?: readonly string[]
  readonly cpu?: readonly string[]
  readonly libc?: readonly string[]
  readonly optionalDependencies?: Record<string, string>
}

const { packages } = JSON.parse(readFileSync(join(HOME, 'package-lock.json'), 'utf8')) as { packages: Record<string, Package> }
const product = Object.entries(packages).filter(([path, { dev }]) => path !== '' && dev !== true)
/** Without those for other platforms. */
const installed = product.map(([path]) => path).filter((path) => existsSync(join(HOME, path)))

describe('A20: native code', () => {
  it('is what its package and its file are named after, also for machines that are not this one', () => {
    const files = installed.flatMap((path) => [...new Bun.Glob('**/*.{node,so,exe}').scanSync({ cwd: join(HOME, path), absolute: true })])
    const found = files.flatMap((file) => {
      const code = nativeCodeOf(file)
      return code === null ? [] : [{ file: file.slice(HOME.length), code, claimed: claimedBy(file.slice(HOME.length)) }]
    })
    expect(found.length).toBeGreaterThan(2)
    expect(found.filter(({ code, claimed }) => claimed.cpu !== null && claimed.cpu !== code.cpu)).toEqual([])
    expect(found.filter(({ code, claimed }) => code.libc !== null && claimed.libc !== null && claimed.libc !== code.libc)).toEqual([])
  })

  it('is there for x64 and arm64, with glibc and with musl, wherever a package brings any', () => {
    const loaders = product.filter(
      ([, { cpu, optionalDependencies = {} }]) => cpu === undefined && Object.keys(optionalDependencies).some((name) => /linux/.test(name)),
    )
    const lacking = loaders.flatMap(([path, { optionalDependencies = {} }]) => {
      const builds = Object.keys(optionalDependencies).map((name) => packages[`node_modules/${name}`])
      const wanted = ['x64', 'arm64'].flatMap((cpu) => ['glibc', 'musl'].map((libc) => ({ cpu, libc })))
      const missing = wanted.filter(
        ({ cpu, libc }) => !builds.some((one) => one?.os?.includes('linux') && one.cpu?.includes(cpu) && one.libc?.includes(libc)),
      )
      return missing.map((one) => ({ path, ...one }))
    })
    expect(loaders.length).toBeGreaterThan(3)
    expect(lacking).toEqual([])
  })

  it('lies in a package for one platform each, so that the lock file says which are there', () => {
    const several = installed.filter((path) => [...new Bun.Glob('**/prebuilds/*/*.node').scanSync(join(HOME, path))].length > 0)
    expect(several).toEqual([])
  })
})
