import type { Step } from './elf-launcher.ts'

/** `linux/landlock.h`: access rights to files, one bit each. */
const EXECUTE = 1 << 0
const WRITE_FILE = 1 << 1
const READ_FILE = 1 << 2
const READ_FOLDER = 1 << 3
const REFER = 1 << 13
const TRUNCATE = 1 << 14
const USE_DEVICE = 1 << 15
/** Without devices, which nothing inside may create. */
const MAKE_AND_REMOVE = (1 << 4) | (1 << 5) | (1 << 7) | (1 << 8) | (1 << 9) | (1 << 10) | (1 << 12)
const MAKE_DEVICE = (1 << 6) | (1 << 11)
const FILE_ONLY = EXECUTE | WRITE_FILE | READ_FILE | TRUNCATE | USE_DEVICE

/** Rights that older kernels do not know: a ruleset with an unknown right is refused completely. */
const SINCE: readonly [right: number, version: number][] = [
  [REFER, 2],
  [TRUNCATE, 3],
  [USE_DEVICE, 5],
]
const TCP_SINCE = 4
const SCOPES_SINCE = 6
/** TCP: bind and connect. Scopes: abstract sockets, and signals, to processes outside. */
const BOTH = 0b11n

export const NEWEST_LANDLOCK = 6

/** A path as the program sees it, and the access to it and below. */
export interface Allowed {
  /** A path, or a descriptor that the program inherits. */
  readonly at: string | number
  readonly kind: 'file' | 'folder'
  readonly use: keyof typeof USES
}

const USES = {
  list: READ_FOLDER,
  read: READ_FILE | READ_FOLDER,
  run: READ_FILE | READ_FOLDER | EXECUTE,
  change: READ_FILE | READ_FOLDER | EXECUTE | WRITE_FILE | TRUNCATE | REFER | MAKE_AND_REMOVE,
  device: READ_FILE | READ_FOLDER | WRITE_FILE | TRUNCATE | USE_DEVICE,
}

const RULE_PATH_BENEATH = 1
const AT_FDCWD = -100
const O_PATH_CLOEXEC = 0o10000000 | 0o2000000
/** Only 0, 1 and 2 are open before it. */
const RULESET = 3
const PLACE = 4

/**
 * Steps after which the program can access only what is allowed, in whatever way: Landlock checks the folders that contain a file, not the name by
 * which it was reached. Missing paths are skipped.
 * @param version of the kernel's Landlock, at least 1
 */
export function landlockSteps(version: number, allowed: readonly Allowed[]): Step[] {
  return [
    { call: 'landlock_create_ruleset', args: [ruleset(version), rulesetBytes(version), 0] },
    ...allowed.flatMap((one) => ruleSteps(one, rightsOf(version))),
    { call: 'landlock_restrict_self', args: [RULESET, 0] },
    { call: 'close', args: [RULESET] },
  ]
}

/** Steps whose exit code is the newest Landlock version of the kernel, 0 if it has none. */
export function landlockProbe(): Step[] {
  const versions = Array.from({ length: NEWEST_LANDLOCK }, (_, at) => NEWEST_LANDLOCK - at)
  return [
    ...versions.flatMap((version): Step[] => [
      { call: 'landlock_create_ruleset', args: [ruleset(version), rulesetBytes(version), 0], onFailure: 2 },
      { call: 'exit_group', args: [version] },
    ]),
    { call: 'exit_group', args: [0] },
  ]
}

function ruleSteps({ at, kind, use }: Allowed, known: number): Step[] {
  const rights = USES[use] & known & (kind === 'file' ? FILE_ONLY : ~0)
  const rule = (descriptor: number): Step => ({
    call: 'landlock_add_rule',
    args: [RULESET, RULE_PATH_BENEATH, ruleBytes(rights, descriptor), 0],
  })
  if (rights === 0) return []
  if (typeof at === 'number') return [{ ...rule(at), onFailure: 1 }]
  return [{ call: 'openat', args: [AT_FDCWD, at, O_PATH_CLOEXEC, 0], onFailure: 3 }, rule(PLACE), { call: 'close', args: [PLACE] }]
}

/** `struct landlock_path_beneath_attr`, packed. */
function ruleBytes(rights: number, descriptor: number): Uint8Array {
  const out = Buffer.alloc(12)
  out.writeBigUInt64LE(BigInt(rights), 0)
  out.writeInt32LE(descriptor, 8)
  return out
}

/** `struct landlock_ruleset_attr`: everything that this version knows is refused unless a rule allows it. */
function ruleset(version: number): Uint8Array {
  const tcp = version >= TCP_SINCE ? BOTH : 0n
  const scopes = version >= SCOPES_SINCE ? BOTH : 0n
  return new Uint8Array(BigUint64Array.of(BigInt(rightsOf(version)), tcp, scopes).buffer)
}

function rulesetBytes(version: number): number {
  if (version >= SCOPES_SINCE) return 24
  return version >= TCP_SINCE ? 16 : 8
}

function rightsOf(version: number): number {
  const unknown = SINCE.filter(([, since]) => version < since).reduce((bits, [right]) => bits | right, 0)
  return (USES.change | USE_DEVICE | MAKE_DEVICE) & ~unknown
}
