import { existsSync, readFileSync } from 'node:fs'
import { orElse } from '../../../shared/errors.ts'
import type { Call } from '../command.ts'
import { advice, fine, type Finding, problem, reasonOf } from './finding.ts'

/** Each connection, open file and preview needs a descriptor. */
const ENOUGH_FILES = 4096
const FEW_FILES = 1024
/** One for each open folder. */
const ENOUGH_WATCHES = 65_536
const ENOUGH_INSTANCES = 128
const AS_OWN_ACCOUNT = 'User= in the service, or --user for a container (docs/operating.md, The sandbox)'
const PREVIEW_PROGRAMS = [
  { path: '/usr/bin/ffmpeg', what: 'films and sounds have no thumbnails', from: 'ffmpeg' },
  { path: '/usr/bin/pdftoppm', what: 'PDFs have no thumbnails', from: 'poppler-utils' },
  { path: '/usr/bin/pdftotext', what: 'PDFs are not searched', from: 'poppler-utils' },
]

/** Packages with native code. They need libraries that every distribution has, but some small containers lack. */
const NATIVE_PACKAGES = [
  { load: () => import('sharp'), what: 'pictures have no thumbnails' },
  { load: () => import('lz4-napi'), what: 'lz4 archives cannot be made' },
  { load: () => import('snappy'), what: 'Snappy archives cannot be made or opened' },
]

/** What the system allows this process; the server's limits may differ if another account or a service manager starts it. */
export function limitFindings(): Finding[] {
  const files = softLimit(read('/proc/self/limits') ?? '', 'Max open files')
  const watches = numberIn('/proc/sys/fs/inotify/max_user_watches')
  const instances = numberIn('/proc/sys/fs/inotify/max_user_instances')
  return [...openFiles(files), ...watching(watches, instances)]
}

/** Whether programs can run in a sandbox, and which are installed. */
export async function sandboxFindings({ serverSettings, sandboxState }: Pick<Call, 'serverSettings' | 'sandboxState'>): Promise<Finding[]> {
  const about = 'sandbox'
  const { problem: said, weakness } = await sandboxState()
  // What a program says may end like a sentence.
  const reason = said?.replace(/\.$/, '') ?? null
  const missing = PREVIEW_PROGRAMS.filter(({ path }) => !existsSync(path))
  const todo = 'install bubblewrap, and allow user namespaces (docs/operating.md, Thumbnails and previews)'
  return [
    reason === null
      ? weakness === null
        ? fine(about, 'programs run in a sandbox, behind namespaces, Landlock and seccomp')
        : advice(about, weakness, 'a kernel with Landlock: Debian 12 and newer have it (docs/operating.md, The sandbox)')
      : serverSettings.disableExec
        ? advice(about, `${reason}; films and PDFs have no thumbnails`, todo)
        : serverSettings.execWithoutSandbox
          ? problem(about, `${reason}; commands run in sight of everything`, todo)
          : problem(about, `${reason}; no command runs`, todo),
    ...(!serverSettings.disableExec && process.getuid?.() === 0
      ? [advice('commands', 'this account is root: a server that runs commands should have an account of its own', AS_OWN_ACCOUNT)]
      : []),
    ...(serverSettings.disableThumbnails
      ? []
      : missing.map(({ path, what, from }) => advice('previews', `${path} is missing: ${what}`, `install the package ${from}`))),
    ...(missing.length === 0 ? [fine('previews', 'ffmpeg and poppler are there')] : []),
  ]
}

/** Which packages with native code cannot be loaded. */
export async function nativeFindings(
  packages: readonly { load(): Promise<unknown>; what: string }[] = NATIVE_PACKAGES,
): Promise<Finding[]> {
  const loads = await Promise.allSettled(packages.map(({ load }) => load()))
  const findings = loads.flatMap((load, index) => {
    const { what = '' } = packages[index] ?? {}
    const todo = 'install libstdc++ and libgcc for the C library of this system'
    return load.status === 'fulfilled' ? [] : [problem('native code', `${what}: ${missingLibrary(load.reason)}`, todo)]
  })
  return findings.length > 0 ? findings : [fine('native code', 'all packages with native code can be loaded')]
}

/** What the system's loader said: packages put it below a guess of theirs, into a later line or a cause. */
function missingLibrary(error: unknown): string {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    const [found] = /\S+\.so[.\d]*: .*/.exec(cause.message) ?? []
    if (found !== undefined) return found
  }
  return reasonOf(error)
}

/** The soft limit of a line of `/proc/self/limits`; null if the system does not report it, infinite if there is none. */
export function softLimit(limits: string, name: string): number | null {
  const [, value] = new RegExp(`^${name}\\s+(\\d+|unlimited)`, 'm').exec(limits) ?? []
  if (value === undefined) return null
  return value === 'unlimited' ? Number.POSITIVE_INFINITY : Number(value)
}

function openFiles(limit: number | null): Finding[] {
  const about = 'open files'
  if (limit === null) return []
  const todo = 'raise it: LimitNOFILE=65536 in the service, --ulimit nofile=65536 for a container, or ulimit -n'
  if (limit < FEW_FILES) return [problem(about, `${limit} at once`, todo)]
  return limit < ENOUGH_FILES ? [advice(about, `${limit} at once`, todo)] : [fine(about, `${limit} at once`)]
}

function watching(watches: number | null, instances: number | null): Finding[] {
  const about = 'inotify'
  if (watches === null || instances === null) return []
  const text = `${watches} watches, ${instances} instances for each account`
  const todo = `sysctl fs.inotify.max_user_watches=524288 fs.inotify.max_user_instances=512, and the same in /etc/sysctl.d`
  return watches < ENOUGH_WATCHES || instances < ENOUGH_INSTANCES ? [advice(about, text, todo)] : [fine(about, text)]
}

function numberIn(file: string): number | null {
  const text = read(file)
  return text === null ? null : Number(text.trim())
}

function read(file: string): string | null {
  return orElse(null, () => readFileSync(file, 'utf8'))
}
