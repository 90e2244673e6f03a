import { type Machine, numberOf, type SystemCall } from './syscalls.ts'

/** Classic BPF (`linux/bpf_common.h`), as `seccomp(2)` reads it. */
const LOAD = 0x20
const AND = 0x54
const JUMP_IF_EQUAL = 0x15
const JUMP_IF_AT_LEAST = 0x35
const JUMP_IF_ANY_BIT = 0x45
const RETURN = 0x06

const KILL_PROCESS = 0x8000_0000
const ALLOW = 0x7fff_0000
const FAIL_WITH = 0x0005_0000
const EPERM = 1
const ENOSYS = 38
const EAFNOSUPPORT = 97

/** Offsets in `struct seccomp_data`. */
const NUMBER_AT = 0
const MACHINE_AT = 4
const argumentAt = (index: number): number => 16 + 8 * index

const AUDIT_MACHINE: Record<Machine, number> = { x64: 0xc000_003e, arm64: 0xc000_00b7 }
/** System calls of x32, a second ABI of the same machine, begin here. */
const X32_BIT = 0x4000_0000

/** All `CLONE_NEW…` flags of `clone(2)`. */
const NEW_NAMESPACES = 0x7e02_0000
const SETUID_OR_SETGID = 0o6000
const O_CREAT_OR_TMPFILE = 0o100 | 0o20000000
const TIOCSTI = 0x5412
const TIOCLINUX = 0x541c
/** Bits of an ioctl number that name the driver (`asm-generic/ioctl.h`). */
const DRIVER_BITS = 0xff00
const BTRFS = 0x9400
const BCACHEFS = 0xbc00
/** Calls for all file systems that have a number of Btrfs (`linux/fs.h`): FICLONE, FICLONERANGE, FIDEDUPERANGE. */
const SHARED_WITH_BTRFS = [0x4004_9409, 0x4020_940d, 0xc018_9436]
const AF_UNIX = 1
const AF_INET = 2
const AF_INET6 = 10
const AF_NETLINK = 16

/** Calls that our programs do not need and that reach deepest into the kernel: refused with EPERM. */
const REFUSED: readonly SystemCall[] = [
  // Namespaces and mounts: no program may create a sandbox of its own inside (A9).
  ...(['unshare', 'setns', 'mount', 'umount2', 'pivot_root', 'chroot', 'open_tree', 'open_tree_attr', 'move_mount'] as const),
  ...(['mount_setattr', 'fsopen', 'fsconfig', 'fsmount', 'fspick'] as const),
  // Other processes, and files by other means than their names.
  ...(['ptrace', 'process_vm_readv', 'process_vm_writev', 'kcmp', 'pidfd_getfd', 'open_by_handle_at', 'fanotify_init'] as const),
  // The machine itself.
  ...(['bpf', 'perf_event_open', 'userfaultfd', 'keyctl', 'add_key', 'request_key', 'lookup_dcookie', 'syslog', 'acct'] as const),
  ...(['swapon', 'swapoff', 'reboot', 'kexec_load', 'kexec_file_load', 'init_module', 'finit_module', 'delete_module'] as const),
  ...(['quotactl', 'quotactl_fd', 'settimeofday', 'clock_settime', 'clock_adjtime', 'adjtimex', 'vhangup'] as const),
  ...(['iopl', 'ioperm', 'modify_ldt'] as const),
]

/**
 * Calls that pass their arguments by address, where no filter can read them, or bypass filters: ENOSYS, as if the kernel did not have them. Callers
 * fall back to the older call.
 */
const UNKNOWN: readonly SystemCall[] = [
  ...(['clone3', 'openat2', 'io_uring_setup', 'io_uring_enter', 'io_uring_register'] as const),
  // Memory that belongs to no process and to no folder with a limit.
  ...(['memfd_create', 'memfd_secret', 'shmget'] as const),
]

type Instruction = readonly [code: number, ifTrue: number, ifFalse: number, value: number]

/** A filter as `struct sock_filter[]`. It allows all calls except those above. */
export function seccompFilter(machine: Machine): Uint8Array {
  const x32: Instruction[] = machine === 'x64' ? [...failsIf(JUMP_IF_AT_LEAST, X32_BIT, ENOSYS)] : []
  const program: Instruction[] = [
    [LOAD, 0, 0, MACHINE_AT],
    [JUMP_IF_EQUAL, 1, 0, AUDIT_MACHINE[machine]],
    [RETURN, 0, 0, KILL_PROCESS],
    [LOAD, 0, 0, NUMBER_AT],
    ...x32,
    ...REFUSED.flatMap((call) => refuses(call, EPERM)),
    ...UNKNOWN.flatMap((call) => refuses(call, ENOSYS)),
    ...looksAt('clone', [[LOAD, 0, 0, argumentAt(0)], ...failsIf(JUMP_IF_ANY_BIT, NEW_NAMESPACES, EPERM)]),
    ...looksAt('ioctl', [
      [LOAD, 0, 0, argumentAt(1)],
      ...failsIf(JUMP_IF_EQUAL, TIOCSTI, EPERM),
      ...failsIf(JUMP_IF_EQUAL, TIOCLINUX, EPERM),
      // A snapshot of a subvolume contains everything that is masked in it, and with older kernels everything outside the scope.
      ...SHARED_WITH_BTRFS.flatMap((number): Instruction[] => [
        [JUMP_IF_EQUAL, 0, 1, number],
        [RETURN, 0, 0, ALLOW],
      ]),
      [AND, 0, 0, DRIVER_BITS],
      ...failsIf(JUMP_IF_EQUAL, BTRFS, EPERM),
      ...failsIf(JUMP_IF_EQUAL, BCACHEFS, EPERM),
    ]),
    // No file gets the setuid or setgid bit (A10).
    ...(['chmod', 'fchmod', 'creat', 'mknod'] as const).flatMap((call) => looksAt(call, refusesMode(1))),
    ...(['fchmodat', 'fchmodat2', 'mknodat'] as const).flatMap((call) => looksAt(call, refusesMode(2))),
    ...looksAt('open', refusesModeOfNew(1)),
    ...looksAt('openat', refusesModeOfNew(2)),
    // Socket families that are outside of network namespaces, such as vsock to a virtual machine's host.
    ...(['socket', 'socketpair'] as const).flatMap((call) => looksAt(call, onlyFamilies([AF_UNIX, AF_INET, AF_INET6, AF_NETLINK]))),
    [RETURN, 0, 0, ALLOW],
  ]
  const out = Buffer.alloc(program.length * 8)
  for (const [at, [code, ifTrue, ifFalse, value]] of program.entries()) {
    out.writeUInt16LE(code, at * 8)
    out.writeUInt8(ifTrue, at * 8 + 2)
    out.writeUInt8(ifFalse, at * 8 + 3)
    out.writeUInt32LE(value >>> 0, at * 8 + 4)
  }
  return out

  function refuses(call: SystemCall, error: number): Instruction[] {
    const number = numberOf(call, machine)
    return number === null ? [] : failsIf(JUMP_IF_EQUAL, number, error)
  }

  /** Runs `body` for this call, and allows it if `body` does not refuse. */
  function looksAt(call: SystemCall, body: readonly Instruction[]): Instruction[] {
    const number = numberOf(call, machine)
    if (number === null) return []
    return [[JUMP_IF_EQUAL, 0, body.length + 1, number], ...body, [RETURN, 0, 0, ALLOW]]
  }
}

function failsIf(test: number, value: number, error: number): Instruction[] {
  return [
    [test, 0, 1, value],
    [RETURN, 0, 0, FAIL_WITH | error],
  ]
}

function refusesMode(argument: number): Instruction[] {
  return [[LOAD, 0, 0, argumentAt(argument)], ...failsIf(JUMP_IF_ANY_BIT, SETUID_OR_SETGID, EPERM)]
}

/** The mode counts only if the flags create a file. */
function refusesModeOfNew(flags: number): Instruction[] {
  const mode = refusesMode(flags + 1)
  return [[LOAD, 0, 0, argumentAt(flags)], [JUMP_IF_ANY_BIT, 0, mode.length, O_CREAT_OR_TMPFILE], ...mode]
}

function onlyFamilies(families: readonly number[]): Instruction[] {
  return [
    [LOAD, 0, 0, argumentAt(0)],
    ...families.flatMap((family): Instruction[] => [
      [JUMP_IF_EQUAL, 0, 1, family],
      [RETURN, 0, 0, ALLOW],
    ]),
    [RETURN, 0, 0, FAIL_WITH | EAFNOSUPPORT],
  ]
}
