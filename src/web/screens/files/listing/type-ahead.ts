const FORGETS_AFTER_MS = 600

/** Type-ahead by the first characters of a name; after a pause of 600 ms a new word starts, and one repeated letter moves on. */
export function createTypeAhead(now: () => number = () => performance.now()) {
  let word = ''
  let at = -Infinity
  const isTyping = () => word !== '' && now() - at < FORGETS_AFTER_MS
  return {
    /** Whether a word is being typed, so that Space belongs to it. */
    isTyping,
    /** @returns the position of the next name that starts with the typed text, or null */
    type(letter: string, from: number, { count, at: nameAt }: { readonly count: number; at(position: number): string }): number | null {
      const typed = letter.toLocaleLowerCase()
      const repeated = isTyping() && word === typed
      word = isTyping() && !repeated ? word + typed : typed
      at = now()
      // A longer word may still match the current entry.
      const start = word.length > typed.length ? from : from + 1
      for (let step = 0; step < count; step++) {
        const position = (start + step) % count
        if (nameAt(position).toLocaleLowerCase().startsWith(word)) return position
      }
      return null
    },
  }
}
