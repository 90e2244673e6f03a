import { notify } from './notices.ts'

/** Copies text to the clipboard, with a fallback for plain HTTP. @returns whether it succeeded */
async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return copyByHand(text)
  }
}

/** Copies text and shows a notice with the given messages. @returns whether it succeeded */
export async function copyAndTell(text: string, { done, failed }: { done?: string; failed: string }): Promise<boolean> {
  const copied = await copyText(text)
  if (!copied) notify({ tone: 'error', text: failed, reportable: false })
  else if (done !== undefined) notify({ tone: 'success', text: done })
  return copied
}

/** Copies through a selected text field, which is inserted into the open dialog because focus may not leave it. */
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
  // Deprecated, but the only way without HTTPS.
  const done = document.execCommand('copy')
  field.remove()
  if (before instanceof HTMLElement) before.focus()
  return done
}
