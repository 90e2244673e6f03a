/** Puts a text into the clipboard, also on plain http, where browsers offer only the old way. @returns whether it is there */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return copyByHand(text)
  }
}

/** By a field that is marked and copied as a person would; it stands in the open dialog, if there is one, because focus may not leave that. */
function copyByHand(text: string): boolean {
  const before = document.activeElement
  const field = document.createElement('textarea')
  field.value = text
  field.readOnly = true
  field.className = 'sr-only'
  const dialogs = document.querySelectorAll('[role=dialog]')
  const home = dialogs[dialogs.length - 1] ?? document.body
  home.append(field)
  field.select()
  // Deprecated, and the only way there is without https.
  const done = document.execCommand('copy')
  field.remove()
  if (before instanceof HTMLElement) before.focus()
  return done
}
