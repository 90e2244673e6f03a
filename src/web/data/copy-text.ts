import { notify } from './notices.ts'

/** Puts a text into the clipboard, also on plain http, where browsers offer only the old way. @returns whether it is there */
async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return copyByHand(text)
  }
}

/** Copies, and says what came of it in the words it is given. @returns whether it is there */
export async function copyAndTell(text: string, { done, failed }: { done?: string; failed: string }): Promise<boolean> {
  const copied = await copyText(text)
  if (!copied) notify({ tone: 'error', text: failed, reportable: false })
  else if (done !== undefined) notify({ tone: 'success', text: done })
  return copied
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
