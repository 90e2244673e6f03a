/** Like `Intl.RelativeTimeFormat.prototype.format`. */
export type Relative = (value: number, unit: 'second' | 'minute' | 'hour' | 'day' | 'month' | 'year') => string

/** Relative time format for a language that the browser lacks; loaded with the catalogues, so that English pages do not contain it. */
export const forms: { relative: Relative | null } = { relative: null }
