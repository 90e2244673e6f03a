import { useEffect, useState } from 'react'

/** A text that changes often, such as a count, once it has been the same for a while; for announcements to screen readers. */
export function useSettled(text: string, afterMs: number): string {
  const [settled, setSettled] = useState('')
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), afterMs)
    return () => clearTimeout(timer)
  }, [text, afterMs])
  return settled
}
