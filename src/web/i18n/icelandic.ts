import type { Relative } from './forms.ts'

/** Chromium has no Icelandic locale data. From CLDR 46, `is`, short forms. */
const UNITS = {
  second: ['sek.', 'sek.'],
  minute: ['mín.', 'mín.'],
  hour: ['klst.', 'klst.'],
  day: ['degi', 'dögum'],
  month: ['mán.', 'mán.'],
  year: ['ári', 'árum'],
} as const

const SPECIAL: Readonly<Record<string, string>> = { 'second 0': 'núna', 'day 0': 'í dag', 'day -1': 'í gær', 'day 1': 'á morgun' }

/** Like `Intl.RelativeTimeFormat` with `numeric: 'auto'`. */
export const icelandicRelative: Relative = (value, unit) => {
  const special = SPECIAL[`${unit} ${value}`]
  if (special !== undefined) return special
  const size = Math.abs(value)
  const isOne = size % 10 === 1 && size % 100 !== 11
  return `${value < 0 ? 'fyrir' : 'eftir'} ${size} ${UNITS[unit][isOne ? 0 : 1]}`
}
