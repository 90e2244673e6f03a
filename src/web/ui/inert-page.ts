import { useLayoutEffect } from 'react'

/** How many stand over the page now. */
let covers = 0

/** While this is on show the page behind it takes no focus, no press and no reader. For what is drawn beside `#app` and covers all of it. */
export function useInertPage(): void {
  // Talks to an element above React's own.
  useLayoutEffect(() => {
    const page = document.getElementById('app')
    covers += 1
    page?.toggleAttribute('inert', true)
    return () => {
      covers -= 1
      page?.toggleAttribute('inert', covers > 0)
    }
  }, [])
}
