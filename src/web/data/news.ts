let held = 0
let waiting: (() => void)[] = []

/** While rows are shown as they are about to be, nobody reads the folder anew: what is still half done would come back for a moment. */
export function holdNews(): Disposable {
  held += 1
  return {
    [Symbol.dispose]() {
      held -= 1
      if (held > 0) return
      const now = waiting
      waiting = []
      for (const go of now) go()
    },
  }
}

/** Resolves when nothing holds the news back, at once where nothing does. */
export function newsMayCome(): Promise<void> {
  return held === 0 ? Promise.resolve() : new Promise((resolve) => waiting.push(resolve))
}
