/** Loaded before a program of a test: its clock is off by this many milliseconds. */
const OFF_MS = Number(process.env['TEST_CLOCK_OFF_MS'])
const RealDate = Date

globalThis.Date = class extends RealDate {
  constructor(given?: number | string | Date) {
    super(given ?? RealDate.now() + OFF_MS)
  }

  static override now(): number {
    return RealDate.now() + OFF_MS
  }
} as DateConstructor
