/** Like `Intl.RelativeTimeFormat.prototype.format`. */
export type Relative = (value: number, unit: 'second' | 'minute' | 'hour' | 'day' | 'month' | 'year') => string

/** How a language is written that the browser may not know; comes with the texts of other languages, so that nobody else carries it. */
export const forms: { relative: Relative | null } = { relative: null }
