import { useEffect, useRef, useState } from 'react'
import { readDrop } from '../../data/uploads/dropped.ts'
import { takeDrop } from '../../data/uploads/start.ts'

/** Takes files wherever on the page they are let go, and those in folders without their folders. @returns whether some hang over it */
export function useFileDrop(onFiles: (files: readonly File[]) => void): boolean {
  const [over, setOver] = useState(false)
  const latest = useRef(onFiles)
  useEffect(() => {
    latest.current = onFiles
  })
  // Talks to the window: beside its place a file would be opened by the browser, and the page be gone.
  useEffect(() => {
    const left = new AbortController()
    const { signal } = left
    const take = async (transfer: DataTransfer): Promise<void> => {
      // What cannot be looked into is taken as it came.
      const found = await readDrop(takeDrop(transfer)).catch(() => [...transfer.files].map((file) => ({ file })))
      latest.current(found.flatMap(({ file }) => file ?? []))
    }
    // Words that are dragged into a field are the field's.
    const isFiles = ({ dataTransfer }: DragEvent) => dataTransfer?.types.includes('Files') === true
    const onOver = (event: DragEvent) => {
      if (!isFiles(event)) return
      event.preventDefault()
      setOver(true)
    }
    const onLeave = ({ relatedTarget }: DragEvent) => relatedTarget === null && setOver(false)
    const onDrop = (event: DragEvent) => {
      if (!isFiles(event) || event.dataTransfer === null) return
      event.preventDefault()
      setOver(false)
      void take(event.dataTransfer)
    }
    addEventListener('dragover', onOver, { signal })
    addEventListener('dragleave', onLeave, { signal })
    addEventListener('drop', onDrop, { signal })
    return () => left.abort()
  }, [])
  return over
}
