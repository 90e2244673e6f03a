/** Columns as wide as their widest cell; the first row is the header. */
export function table(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, at) => Math.max(...rows.map((row) => Bun.stringWidth(row[at] ?? ''))))
  return rows
    .map((row) =>
      row
        .map((cell, at) => cell + ' '.repeat((widths[at] ?? 0) - Bun.stringWidth(cell)))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

/** Escapes control and invisible characters, so that text cannot move the cursor or reorder the terminal's content. */
export function visible(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`)
}

export function json(value: unknown): string {
  return JSON.stringify(value, null, 2)
}

export function yesNo(value: boolean): string {
  return value ? 'yes' : 'no'
}
