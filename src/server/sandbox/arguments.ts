import { existsSync, lstatSync, readlinkSync } from 'node:fs'
import { posix } from 'node:path'
import type { HeldScope } from './hold.ts'
import { SCOPE_PLACE, type StartOptions } from './sandbox.ts'

/** Where Debian and its like keep programs and libraries; links among them stay links. */
const SYSTEM = ['/usr', '/bin', '/sbin', '/lib', '/lib32', '/lib64', '/libx32']
/** What libraries need to find each other, letters and names of alternatives; nothing here is secret. */
const SYSTEM_CONFIG = ['/etc/ld.so.cache', '/etc/fonts', '/etc/alternatives', '/etc/ssl/certs']
const HOME = '/home/user'
/**
 * Where this server is root, so is its `nobody` in there to the kernel, which asks for no more to change its own settings
 * (`/proc/sys/kernel/core_pattern` names a program to be run outside): nothing in there can be written.
 */
const PROC = ['--proc', '/proc', '--remount-ro', '/proc']
/** A uid and gid that own nothing. */
const NOBODY = '65534'

export interface BubblewrapCall {
  /** For `--args`: not on the command line, which the program can read. */
  readonly options: readonly string[]
  /** To be passed on under the numbers from `firstDescriptor` on. */
  readonly descriptors: readonly number[]
}

/** What bubblewrap is told. */
export function bubblewrapCall(
  { binds = [], cwd = HOME, env = {} }: Omit<StartOptions, 'scope'>,
  scope: { readonly folder: string; readonly held: HeldScope } | null,
  firstDescriptor: number,
): BubblewrapCall {
  const descriptors: number[] = []
  const sourceOf = (source: string | number): string => {
    if (typeof source === 'string') return source
    descriptors.push(source)
    return `/proc/self/fd/${firstDescriptor + descriptors.length - 1}`
  }
  const bound = [...(scope?.held.binds ?? []), ...binds].flatMap(({ source, target, writable }) => [
    writable === true ? '--bind' : '--ro-bind',
    sourceOf(source),
    target,
  ])
  const masked = scope?.held.masked.flatMap((path) => mask(scope.folder, path)) ?? []
  const variables = Object.entries({ PATH: '/usr/bin:/bin', HOME, LANG: 'C.UTF-8', ...env }).flatMap(([name, value]) => [
    '--setenv',
    name,
    value,
  ])
  const isolation = ['--unshare-all', '--die-with-parent', '--new-session', '--cap-drop', 'ALL', '--uid', NOBODY, '--gid', NOBODY]
  const own = ['--hostname', 'sandbox', ...PROC, '--dev', '/dev', '--tmpfs', '/tmp', '--tmpfs', '/home', '--dir', HOME]
  const system = [...SYSTEM.flatMap(systemBind), ...SYSTEM_CONFIG.flatMap((path) => ['--ro-bind-try', path, path])]
  return {
    options: [...isolation, ...system, ...own, ...bound, ...masked, '--clearenv', ...variables, '--chdir', cwd],
    descriptors,
  }
}

function systemBind(path: string): string[] {
  if (!existsSync(path)) return []
  return lstatSync(path).isSymbolicLink() ? ['--symlink', readlinkSync(path), path] : ['--ro-bind', path, path]
}

/** An empty folder without any permission over a folder, an empty device over a file. What is not there needs no mask. */
function mask(folder: string, path: string): string[] {
  const stat = lstatSync(posix.join(folder, path), { throwIfNoEntry: false })
  if (stat === undefined) return []
  const target = posix.join(SCOPE_PLACE, path)
  return stat.isDirectory() ? ['--perms', '0000', '--tmpfs', target, '--remount-ro', target] : ['--ro-bind', '/dev/null', target]
}
