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
    const loaders = product.flatMap(([path, { os, optionalDependencies = {} }]) => {
      const builds = Object.keys(optionalDependencies).filter((name) => /linux/.test(name))
      return isBuild(os) || builds.length === 0 ? [] : [{ path, builds }]
    })
    const wanted = ['x64', 'arm64'].flatMap((cpu) => ['glibc', 'musl'].map((libc) => ({ cpu, libc })))
    const lacking = loaders.flatMap(({ path, builds }) =>
      // A package may bring several libraries, each with builds of its own.
      [...Map.groupBy(builds, libraryOf)].flatMap(([library, names]) => {
        const there = names.map((name) => packages[`node_modules/${name}`])
        const missing = wanted.filter(({ cpu, libc }) => !there.some((one) => one?.cpu?.includes(cpu) && one.libc?.includes(libc)))
        return missing.map((one) => ({ path, library, ...one }))
      }),
    )
    expect(loaders.length).toBeGreaterThan(4)
    expect(lacking).toEqual([])
  })

  it('lies in a package for one platform each, so that the lock file says which are there', () => {
    const several = installed.filter((path) => [...new Bun.Glob('**/prebuilds/*/*.node').scanSync(join(HOME, path))].length > 0)
    expect(several).toEqual([])
  })
})

/** A package of machine code for one system. */
function isBuild(os: readonly string[] | undefined): boolean {
  return os?.length === 1
}

/** `@img/sharp-libvips` of `@img/sharp-libvips-linuxmusl-arm64`. */
function libraryOf(name: string): string {
  return name.replace(/-linux.*$/, '')
}
