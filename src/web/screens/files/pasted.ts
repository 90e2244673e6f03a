/** The name browsers give to every pasted image. */
const UNNAMED = /^image\.(\w+)$/

/** Pasted files, with distinctive names for images: `Pasted image 2026-11-23 14.05.09.png`. */
export function pastedFiles(files: readonly File[], { prefix, now }: { prefix: string; now: Date }): File[] {
  return files.map((file) => {
    const extension = UNNAMED.exec(file.name)?.[1]
    if (extension === undefined) return file
    return new File([file], `${prefix} ${stamp(now)}.${extension}`, { type: file.type, lastModified: now.getTime() })
  })
}

/** Local time, sortable, without characters that some file systems reject. */
function stamp(now: Date): string {
  const two = (value: number) => String(value).padStart(2, '0')
  const day = [now.getFullYear(), two(now.getMonth() + 1), two(now.getDate())].join('-')
  return `${day} ${[now.getHours(), now.getMinutes(), now.getSeconds()].map(two).join('.')}`
}
