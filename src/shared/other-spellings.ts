/**
 * Other spellings by which a case-insensitive or normalising disk finds the same node, the likeliest first. Every such disk folds at least ASCII
 * letters; what else it folds (ß, ı, ligatures, Unicode forms) differs, so this detects such a disk but does not compare names. None of them is
 * `name`.
 */
export function otherSpellings(name: string): string[] {
  const ascii = name.replace(/[a-z]/gi, (letter) => (letter === letter.toUpperCase() ? letter.toLowerCase() : letter.toUpperCase()))
  if (ascii !== name) return [ascii]
  const others = [name.toUpperCase(), name.toLowerCase(), name.normalize('NFC'), name.normalize('NFD'), `${name}\u200b`, `${name}.`]
  return [...new Set(others)].filter((other) => other !== name)
}
