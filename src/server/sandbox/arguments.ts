import { existsSync, fstatSync, lstatSync, readlinkSync, statSync } from 'node:fs'
import { type HeldScope, onDisk, diskPath } from './held-scope.ts'
import type { Allowed } from './landlock.ts'
import { type Bind, type Limits, SCOPE_PATH } from './sandbox.ts'

/** Folders of programs and libraries on Debian and similar systems; links among them stay links. */
const SYSTEM = ['/usr', '/bin', '/sbin', '/lib', '/lib32', '/lib64', '/libx32']
/** Configuration that libraries need: the linker cache, fonts, alternatives. None of it is secret. */
const SYSTEM_CONFIG = ['/etc/ld.so.cache', '/etc/fonts', '/etc/alternatives', '/etc/ssl/certs']
export const HOME = '/home/user'
export const LAUNCHER = '/launch'
/**
 * If this server is root, then to the kernel so is its `nobody` inside, who could change the kernel's settings (`/proc/sys/kernel/core_pattern` names
 * a program to run outside): `/proc` is read-only inside.
 */
const PROC = ['--proc', '/proc', '--remount-ro', '/proc']
/** When all paths exist, no more can be created. */
const ENDING = ['--remount-ro', '/', '--clearenv', '--chdir']
/** A uid and gid that own nothing. */
const NOBODY_ID = '65534'
/** The share of temporary space for its home and `/dev/shm` each, besides `/tmp`. */
const SMALL_SHARE = 1 / 4

export interface CallOptions {
  readonly binds: readonly Bind[]
  readonly cwd: string
  readonly limits: Pick<Limits, 'temporaryBytes'>
  readonly scope: { readonly folder: string; readonly held: HeldScope } | null
  /** The command of the launcher inside, and what follows it. */
  readonly firstDescriptor: number
  /** For tests: as until 2026, bubblewrap gets descriptors by their names in `/proc` and leaves them open. */
  readonly leak?: boolean
}

export function bubblewrapCall({ binds, cwd, limits, scope, firstDescriptor, leak = false }: CallOptions) {
  const descriptors: number[] = []
  const bound = [...(scope?.held.binds ?? []), ...binds]
  const masked = scope?.held.masked.flatMap((path) => mask(scope.folder, path)) ?? []
  const launcher = ['--perms', '0555', '--ro-bind-data', String(firstDescriptor), LAUNCHER]
  const isolation = '--unshare-all --die-with-parent --new-session --cap-drop ALL --hostname sandbox'.split(' ')
  const nobody = ['--uid', NOBODY_ID, '--gid', NOBODY_ID]
  const system = [...SYSTEM.flatMap(systemBind), ...SYSTEM_CONFIG.flatMap((path) => ['--ro-bind-try', path, path])]
  return {
    /** For `--args`: not on the command line, which the program can read. */
    options: [
      ...isolation,
      ...nobody,
      ...system,
      ...PROC,
      ...temporary(limits.temporaryBytes),
      ...bound.flatMap(bindOptions),
      ...masked,
      ...launcher,
      ...ENDING,
      cwd,
    ],
    /** Passed on under the numbers from `firstDescriptor` on. */
    descriptors,
    /** For Landlock: what the program may access. */
    allowed: [...ALLOWED, ...systemAllowed(), ...bound.map(allowedBind)],
  }

  function bindOptions({ source, target, writable }: Bind): string[] {
    const how = writable === true ? '--bind' : '--ro-bind'
    if (typeof source === 'string') return [how, source, target]
    const number = firstDescriptor + descriptors.push(source)
    // Bubblewrap binds the very file, compares it with what it bound, and closes the descriptor.
    return leak ? [how, `/proc/self/fd/${number}`, target] : [`${how}-fd`, String(number), target]
  }
}

/** Folders in memory, each with a limit: their content is memory that belongs to no process. */
function temporary(bytes: number): string[] {
  const folder = (path: string, size: number): string[] => ['--size', String(Math.ceil(size)), '--tmpfs', path]
  const small = bytes * SMALL_SHARE
  return [
    '--dev',
    '/dev',
    ...folder('/dev/shm', small),
    '--remount-ro',
    '/dev',
    ...folder('/tmp', bytes),
    ...folder('/home', small),
    '--dir',
    HOME,
  ]
}

const ALLOWED: readonly Allowed[] = [
  { at: '/', kind: 'folder', use: 'list' },
  { at: '/proc', kind: 'folder', use: 'read' },
  { at: '/dev', kind: 'folder', use: 'device' },
  ...['/dev/shm', '/tmp', '/home'].map((at): Allowed => ({ at, kind: 'folder', use: 'change' })),
]

function systemAllowed(): Allowed[] {
  const programs = SYSTEM.filter((path) => existsSync(path) && !lstatSync(path).isSymbolicLink())
  const config = SYSTEM_CONFIG.filter((path) => existsSync(path))
  return [
    ...programs.map((at): Allowed => ({ at, kind: 'folder', use: 'run' })),
    ...config.map((at): Allowed => ({ at, kind: statSync(at).isDirectory() ? 'folder' : 'file', use: 'read' })),
  ]
}

function allowedBind({ source, target, writable }: Bind): Allowed {
  const stat = typeof source === 'string' ? statSync(source) : fstatSync(source)
  return { at: target, kind: stat.isDirectory() ? 'folder' : 'file', use: writable === true ? 'change' : 'run' }
}

function systemBind(path: string): string[] {
  if (!existsSync(path)) return []
  return lstatSync(path).isSymbolicLink() ? ['--symlink', readlinkSync(path), path] : ['--ro-bind', path, path]
}

/** An empty inaccessible folder over a folder, an empty device over a file. A missing path needs no mask. */
function mask(folder: string, path: string): string[] {
  const stat = lstatSync(onDisk(diskPath(folder, path)), { throwIfNoEntry: false })
  if (stat === undefined) return []
  const target = diskPath(SCOPE_PATH, path)
  return stat.isDirectory()
    ? ['--perms', '0000', '--size', '4096', '--tmpfs', target, '--remount-ro', target]
    : ['--ro-bind', '/dev/null', target]
}
