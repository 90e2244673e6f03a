/**
 * Calls `onSilent` once nothing was heard for so long, counted from now or from the last call of `heard`. A program that hangs says nothing, and one
 * on a slow machine goes on talking: it is never the time that it takes in all that tells them apart.
 *
 * @param {number} silentMs
 * @param {() => void} onSilent
 */
export function listenForSilence(silentMs, onSilent) {
  let timer = setTimeout(onSilent, silentMs)
  return {
    heard() {
      clearTimeout(timer)
      timer = setTimeout(onSilent, silentMs)
    },
    stop: () => clearTimeout(timer),
  }
}
