/**
 * Other spellings by which a disk that does not tell all names apart finds the same node, the likeliest first. Every such disk folds at least the
 * letters of ASCII; what else it folds (ß, ı, ligatures, forms of Unicode) differs, so that this is a way to tell such a disk and not to compare
 * names. None of them is `name`.
 */
export function otherSpellings(name: string): string[] {
  const ascii = name.replace(/[a-z]/gi, (letter) => (letter === letter.toUpperCase() ? letter.toLowerCase() : letter.toUpperCase()))
  if (ascii !== name) return [ascii]
  const others = [name.toUpperCase(), name.toLowerCase(), name.normalize('NFC'), name.normalize('NFD'), `${name}\u200b`, `${name}.`]
  return [...new Set(others)].filter((other) => other !== name)
}
