import { type Machine, numberOf, type SystemCall } from './syscalls.ts'

/**
 * A program that only makes system calls, one after the other (decision 020). It is generated for each start and self-contained: no library, no
 * interpreter, no memory allocation. The machine code is a loop over a table; each row of the table is a call with six arguments, and the row to
 * continue with if the call fails:
 * row = table
 * for (;;) row = syscall(row.number, ...row.arguments) fails ? row.onFailure : row + 1
 */
export interface Step {
  readonly call: SystemCall
  readonly args: readonly Argument[]
  /**
   * How many steps to skip forward if the call fails: 1 continues with the next. Without it the launcher reports the failure and exits with
   * `REFUSED`.
   */
  readonly onFailure?: number
}

/** A number, a text or bytes passed by address, or a list of addresses that ends with 0. */
export type Argument = number | bigint | string | Uint8Array | AddressList | Composed

export interface AddressList {
  readonly addresses: readonly string[]
}

/** Bytes that contain addresses of others. */
export interface Composed {
  readonly bytes: Uint8Array
  readonly addressAt: number
  readonly of: Uint8Array
}

/** The launcher's exit code if a layer cannot be set up: nothing runs then. */
export const REFUSED = 125

const BASE = 0x40_0000
const ELF_HEADER_BYTES = 64
const PROGRAM_HEADER_BYTES = 56
const CODE_AT = ELF_HEADER_BYTES + 2 * PROGRAM_HEADER_BYTES
const ROW_BYTES = 64
const STDERR = 2

/** The code, and the offset for the table's address. */
const CODE: Record<Machine, { readonly elfMachine: number; readonly code: Uint8Array; readonly tableAt: number }> = {
  x64: {
    elfMachine: 62,
    tableAt: 2,
    code: bytes(
      '48bb 0000000000000000', //     movabs rbx, table
      '488b03', //             next:  mov rax, [rbx]
      '488b7b08', //                  mov rdi, [rbx+8]
      '488b7310', //                  mov rsi, [rbx+16]
      '488b5318', //                  mov rdx, [rbx+24]
      '4c8b5320', //                  mov r10, [rbx+32]
      '4c8b4328', //                  mov r8, [rbx+40]
      '4c8b4b30', //                  mov r9, [rbx+48]
      '0f05', //                      syscall
      '483d01f0ffff', //              cmp rax, -4095
      '7306', //                      jae failed
      '4883c340', //                  add rbx, 64
      'ebd5', //                      jmp next
      '488b5b38', //         failed:  mov rbx, [rbx+56]
      'ebcf', //                      jmp next
    ),
  },
  arm64: {
    elfMachine: 183,
    tableAt: 48,
    code: bytes(
      '93010058', //                  ldr x19, table
      '680240f9', //           next:  ldr x8, [x19]
      '608640a9', //                  ldp x0, x1, [x19, #8]
      '628e41a9', //                  ldp x2, x3, [x19, #24]
      '649642a9', //                  ldp x4, x5, [x19, #40]
      '010000d4', //                  svc #0
      '1ffc3fb1', //                  cmn x0, #4095
      '62000054', //                  b.hs failed
      '73020191', //                  add x19, x19, #64
      'f8ffff17', //                  b next
      '731e40f9', //         failed:  ldr x19, [x19, #56]
      'f6ffff17', //                  b next
      '0000000000000000', //  table:  .quad table
    ),
  },
}

/** The launcher as an executable file (`elf(5)`): one segment, readable and executable, at a fixed address. */
export function launcherFile(machine: Machine, steps: readonly Step[]): Uint8Array {
  const { code, elfMachine, tableAt } = CODE[machine]
  const data = createData(BASE + CODE_AT + code.length)
  const rows = steps.map((step) => step.args.map((argument) => data.addressOf(argument)))
  const refusal = [...new Set(steps.filter(({ onFailure }) => onFailure === undefined).map(({ call }) => call))]
  const says = new Map(refusal.map((call) => [call, Buffer.from(`sandbox: ${call} failed\n`)]))
  const refusals = refusal.flatMap((call): Step[] => [
    { call: 'write', args: [STDERR, says.get(call) ?? '', says.get(call)?.length ?? 0], onFailure: 1 },
    { call: 'exit_group', args: [REFUSED], onFailure: 0 },
  ])
  const refusalRows = refusals.map((step) => step.args.map((argument) => data.addressOf(argument)))
  const table = data.end()
  const rowAt = (index: number): bigint => BigInt(table + index * ROW_BYTES)
  const whole = [
    ...steps.map((step, at) => ({ ...step, values: rows[at] ?? [], next: at + (step.onFailure ?? 0) })),
    ...refusals.map((step, at) => ({ ...step, values: refusalRows[at] ?? [], next: steps.length + at + (step.onFailure ?? 0) })),
  ]
  const written = Buffer.alloc(whole.length * ROW_BYTES)
  for (const [at, { call, values, next, onFailure }] of whole.entries()) {
    const number = numberOf(call, machine)
    if (number === null) throw new Error(`${machine} has no ${call}`)
    const failsTo = onFailure === undefined ? steps.length + 2 * refusal.indexOf(call) : next
    const cells = [BigInt(number), ...values, ...Array<bigint>(6 - values.length).fill(0n), rowAt(failsTo)]
    for (const [cell, value] of cells.entries()) written.writeBigUInt64LE(BigInt.asUintN(64, value), at * ROW_BYTES + cell * 8)
  }
  const patched = Buffer.from(code)
  patched.writeBigUInt64LE(BigInt(table), tableAt)
  const body = Buffer.concat([patched, data.bytes(), written])
  return Buffer.concat([header(elfMachine, CODE_AT + body.length), body])
}

/** Collects data that is passed by address, aligned to eight bytes. */
function createData(start: number) {
  const pieces: Uint8Array[] = []
  let at = start

  function add(piece: Uint8Array): bigint {
    const gap = (8 - (at % 8)) % 8
    const address = at + gap
    pieces.push(new Uint8Array(gap), piece)
    at = address + piece.length
    return BigInt(address)
  }

  function addressOf(argument: Argument): bigint {
    if (typeof argument === 'bigint') return argument
    if (typeof argument === 'number') return BigInt(argument)
    if (typeof argument === 'string') return add(textBytes(argument))
    if (argument instanceof Uint8Array) return add(argument)
    if ('addresses' in argument) {
      const list = argument.addresses.map((text) => addressOf(text))
      return add(new Uint8Array(BigUint64Array.from([...list, 0n]).buffer))
    }
    const composed = Buffer.from(argument.bytes)
    composed.writeBigUInt64LE(add(argument.of), argument.addressAt)
    return add(composed)
  }

  return {
    addressOf,
    /** Where the next piece would begin. */
    end(): number {
      add(new Uint8Array())
      return at
    },
    bytes: () => Buffer.concat(pieces),
  }
}

/** @throws if it would be truncated */
function textBytes(text: string): Uint8Array {
  if (text.includes('\0')) throw new Error('an argument or variable holds NUL')
  return Buffer.from(`${text}\0`)
}

function header(elfMachine: number, fileBytes: number): Uint8Array {
  const out = Buffer.alloc(CODE_AT)
  out.set([0x7f, 0x45, 0x4c, 0x46, 2, 1, 1], 0)
  out.writeUInt16LE(2, 16)
  out.writeUInt16LE(elfMachine, 18)
  out.writeUInt32LE(1, 20)
  out.writeBigUInt64LE(BigInt(BASE + CODE_AT), 24)
  out.writeBigUInt64LE(BigInt(ELF_HEADER_BYTES), 32)
  out.writeUInt16LE(ELF_HEADER_BYTES, 52)
  out.writeUInt16LE(PROGRAM_HEADER_BYTES, 54)
  out.writeUInt16LE(2, 56)
  // PT_LOAD, read and execute, the whole file.
  out.writeUInt32LE(1, 64)
  out.writeUInt32LE(5, 68)
  for (const [at, value] of [0, BASE, BASE, fileBytes, fileBytes, 0x1_0000].entries()) out.writeBigUInt64LE(BigInt(value), 72 + at * 8)
  // PT_GNU_STACK, read and write: the stack is not executable.
  out.writeUInt32LE(0x6474_e551, 120)
  out.writeUInt32LE(6, 124)
  out.writeBigUInt64LE(16n, 168)
  return out
}

function bytes(...hex: string[]): Uint8Array {
  return Buffer.from(hex.join('').replaceAll(' ', ''), 'hex')
}
